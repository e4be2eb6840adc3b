package java_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/memory"
	"github.com/pharos-mcp/pharos/services/world/java"
	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

// crowd opens connections that all do the same, and returns when all have ended
// or stop is closed.
func (s *site) crowd(t *testing.T, n int, do func(net.Conn)) {
	t.Helper()
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			conn, err := net.Dial("tcp", s.address)
			if err != nil {
				return // the server may be busy
			}
			defer conn.Close()
			_ = conn.SetDeadline(time.Now().Add(patience))
			do(conn)
			_, _ = io.Copy(io.Discard, conn)
		})
	}
	all.Wait()
}

// frame is bytes as a packet of those who are not in yet.
func frame(p *wire.Packet) []byte {
	var b bytes.Buffer
	_ = wire.NewConn(nil, &b).Write(p)
	return b.Bytes()
}

func handshake(next int32) []byte {
	return frame(wire.NewPacket(0).Int(764).String("localhost").Short(1).Int(next))
}

// TestHostile: whatever 200 connections at once do that have no place in the
// world, a player who is in plays on, another comes in meanwhile, and no memory
// and no goroutine is left of them.
func TestHostile(t *testing.T) {
	const many = 200
	for name, do := range map[string]func(net.Conn){
		"say nothing":        func(net.Conn) {},
		"stop in the middle": func(c net.Conn) { _, _ = c.Write(handshake(2)[:5]) },
		"promise a lot":      func(c net.Conn) { _, _ = c.Write([]byte{0xff, 0xff, 0x03, 0}) },
		"promise too much":   func(c net.Conn) { _, _ = c.Write([]byte{0xff, 0xff, 0x7f, 0}) },
		"send noise": func(c net.Conn) {
			noise := make([]byte, 1<<16)
			for i := range noise {
				noise[i] = byte(rand.Uint32())
			}
			_, _ = c.Write(noise)
		},
		"ask for the status again and again": func(c net.Conn) {
			_, _ = c.Write(handshake(1))
			_, _ = c.Write(bytes.Repeat(frame(wire.NewPacket(0)), 1000))
		},
		"log in and read nothing": func(c net.Conn) {
			name := fmt.Sprint("x", rand.Uint32())
			_, _ = c.Write(append(handshake(2), frame(wire.NewPacket(0).String(name).Raw(make([]byte, 16)))...))
		},
		"log in under a name that is in": func(c net.Conn) {
			_, _ = c.Write(append(handshake(2), frame(wire.NewPacket(0).String("honest").Raw(make([]byte, 16)))...))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, java.Config{View: 2, Players: 40, Visitors: 100, Greeting: 2 * time.Second}, java.Options{})
			honest := s.join(t, "honest").whole()
			calm := roundTrip(honest, 1)
			var before, during runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			routines := runtime.NumGoroutine()
			over := make(chan struct{})
			go func() {
				defer close(over)
				s.crowd(t, many, do)
			}()
			worst, most := time.Duration(0), 0
			begin := time.Now()
			s.join(t, "late").whole()
			came := time.Since(begin)
			for n, busy := int32(2), true; busy; n++ {
				select {
				case <-over:
					busy = false
				default:
				}
				worst = max(worst, roundTrip(honest, n))
				most = max(most, runtime.NumGoroutine())
			}
			runtime.ReadMemStats(&during)
			until(t, "the goroutines end", func() bool { return runtime.NumGoroutine() <= routines+6 })
			grown := int64(during.HeapInuse) - int64(before.HeapInuse)
			t.Logf("an honest round trip takes %v, %v at worst; coming in %v; %d goroutines; %d KiB more heap",
				calm, worst, came, most, grown>>10)
			if worst > 2*time.Second || came > 5*time.Second {
				t.Errorf("an honest player waits %v, and %v to come in", worst, came)
			}
			if most > routines+3*many || grown > 64<<20 {
				t.Errorf("%d goroutines and %d more bytes", most, grown)
			}
		})
	}
}

// roundTrip is how long the server takes to answer a player.
func roundTrip(c *client, sequence int32) time.Duration {
	begin := time.Now()
	c.settle(sequence)
	return time.Since(begin)
}

// TestFloods: a player who sends without an end as much as goes, and reads
// nothing, is sent away, and another does not notice.
func TestFloods(t *testing.T) {
	t.Parallel()
	slot := func(c *client) *wire.Packet {
		item := c.packet("set_creative_slot").Short(36).Bool(true).Int(1).Byte(1).Byte(10).Byte(7).Short(1).Byte('a')
		return item.Fixed(1 << 15).Raw(make([]byte, 1<<15)).Byte(0)
	}
	s := start(t, small, java.Options{})
	honest := s.join(t, "honest").whole()
	for name, packet := range map[string]func(c *client) *wire.Packet{
		"items": slot,
		"digs": func(c *client) *wire.Packet {
			return c.packet("block_dig").Int(0).Position(pos(1e6, 0, 0)).Byte(0).Int(1)
		},
		"chat": func(c *client) *wire.Packet { return c.packet("chat_message").String(strings.Repeat("x", 256)) },
	} {
		c := s.join(t, "flood")
		var all []byte
		for len(all) < 1<<16 {
			frame, err := c.out.Frame(packet(c))
			must(t, err)
			all = append(all, frame...)
		}
		worst, n := time.Duration(0), int32(0)
		for err := error(nil); err == nil; n++ {
			_, err = c.conn.Write(all)
			worst = max(worst, roundTrip(honest, n))
		}
		until(t, "the player is out", func() bool { return !s.inside(java.PlayerID("flood")) })
		t.Logf("%s: sent away after %d times 64 KiB; an honest round trip takes %v at worst", name, n, worst)
		if worst > 2*time.Second {
			t.Errorf("%s: an honest player waits %v", name, worst)
		}
	}
}

// tight is a listener whose connections hold little that is not read.
type tight struct{ net.Listener }

func (l tight) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		err = c.(*net.TCPConn).SetWriteBuffer(1 << 12)
	}
	return c, err
}

// TestSlowReader: who reads nothing while the world changes is sent away at the
// bound, not before, and soon.
func TestSlowReader(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	s := serve(t, memory.New(memory.Config{Pack: pack(t)}), tight{l}, small, java.Options{})
	c := s.join(t, "slow")
	must(t, c.conn.(*net.TCPConn).SetReadBuffer(1<<12))
	c.whole().settle(1)
	ada := java.PlayerID("slow")
	p, random := pack(t), rand.New(rand.NewPCG(3, 3)) // what is random cannot be packed
	box := geom.Box{Min: pos(0, 65, 0), Max: pos(15, 80, 15)}
	edits := 0
	for ; s.inside(ada) && edits < 1000; edits++ {
		_, err := s.world.Edit(t.Context(), byOther, box, func(w host.Writer) error {
			for at := range box.Positions() {
				state, _ := p.State(random.Int32N(int32(p.Count())))
				if err := w.Set(at, state); err != nil {
					return err
				}
			}
			return nil
		})
		must(t, err)
	}
	t.Logf("sent away within %d edits of 4,096 blocks", edits)
	if edits <= 16 {
		t.Error("the player is sent away before the bound")
	}
	until(t, "the player is out", func() bool { return !s.inside(ada) })
}

// TestKeepAlive: who answers stays, and who does not is told so and gone; so is
// who says nothing at all.
func TestKeepAlive(t *testing.T) {
	t.Parallel()
	s := start(t, java.Config{View: 2, Silence: 2 * time.Second}, java.Options{})
	answers, moves, mute := s.join(t, "answers"), s.join(t, "moves"), s.join(t, "mute")
	var ends sync.WaitGroup
	ends.Go(func() {
		if got := mute.end(); got != "Nothing was heard of you." {
			t.Errorf("who says nothing is told %q", got)
		}
	})
	ends.Go(func() {
		for {
			name, r, err := moves.read()
			if err != nil {
				t.Errorf("who does not answer is told nothing: %v", err)
				return
			}
			if name == "kick_disconnect" {
				moves.handle(name, r)
				break
			}
			if name == "entity_teleport" || name == "keep_alive" || name == "system_chat" {
				_ = moves.out.Write(moves.packet("flying").Bool(true))
			}
		}
		if got := moves.said[len(moves.said)-1]; got != "Nothing was heard of you." {
			t.Errorf("who does not answer is told %q", got)
		}
	})
	gone := make(chan struct{})
	go func() { ends.Wait(); close(gone) }()
	for n := int32(0); ; n++ {
		answers.send(answers.packet("look").Float(float32(n)).Float(0).Bool(true))
		answers.next("keep_alive")
		answers.settle(n)
		select {
		case <-gone:
			answers.settle(n)
			return
		default:
		}
	}
}
