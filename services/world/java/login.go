package java

import (
	"context"
	"crypto/md5"
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

// packFrom is the size from which packets are packed.
const packFrom = 256

var nameForm = regexp.MustCompile(`^[A-Za-z0-9_]{1,16}$`)

// login takes a name, and tells the client what it has to know before it plays.
func (v *visit) login(ctx context.Context, version int32) (*player, error) {
	s := v.server
	if version != s.table.Protocol {
		return nil, v.refuse(fmt.Sprintf("This world speaks Minecraft %s (protocol %d); your client speaks protocol %d.",
			s.table.Version, s.table.Protocol, version))
	}
	r, err := v.expect("login", "login_start", nil)
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
	p := newPlayer(v, name, s.spawn(ctx))
	if s.isFull(p) {
		return nil, v.refuse(full)
	}
	return p, v.configure(p)
}

// refuse tells a client who logs in why not.
func (v *visit) refuse(why string) error {
	_ = v.wire.Write(wire.NewPacket(v.server.table.ToClient("login", "disconnect")).String(plain(why)))
	return fmt.Errorf("%w: %s", errTold, why)
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
	r, err := v.expect("login", "login_acknowledged", nil)
	if err != nil {
		return err
	}
	if err := r.End(); err != nil {
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
	r, err = v.expect("configuration", "finish_configuration", func(name string, r *wire.Reader) error {
		if name == "settings" {
			return p.settings(r)
		}
		return nil // such as the client's brand
	})
	if err != nil {
		return err
	}
	return r.End()
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
