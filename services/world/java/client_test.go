package java_test

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/services/world/java/protocol"
	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

// patience is how long a test waits for what has to come.
const patience = 30 * time.Second

// client is a game's client as far as a test needs one. It has its own reading
// of frames, so that it is no mirror of the server's.
type client struct {
	t      testing.TB
	conn   net.Conn
	in     *bufio.Reader
	out    *wire.Conn
	packed bool
	state  string
	names  map[string]string // of packets for clients, by "state number"
	sends  map[string]int32  // of packets from clients, by "state name"
	seen   *screen
	said   []string // texts that were shown
	broke  error    // how the connection ended
}

// received are the packets for clients that tests look at.
var received = map[string][]string{
	"login":         {"disconnect", "success", "compress"},
	"configuration": {"custom_payload", "feature_flags", "registry_data", "finish_configuration"},
	"play": {
		"login", "abilities", "declare_commands", "update_health", "spawn_position", "update_time", "position", "player_info",
		"player_remove", "spawn_entity", "entity_destroy", "entity_teleport", "entity_head_rotation", "system_chat",
		"kick_disconnect", "keep_alive", "map_chunk", "unload_chunk", "multi_block_change", "block_change",
		"acknowledge_player_digging", "set_slot", "chunk_batch_start", "chunk_batch_finished", "update_view_position",
	},
}

// table is the protocol that all tests speak.
func table(t testing.TB) *protocol.Table {
	t.Helper()
	table, err := protocol.Load("1.20.2")
	must(t, err)
	return table
}

func newClient(t testing.TB, conn net.Conn) *client {
	t.Helper()
	c := &client{
		t: t, conn: conn, in: bufio.NewReader(conn), out: wire.NewConn(nil, conn), seen: newScreen(),
		names: map[string]string{}, sends: map[string]int32{},
	}
	table := table(t)
	for state, names := range received {
		for _, name := range names {
			c.names[fmt.Sprint(state, table.ToClient(state, name))] = name
		}
		for n := range int32(128) {
			if name := table.FromClient(state, n); name != "" {
				c.sends[state+name] = n
			}
		}
	}
	t.Cleanup(func() { conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(patience))
	return c
}

// packet begins one of the state that the client is in.
func (c *client) packet(name string) *wire.Packet {
	number, ok := c.sends[c.state+name]
	if !ok {
		c.t.Fatalf("there is no packet %s in %s", name, c.state)
	}
	return wire.NewPacket(number)
}

func (c *client) send(p *wire.Packet) {
	c.t.Helper()
	must(c.t, c.out.Write(p))
}

// read returns the next packet. Its name is "" where no test looks at it.
func (c *client) read() (string, *wire.Reader, error) {
	size, err := binary.ReadUvarint(c.in)
	if err != nil {
		return "", nil, err
	}
	if size == 0 || size > 2<<20 {
		return "", nil, fmt.Errorf("a frame of %d bytes", size)
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(c.in, body); err != nil {
		return "", nil, err
	}
	if c.packed {
		whole, n := binary.Uvarint(body)
		if body = body[n:]; whole > 0 {
			z, err := zlib.NewReader(bytes.NewReader(body))
			if err != nil {
				return "", nil, err
			}
			if body, err = io.ReadAll(z); err != nil || uint64(len(body)) != whole {
				return "", nil, errors.Join(err, fmt.Errorf("%d bytes were packed, not %d", len(body), whole))
			}
		}
	}
	r := wire.NewReader(body)
	name := c.names[fmt.Sprint(c.state, r.Int())]
	return name, r, r.Err()
}

// next waits for a packet of a name and does on the way what a client does: it
// answers, shows chunks and texts, and ends the test when it is sent away.
func (c *client) next(want string) *wire.Reader {
	c.t.Helper()
	for {
		name, r, err := c.read()
		if err != nil {
			c.t.Fatalf("%s did not come: %v", want, err)
		}
		c.handle(name, r)
		switch name {
		case want:
			return r
		case "kick_disconnect", "disconnect":
			c.t.Fatalf("%s did not come, but: %s", want, c.said[len(c.said)-1])
		}
	}
}

// handle reads a copy, so that who waits for the packet has it whole.
func (c *client) handle(name string, whole *wire.Reader) {
	c.t.Helper()
	r := new(wire.Reader)
	*r = *whole
	switch name {
	case "keep_alive":
		c.send(c.packet("keep_alive").Long(r.Long()))
	case "position":
		for range 3 {
			r.Double()
		}
		_, _, _ = r.Float(), r.Float(), r.Byte()
		c.send(c.packet("teleport_confirm").Int(r.Int()))
	case "chunk_batch_finished":
		c.send(c.packet("chunk_batch_received").Float(8))
	case "system_chat", "kick_disconnect", "disconnect":
		var text struct{ Text string }
		must(c.t, json.Unmarshal([]byte(r.String(1<<15)), &text))
		c.said = append(c.said, text.Text)
	case "map_chunk", "multi_block_change", "block_change", "unload_chunk":
		must(c.t, c.seen.show(name, r))
	}
}

// text waits for a text to be shown.
func (c *client) text() string {
	c.t.Helper()
	c.next("system_chat")
	return c.said[len(c.said)-1]
}

// end reads until the connection ends and returns what the client was told last.
func (c *client) end() string {
	c.t.Helper()
	last := ""
	for {
		name, r, err := c.read()
		if err != nil {
			c.broke = err
			return last
		}
		if name == "keep_alive" {
			continue // the connection may be closed
		}
		if name == "kick_disconnect" || name == "disconnect" {
			c.handle(name, r)
			last = c.said[len(c.said)-1]
		}
	}
}

// shake sends the first packet.
func (c *client) shake(version, next int32) {
	c.t.Helper()
	c.send(wire.NewPacket(0).Int(version).String("localhost").Short(25565).Int(next))
}

// login goes as far as the world.
func (c *client) login(name string) {
	c.t.Helper()
	c.begin(name)
	r := c.next("compress")
	c.out.Compress(int(r.Int()))
	c.packed = true
	c.next("success")
	c.send(c.packet("login_acknowledged"))
	c.state = "configuration"
	c.send(c.packet("settings").String("en_us").Byte(16).Int(0).Bool(true).Byte(0x7f).Int(1).Bool(false).Bool(true))
	c.next("finish_configuration")
	c.send(c.packet("finish_configuration"))
	c.state = "play"
}

func (c *client) begin(name string) {
	c.t.Helper()
	c.shake(764, 2)
	c.state = "login"
	c.send(c.packet("login_start").String(name).Raw(make([]byte, 16)))
}

// settle waits for all that was under way: whatever was sent before is handled
// when it returns, and so are the changes until then.
func (c *client) settle(sequence int32) {
	c.t.Helper()
	c.send(c.packet("block_dig").Int(1).Long(0).Byte(0).Int(sequence))
	for c.next("acknowledge_player_digging").Int() != sequence {
	}
}

// join connects to a server and goes into the world.
func (s *site) join(t testing.TB, name string) *client {
	t.Helper()
	c := s.dial(t)
	c.login(name)
	c.next("position")
	return c
}

func (s *site) dial(t testing.TB) *client {
	t.Helper()
	return newClient(t, s.connect(t.Context(), t))
}

func (s *site) connect(ctx context.Context, t testing.TB) net.Conn {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", s.address)
	must(t, err)
	return conn
}
