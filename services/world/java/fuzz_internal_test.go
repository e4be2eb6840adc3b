package java

import (
	"bytes"
	"context"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

// FuzzPlay: no two packets of a player make the server panic, put the player
// where there is no world, or have more wait for the client than the bound.
func FuzzPlay(f *testing.F) {
	p := newTestPlayer(f)
	p.server.options.Ask = func(context.Context, host.Player, string) string { return "yes" }
	for n := range int32(60) {
		f.Add(n, []byte{}, int32(52))
		f.Add(n, bytes.Repeat([]byte{1}, 40), n)
	}
	for name, p := range map[int32]*wire.Packet{
		22: new(wire.Packet).Double(8).Double(65).Double(8).Bool(true),
		23: new(wire.Packet).Double(-3e7).Double(65).Double(8).Float(0).Float(90).Bool(true),
		32: new(wire.Packet).Int(0).Position(geom.Pos{X: 8, Y: 64, Z: 8}).Byte(1).Int(1),
		52: new(wire.Packet).Int(0).Position(geom.Pos{X: 8, Y: 64, Z: 8}).Int(1).Float(0).Float(0).Float(0).Bool(false).Int(1),
		9:  new(wire.Packet).String("en_us").Byte(2).Int(0).Bool(true).Byte(0).Int(1).Bool(false).Bool(true),
		5:  new(wire.Packet).String("hello"),
		4:  new(wire.Packet).String("ai build"),
		46: new(wire.Packet).Short(36).Bool(true).Int(1).Byte(1).Byte(10).Byte(8).Short(1).Byte('a').Short(1).Byte('b').Byte(0),
		43: new(wire.Packet).Short(1),
		20: new(wire.Packet).Long(1),
		7:  new(wire.Packet).Float(1),
	} {
		f.Add(name, []byte(*p), int32(52))
	}
	f.Fuzz(func(t *testing.T, first int32, body []byte, second int32) {
		p.outbox = newOutbox(p)
		p.hotbar[p.held] = "oak_door"
		for _, number := range []int32{first, second} {
			_ = p.take(t.Context(), p.server.table.FromClient("play", number), wire.NewReader(body))
		}
		for _, v := range p.at().feet {
			if v != v || v > widest || v < -widest {
				t.Errorf("the player is at %v", p.at().feet)
			}
		}
		if p.outbox.size > backlog || p.held > 8 {
			t.Errorf("%d bytes wait, place %d", p.outbox.size, p.held)
		}
	})
}
