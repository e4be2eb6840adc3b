package main

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/pharos-mcp/pharos/services/world/java/protocol"
	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

// onlooker is a player who sees blocks change.
type onlooker struct {
	conn   net.Conn
	in     *bufio.Reader
	out    *wire.Conn
	table  *protocol.Table
	state  string
	packed bool

	chunks  chan struct{} // gets one for each batch of chunks that was shown
	changes chan int      // gets how many blocks changed at once; closed when the onlooker is gone
	failed  error         // why, once changes is closed
}

// look goes into the world behind an address, and reads until it is closed.
func look(ctx context.Context, address string) (*onlooker, error) {
	table, err := protocol.Load("1.20.2")
	if err != nil {
		return nil, err
	}
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	o := &onlooker{
		conn: conn, in: bufio.NewReader(conn), out: wire.NewConn(nil, conn), table: table, state: "login",
		chunks: make(chan struct{}, 1024), changes: make(chan int, 1024),
	}
	err = errors.Join(
		o.out.Write(wire.NewPacket(0).Int(764).String("localhost").Short(25565).Int(2)),
		o.send("login_start", func(p *wire.Packet) { p.String("Ada").Raw(make([]byte, 16)) }),
	)
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	go func() {
		defer close(o.changes)
		for o.failed == nil {
			o.failed = o.next()
		}
	}()
	return o, nil
}

func (o *onlooker) close() { _ = o.conn.Close() }

// send writes a packet of the present state.
func (o *onlooker) send(name string, fill func(*wire.Packet)) error {
	for n := range int32(128) {
		if o.table.FromClient(o.state, n) == name {
			p := wire.NewPacket(n)
			fill(p)
			return o.out.Write(p)
		}
	}
	return fmt.Errorf("there is no packet %s in %s", name, o.state)
}

func nothing(*wire.Packet) {}

// next reads a packet and does what a client does about it.
func (o *onlooker) next() error {
	r, err := o.read()
	if err != nil {
		return err
	}
	number := r.Int()
	is := func(name string) bool { return number == o.table.ToClient(o.state, name) }
	switch {
	case o.state == "login" && is("compress"):
		o.out.Compress(int(r.Int()))
		o.packed = true
	case o.state == "login" && is("success"):
		err = o.send("login_acknowledged", nothing)
		o.state = "configuration"
	case o.state == "configuration" && is("finish_configuration"):
		err = o.send("finish_configuration", nothing)
		o.state = "play"
	case o.state != "play":
	case is("keep_alive"):
		err = o.send("keep_alive", func(p *wire.Packet) { p.Long(r.Long()) })
	case is("position"):
		r.Bytes(3*8 + 2*4 + 1)
		err = o.send("teleport_confirm", func(p *wire.Packet) { p.Int(r.Int()) })
	case is("chunk_batch_finished"):
		err = o.send("chunk_batch_received", func(p *wire.Packet) { p.Float(64) })
		o.chunks <- struct{}{}
	case is("multi_block_change"):
		r.Long()
		o.changes <- int(r.Int())
	case is("kick_disconnect"):
		err = errors.New("sent away: " + r.String(1<<15))
	}
	return errors.Join(err, r.Err())
}

// read is the next packet, which may be larger than any that a client sends.
func (o *onlooker) read() (*wire.Reader, error) {
	size, err := binary.ReadUvarint(o.in)
	if err != nil || size > 2<<20 {
		return nil, errors.Join(err, fmt.Errorf("a packet of %d bytes", size))
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(o.in, body); err != nil {
		return nil, err
	}
	if o.packed {
		whole, n := binary.Uvarint(body)
		if body = body[n:]; whole > 0 {
			z, err := zlib.NewReader(bytes.NewReader(body))
			if err != nil {
				return nil, err
			}
			if body, err = io.ReadAll(z); err != nil {
				return nil, err
			}
		}
	}
	return wire.NewReader(body), nil
}

// await returns when so many blocks have changed.
func (o *onlooker) await(ctx context.Context, blocks int) error {
	for blocks > 0 {
		select {
		case n, ok := <-o.changes:
			if !ok {
				return o.failed
			}
			blocks -= n
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
