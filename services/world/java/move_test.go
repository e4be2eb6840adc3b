package java_test

import (
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/java"
	"github.com/pharos-mcp/pharos/services/world/java/wire"
)

// TestMove: a player is where the client says, once the client has confirmed
// where it was put, and within the world; others see it.
func TestMove(t *testing.T) {
	t.Parallel()
	s := start(t, small, java.Options{})
	watcher := s.join(t, "watcher")
	c := s.dial(t)
	c.login("Ada")
	feet := func() [3]float64 {
		c.settle(1)
		p, _ := s.world.Player(java.PlayerID("Ada"))
		return p.Feet
	}
	to := func(x, y, z float64) {
		c.send(c.packet("position_look").Double(x).Double(y).Double(z).Float(90).Float(-30).Bool(true))
	}
	to(1, 2, 3)
	for { // not what a client does with its first position
		name, r, err := c.read()
		must(t, err)
		if name == "position" {
			c.send(c.packet("teleport_confirm").Int(77))
			to(1, 2, 3)
			c.handle(name, r)
			break
		}
	}
	spawn := [3]float64{8.5, 65, 8.5}
	if got := feet(); got != spawn {
		t.Errorf("a player moves to %v before it is where it was put", got)
	}
	to(10.5, 70, -3.25)
	if got := feet(); got != [3]float64{10.5, 70, -3.25} {
		t.Errorf("a player is at %v", got)
	}
	p, _ := s.world.Player(java.PlayerID("Ada"))
	if p.Yaw != 90 || p.Pitch != -30 {
		t.Errorf("a player looks %v, %v", p.Yaw, p.Pitch)
	}
	r := watcher.next("entity_teleport")
	_ = r.Int()
	if got := [3]float64{r.Double(), r.Double(), r.Double()}; got != feet() || r.Byte() != 64 {
		t.Errorf("another sees the player at %v", got)
	}
	for _, test := range []struct {
		to, want [3]float64
	}{
		{[3]float64{29999984, 20000000, -29999984}, [3]float64{29999984, 20000000, -29999984}},
		{[3]float64{29999985, 65, 0}, [3]float64{29999984, 20000000, -29999984}},
		{[3]float64{0, -20000001, 0}, [3]float64{29999984, 20000000, -29999984}},
		{[3]float64{0, 65, -29999985}, [3]float64{29999984, 20000000, -29999984}},
		{spawn, spawn},
	} {
		to(test.to[0], test.to[1], test.to[2])
		if d := cmp.Diff(test.want, feet()); d != "" {
			t.Errorf("to %v (-want +got):\n%s", test.to, d)
		}
	}
}

// TestUnreadable: what no client sends ends the connection, and the client is
// told so. What is just within a bound does not.
func TestUnreadable(t *testing.T) {
	t.Parallel()
	s := start(t, small, java.Options{})
	for name, test := range map[string]struct {
		make func(c *client) *wire.Packet
		ok   bool
	}{
		"nowhere": {func(c *client) *wire.Packet {
			return stands(c, math.NaN())
		}, false},
		"everywhere":     {func(c *client) *wire.Packet { return looks(c, math.Inf(1)) }, false},
		"cut off":        {func(c *client) *wire.Packet { return c.packet("position").Double(0) }, false},
		"too long":       {func(c *client) *wire.Packet { return c.packet("flying").Bool(true).Byte(0) }, false},
		"no such packet": {func(*client) *wire.Packet { return wire.NewPacket(100) }, false},
		"minus one":      {func(*client) *wire.Packet { return wire.NewPacket(-1) }, false},
		"hand -1":        {func(c *client) *wire.Packet { return c.packet("held_item_slot").Short(-1) }, false},
		"hand 0":         {func(c *client) *wire.Packet { return c.packet("held_item_slot").Short(0) }, true},
		"hand 8":         {func(c *client) *wire.Packet { return c.packet("held_item_slot").Short(8) }, true},
		"hand 9":         {func(c *client) *wire.Packet { return c.packet("held_item_slot").Short(9) }, false},
		"dig before 0":   {func(c *client) *wire.Packet { return c.packet("block_dig").Int(1).Long(0).Byte(0).Int(-1) }, false},
		"dig how":        {func(c *client) *wire.Packet { return c.packet("block_dig").Int(7).Long(0).Byte(0).Int(1) }, false},
		"face 6":         {func(c *client) *wire.Packet { return put(c, 0, 6, 1) }, false},
		"face 5":         {func(c *client) *wire.Packet { return put(c, 0, 5, 1) }, true},
		"place before 0": {func(c *client) *wire.Packet { return put(c, 0, 0, -1) }, false},
		"hand 2":         {func(c *client) *wire.Packet { return put(c, 2, 0, 1) }, false},
		"an item's bytes": {func(c *client) *wire.Packet {
			return c.packet("set_creative_slot").Short(36).Bool(true).Int(1).Byte(1).Byte(1)
		}, false},
		"an item with": {func(c *client) *wire.Packet {
			return c.packet("set_creative_slot").Short(36).Bool(true).Int(1).Byte(1).Byte(10).Byte(0)
		}, true},
		"deep":           {func(c *client) *wire.Packet { return deep(c, 40) }, false},
		"less deep":      {func(c *client) *wire.Packet { return deep(c, 30) }, true},
		"language":       {func(c *client) *wire.Packet { return settings(c, 17) }, false},
		"short language": {func(c *client) *wire.Packet { return settings(c, 16) }, true},
		"the longest":    {func(c *client) *wire.Packet { return payload(c, wire.MaxPacket-1) }, true},
		"longer":         {func(c *client) *wire.Packet { return payload(c, wire.MaxPacket) }, false},
	} {
		c := s.join(t, "Ada")
		c.send(test.make(c))
		if test.ok {
			c.settle(7)
		} else if got := c.end(); !strings.Contains(got, "cannot be read") && name != "longer" {
			t.Errorf("%s: the client is told %q", name, got)
		}
	}
}

// TestLastWords: a client that goes on sending reads why it is sent away, in the
// world and before: the connection is not reset, which loses words on some systems.
func TestLastWords(t *testing.T) {
	t.Parallel()
	s := start(t, small, java.Options{})
	c := s.join(t, "Ada")
	all, err := c.out.Frame(wire.NewPacket(100))
	must(t, err)
	_, err = c.conn.Write(append(all, make([]byte, 1<<18)...))
	must(t, err)
	if got := c.end(); !strings.Contains(got, "cannot be read") || c.broke != io.EOF {
		t.Errorf("a player is told %q; the end is %v", got, c.broke)
	}
	c = s.dial(t)
	c.state = "login"
	_, err = c.conn.Write(append(frame(wire.NewPacket(0).Int(1).String("").Short(1).Int(2)), make([]byte, 1<<18)...))
	must(t, err)
	if got := c.end(); !strings.Contains(got, "protocol 764") || c.broke != io.EOF {
		t.Errorf("a visitor is told %q; the end is %v", got, c.broke)
	}
}

func put(c *client, hand, face, sequence int32) *wire.Packet {
	return c.packet("block_place").Int(hand).Long(0).Int(face).Float(0).Float(0).Float(0).Bool(false).Int(sequence)
}

func settings(c *client, language int) *wire.Packet {
	p := c.packet("settings").String(strings.Repeat("x", language))
	return p.Byte(2).Int(0).Bool(true).Byte(0).Int(1).Bool(false).Bool(true)
}

func looks(c *client, yaw float64) *wire.Packet {
	return c.packet("look").Float(float32(yaw)).Float(0).Bool(true)
}

func payload(c *client, size int) *wire.Packet {
	return c.packet("custom_payload").Raw(make([]byte, size))
}

func stands(c *client, x float64) *wire.Packet {
	return c.packet("position").Double(x).Double(0).Double(0).Bool(true)
}

// item is one without what may follow.
func item(c *client) *wire.Packet {
	return c.packet("set_creative_slot").Short(36).Bool(true).Int(1).Byte(1)
}

// deep is an item with compounds in each other.
func deep(c *client, depth int) *wire.Packet {
	p := item(c).Byte(10)
	for range depth {
		p.Byte(10).Short(1).Byte('a')
	}
	return p.Raw(make([]byte, depth+1))
}
