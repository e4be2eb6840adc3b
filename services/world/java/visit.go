package java

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

// What a client asks for with its first packet.
const (
	askStatus = 1
	askLogin  = 2
)

// lastWords is how much of a client is still read that is sent away.
const lastWords = 1 << 20

// The ends that are no mistakes of the protocol.
var (
	errOver = errors.New("over")
	errTold = fmt.Errorf("%w: the client was told why", errOver)
)

// visit is a connection of somebody who is not in the world yet.
type visit struct {
	server *Server
	conn   net.Conn
	wire   *wire.Conn
}

// greet sees a connection through to its end.
func (s *Server) greet(ctx context.Context, conn net.Conn) {
	defer conn.Close()
	hurried := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(hurried)
		_ = conn.SetReadDeadline(time.Unix(1, 0))
		_ = conn.SetWriteDeadline(time.Now().Add(goodbye))
	})
	v := &visit{server: s, conn: conn, wire: wire.NewConn(bufio.NewReaderSize(conn, 4096), conn)}
	p, err := func() (p *player, err error) {
		defer s.door.leave(conn)
		defer func() {
			if errors.Is(err, errTold) {
				part(conn)
			}
		}()
		_ = conn.SetDeadline(time.Now().Add(s.config.Greeting))
		if ctx.Err() != nil {
			return nil, errOver
		}
		return v.enter(ctx)
	}()
	defer stop()
	switch {
	case err == nil:
		p.live(ctx)
		if !stop() {
			<-hurried // or it would end the parting
		}
		part(conn)
	case !errors.Is(err, errOver):
		s.log.Debug("minecraft: turned away", "from", conn.RemoteAddr().String(), "error", err)
	}
}

// part lets the client read its last words: a connection that is closed while
// something from the client is unread loses them.
func part(conn net.Conn) {
	half, ok := conn.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil {
		return
	}
	_ = conn.SetReadDeadline(time.Now().Add(goodbye))
	_, _ = io.CopyN(io.Discard, conn, lastWords)
}

// enter goes from the first packet to where the client may play.
func (v *visit) enter(ctx context.Context) (*player, error) {
	number, r, err := v.wire.Read()
	if err != nil {
		return nil, err
	}
	version := r.Int()
	_ = r.String(255) // the address as the client wrote it
	_ = r.Short()
	next := r.Int()
	if err := r.End(); err != nil {
		return nil, fmt.Errorf("the first packet: %w", err)
	}
	switch {
	case number != 0:
		return nil, fmt.Errorf("the first packet has number %d", number)
	case next == askStatus:
		return nil, v.status()
	case next == askLogin:
		return v.login(ctx, version)
	default:
		return nil, fmt.Errorf("a client asks for %d", next)
	}
}

// expect reads a packet that has to be the named one of a state. Others that a
// client may send meanwhile go to meanwhile, a few; where that is nil there are
// none.
func (v *visit) expect(state, name string, meanwhile func(name string, r *wire.Reader) error) (*wire.Reader, error) {
	for range 64 {
		number, r, err := v.wire.Read()
		if err != nil {
			return nil, err
		}
		got := v.server.table.FromClient(state, number)
		if got == name {
			return r, nil
		}
		if got == "" || meanwhile == nil {
			return nil, fmt.Errorf("packet %d (%q) in %s, where %s is due", number, got, state, name)
		}
		if err := meanwhile(got, r); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("%s did not come", name)
}
