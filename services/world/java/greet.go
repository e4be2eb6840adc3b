package java

import (
	"bufio"
	"context"
	"crypto/md5"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"regexp"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

// What a client asks for with its first packet.
const (
	askStatus = 1
	askLogin  = 2
)

// packFrom is the size from which packets are packed.
const packFrom = 256

var nameForm = regexp.MustCompile(`^[A-Za-z0-9_]{1,16}$`)

// errOver is an end that is no mistake: the client asked and was told.
var errOver = errors.New("over")

// visit is a connection of somebody who is not in the world yet.
type visit struct {
	server *Server
	conn   net.Conn
	wire   *wire.Conn
}

// greet sees a connection through to its end.
func (s *Server) greet(ctx context.Context, conn net.Conn) {
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	v := &visit{server: s, conn: conn, wire: wire.NewConn(bufio.NewReaderSize(conn, 4096), conn)}
	p, err := func() (*player, error) {
		defer func() { <-s.visitors }()
		_ = conn.SetDeadline(time.Now().Add(s.config.Greeting))
		return v.enter()
	}()
	switch {
	case err == nil:
		_ = conn.SetDeadline(time.Time{})
		if ctx.Err() != nil {
			return
		}
		p.live(ctx)
	case !errors.Is(err, errOver):
		s.log.Debug("minecraft: turned away", "from", conn.RemoteAddr().String(), "error", err)
	}
}

// expect reads a packet that has to be the named one of a state. Others that a
// client may send meanwhile are skipped, a few.
func (v *visit) expect(state, name string) (*wire.Reader, error) {
	for range 64 {
		number, r, err := v.wire.Read()
		if err != nil {
			return nil, err
		}
		got := v.server.table.FromClient(state, number)
		if got == name {
			return r, nil
		}
		if got == "" || state == "login" {
			return nil, fmt.Errorf("packet %d (%q) in %s, where %s is due", number, got, state, name)
		}
	}
	return nil, fmt.Errorf("%s did not come", name)
}

// enter goes from the first packet to where the client may play.
func (v *visit) enter() (*player, error) {
	number, r, err := v.wire.Read()
	if err != nil {
		return nil, err
	}
	version := r.Int()
	_ = r.String(255) // the address as the client wrote it
	_ = r.Short()
	next := r.Int()
	if err := r.End(); err != nil || number != 0 {
		return nil, fmt.Errorf("the first packet is none: %w", errors.Join(err, errOther(number != 0)))
	}
	switch next {
	case askStatus:
		return nil, v.status()
	case askLogin:
		return v.login(version)
	default:
		return nil, fmt.Errorf("a client asks for %d", next)
	}
}

func errOther(other bool) error {
	if other {
		return errors.New("it has another number")
	}
	return nil
}

// status tells a client's list of servers what this is.
func (v *visit) status() error {
	for range 2 {
		number, r, err := v.wire.Read()
		if err != nil {
			return err
		}
		switch number {
		case 0:
			err = v.wire.Write(wire.NewPacket(0).String(v.server.summary()))
		case 1:
			err = v.wire.Write(wire.NewPacket(1).Long(r.Long()))
		default:
			err = fmt.Errorf("packet %d in status", number)
		}
		if err != nil {
			return err
		}
	}
	return errOver
}

func (s *Server) summary() string {
	type object = map[string]any
	text, _ := json.Marshal(object{ // of texts and numbers
		"version":     object{"name": s.table.Version, "protocol": s.table.Protocol},
		"players":     object{"max": s.config.Players, "online": len(s.all())},
		"description": object{"text": s.config.Title},
	})
	return string(text)
}

// login takes a name, and tells the client what it has to know before it plays.
func (v *visit) login(version int32) (*player, error) {
	s := v.server
	if version != s.table.Protocol {
		return nil, v.refuse(fmt.Sprintf("This world speaks Minecraft %s (protocol %d); your client speaks protocol %d.",
			s.table.Version, s.table.Protocol, version))
	}
	r, err := v.expect("login", "login_start")
	if err != nil {
		return nil, err
	}
	name := r.String(16)
	_ = r.UUID() // the client's own; it is not proved
	if err := r.End(); err != nil {
		return nil, err
	}
	if !nameForm.MatchString(name) {
		return nil, v.refuse("A name has 1 to 16 letters, digits and _.")
	}
	p, err := s.admit(name, v)
	if err != nil {
		return nil, v.refuse(err.Error())
	}
	if err := v.configure(p); err != nil {
		s.drop(p)
		return nil, err
	}
	return p, nil
}

// refuse tells a client who logs in why not.
func (v *visit) refuse(why string) error {
	_ = v.wire.Write(wire.NewPacket(v.server.table.ToClient("login", "disconnect")).String(plain(why)))
	return fmt.Errorf("%w: %s", errOver, why)
}

// configure goes from a name to the world.
func (v *visit) configure(p *player) error {
	t := v.server.table
	if err := v.wire.Write(wire.NewPacket(t.ToClient("login", "compress")).Int(packFrom)); err != nil {
		return err
	}
	v.wire.Compress(packFrom)
	success := wire.NewPacket(t.ToClient("login", "success")).UUID(p.id).String(p.name).Int(0)
	if err := v.wire.Write(success); err != nil {
		return err
	}
	if _, err := v.expect("login", "login_acknowledged"); err != nil {
		return err
	}
	for _, packet := range []*wire.Packet{
		wire.NewPacket(t.ToClient("configuration", "custom_payload")).String("minecraft:brand").String("pharos"),
		wire.NewPacket(t.ToClient("configuration", "feature_flags")).Int(1).String("minecraft:vanilla"),
		wire.NewPacket(t.ToClient("configuration", "registry_data")).Raw(t.Registry),
		wire.NewPacket(t.ToClient("configuration", "finish_configuration")),
	} {
		if err := v.wire.Write(packet); err != nil {
			return err
		}
	}
	_, err := v.expect("configuration", "finish_configuration")
	return err
}

// PlayerID is the UUID of a name without authentication, as every server makes
// it: version 3 over "OfflinePlayer:" and the name.
func PlayerID(name string) uuid.UUID {
	id := uuid.UUID(md5.Sum([]byte("OfflinePlayer:" + name)))
	id[6] = id[6]&0x0f | 0x30
	id[8] = id[8]&0x3f | 0x80
	return id
}

// plain is a text as chat carries it.
func plain(text string) string {
	b, _ := json.Marshal(map[string]string{"text": text}) // strings always encode
	return string(b)
}
