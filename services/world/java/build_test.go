package java_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/java"
	"github.com/pharos-mcp/pharos/services/world/java/protocol"
)

// The faces of a block by their numbers.
const (
	bottom = 0
	top    = 1
	north  = 2
)

// take puts an item into the hand.
func (c *client) take(item string) {
	c.t.Helper()
	c.send(c.packet("set_creative_slot").Short(36).Bool(true).Int(itemID(c.t, table(c.t), item)).Byte(1).Byte(0))
	c.send(c.packet("held_item_slot").Short(0))
}

func itemID(t testing.TB, table *protocol.Table, item string) int32 {
	t.Helper()
	for n := range int32(2000) {
		if name, _ := table.Item(n); name == item {
			return n
		}
	}
	t.Fatalf("there is no item %s", item)
	return 0
}

// put places what is in the hand, and dig breaks; both wait until it is done.
func (c *client) put(against geom.Pos, face, sequence int32) {
	c.t.Helper()
	c.send(c.packet("block_place").Int(0).Position(against).Int(face).Float(0.5).Float(0.5).Float(0.5).Bool(false).Int(sequence))
	for c.next("acknowledge_player_digging").Int() != sequence {
	}
}

func (c *client) dig(at geom.Pos, sequence int32) {
	c.t.Helper()
	c.send(c.packet("block_dig").Int(0).Position(at).Byte(top).Int(sequence))
	for c.next("acknowledge_player_digging").Int() != sequence {
	}
}

// whole waits for all chunks of the smallest view.
func (c *client) whole() *client {
	c.t.Helper()
	for len(c.seen.chunks) < 25 {
		c.next("chunk_batch_finished")
	}
	c.seen.shown = nil
	return c
}

// heard is an observer that keeps the changes.
type heard struct{ changes []host.Change }

func (h *heard) OnBlocks(changes []host.Change) { h.changes = append(h.changes, changes...) }
func (h *heard) OnChat(host.Player, string)     {}
func (h *heard) OnJoin(host.Player)             {}
func (h *heard) OnQuit(host.Player)             {}

// TestPlaceAndBreak: what players do reaches observers one after the other, each
// with its player, and everybody sees it before its player is told that it is
// done.
//
// clause: W-18
func TestPlaceAndBreak(t *testing.T) {
	t.Parallel()
	s := start(t, small, java.Options{})
	var h heard
	defer s.world.Observe(&h)()
	a, b := s.join(t, "a").whole(), s.join(t, "b").whole()
	at := pos(9, 65, 8)
	a.take("stone")
	b.take("oak_planks")
	a.put(at.Add(pos(0, -1, 0)), top, 1) // A
	b.settle(2)
	must(t, s.world.Place(host.Cause{Kind: host.ByOperation, Operation: uuid.UUID{7}}, "minecraft:bricks", at))
	a.dig(at, 3)
	b.put(at.Add(pos(0, 0, 1)), north, 4) // against air: in its place
	b.put(at.Add(pos(0, -1, 0)), top, 5)
	a.dig(at, 6)
	a.put(at.Add(pos(0, -1, 0)), top, 7)
	b.settle(8)
	byA := host.Cause{Kind: host.ByPlayer, Player: java.PlayerID("a")}
	byB := host.Cause{Kind: host.ByPlayer, Player: java.PlayerID("b")}
	air, stone, planks := "minecraft:air", "minecraft:stone", "minecraft:oak_planks"
	want := []host.Change{
		{Pos: at, Before: air, After: stone, Cause: byA},
		{Pos: at, Before: stone, After: "minecraft:bricks", Cause: host.Cause{Kind: host.ByOperation, Operation: uuid.UUID{7}}},
		{Pos: at, Before: "minecraft:bricks", After: air, Cause: byA},
		{Pos: at.Add(pos(0, 0, 1)), Before: air, After: planks, Cause: byB},
		{Pos: at, Before: air, After: planks, Cause: byB},
		{Pos: at, Before: planks, After: air, Cause: byA},
		{Pos: at, Before: air, After: stone, Cause: byA},
	}
	var seen []shown
	for i := range want {
		want[i].Revision = uint64(i + 1)
		seen = append(seen, shown{want[i].Pos, id(t, want[i].After)})
	}
	if d := cmp.Diff(want, h.changes); d != "" {
		t.Errorf("changes (-want +got):\n%s", d)
	}
	for name, c := range map[string]*client{"a": a, "b": b} {
		if d := cmp.Diff(seen, c.seen.shown); d != "" {
			t.Errorf("%s saw (-want +got):\n%s", name, d)
		}
		if len(c.said) > 1 || len(c.said) == 1 && c.said[0] != "b came in." {
			t.Errorf("%s is told %q", name, c.said)
		}
	}
}

// TestDenied: what is refused changes nothing, and the client is told why and
// what really stands there before the action is acknowledged.
func TestDenied(t *testing.T) {
	t.Parallel()
	chest := pos(10, 65, 8)
	s := start(t, small, java.Options{
		May: func(_ context.Context, player uuid.UUID, action java.Action, at geom.Pos) error {
			if player != java.PlayerID("Ada") {
				return errors.New("somebody else asks")
			}
			if at.X == 6 && action == java.Break || at.X == 5 && action == java.Place {
				return errors.New("it is not yours")
			}
			return nil
		},
	})
	const full = "minecraft:chest[facing=north,type=single,waterlogged=false]"
	s.world.Put(chest, full, "minecraft:chest")
	c := s.join(t, "Ada").whole()
	s.world.Alter(pos(8, 67, 8), "minecraft:stone")
	s.world.Alter(pos(8, 69, 8), "minecraft:stone")
	sequence := int32(0)
	const grass, air = "minecraft:grass_block[snowy=false]", "minecraft:air"
	dig := func(at geom.Pos) func(int32) { return func(n int32) { c.dig(at, n) } }
	on := func(item string, at geom.Pos) func(int32) {
		return func(n int32) { c.take(item); c.put(at, top, n) }
	}
	for name, test := range map[string]struct {
		do   func(sequence int32)
		why  string
		at   geom.Pos
		want string
	}{
		"break without permission":  {dig(pos(6, 64, 8)), "not yours", pos(6, 64, 8), grass},
		"place without permission":  {on("stone", pos(5, 64, 8)), "not yours", pos(5, 65, 8), air},
		"break out of reach":        {dig(pos(8, 64, 15)), "out of reach", pos(8, 64, 15), grass},
		"place out of reach":        {on("stone", pos(8, 64, 15)), "out of reach", pos(8, 65, 15), air},
		"break a chest":             {dig(chest), "minecraft:chest", chest, full},
		"place where something is":  {on("stone", pos(8, 63, 8)), "something is there", pos(8, 64, 8), grass},
		"place a tool":              {on("stick", pos(8, 64, 9)), "no block", pos(8, 65, 9), air},
		"place a chest":             {on("chest", pos(8, 64, 9)), "more than its state", pos(8, 65, 9), air},
		"place a door below a roof": {on("oak_door", pos(8, 67, 8)), "something is there", pos(8, 68, 8), air},
	} {
		c.said, c.seen.shown = nil, nil
		sequence++
		test.do(sequence)
		if len(c.said) != 1 || !strings.Contains(c.said[0], test.why) {
			t.Errorf("%s: the player is told %q", name, c.said)
		}
		last := int32(-1)
		for _, shown := range c.seen.shown {
			if shown.Pos == test.at {
				last = shown.ID
			}
		}
		if last != id(t, test.want) || s.at(t, test.at) != test.want {
			t.Errorf("%s: the client shows %d, the world has %s", name, last, s.at(t, test.at))
		}
	}
}

// TestReach: the farthest block that a hand reaches breaks, the next does not.
func TestReach(t *testing.T) {
	t.Parallel()
	s := start(t, small, java.Options{})
	c := s.join(t, "Ada").whole()
	// The eye is at 8.5, 66.62, 8.5: 6.9² is 47.61, and 2.12² of it is below.
	for z, reached := range map[int32]bool{14: true, 15: false, 2: true, 1: false} {
		at := pos(8, 64, z)
		c.dig(at, z)
		if got := s.at(t, at) == "minecraft:air"; got != reached {
			t.Errorf("the block at %v breaks: %v", at, got)
		}
	}
}

// TestHalves: doors come and go whole; slabs become double.
func TestHalves(t *testing.T) {
	t.Parallel()
	s := start(t, small, java.Options{})
	c := s.join(t, "Ada").whole()
	low, high := pos(9, 65, 8), pos(9, 66, 8)
	c.take("oak_door")
	c.put(pos(9, 64, 8), top, 1)
	door := "minecraft:oak_door[facing=south,half=lower,hinge=left,open=false,powered=false]"
	if got := s.at(t, low); got != door {
		t.Errorf("below is %s", got)
	}
	if got, want := s.at(t, high), strings.Replace(door, "lower", "upper", 1); got != want {
		t.Errorf("above is %s", got)
	}
	c.dig(high, 2)
	if s.at(t, low) != "minecraft:air" || s.at(t, high) != "minecraft:air" {
		t.Errorf("half a door stays: %s, %s", s.at(t, low), s.at(t, high))
	}
	c.take("stone_slab")
	c.put(pos(9, 64, 8), top, 3)
	if got := s.at(t, low); got != "minecraft:stone_slab[type=bottom,waterlogged=false]" {
		t.Errorf("a slab is %s", got)
	}
	c.put(low, top, 4)
	if got := s.at(t, low); got != "minecraft:stone_slab[type=double,waterlogged=false]" {
		t.Errorf("two slabs are %s", got)
	}
	c.put(low, top, 5)
	if got := s.at(t, high); got != "minecraft:stone_slab[type=bottom,waterlogged=false]" {
		t.Errorf("the third slab is %s", got)
	}
	c.put(pos(9, 65, 9), bottom, 6) // into the air below a slab: another half
	if got := s.at(t, pos(9, 65, 9)); got != "minecraft:stone_slab[type=top,waterlogged=false]" {
		t.Errorf("a slab put against what is above is %s", got)
	}
}

// TestHands: only what is in the main hand is placed, and of digging only the
// beginning breaks.
func TestHands(t *testing.T) {
	t.Parallel()
	s := start(t, small, java.Options{})
	c := s.join(t, "Ada").whole()
	at := pos(9, 64, 8)
	c.put(at, top, 1) // nothing in the hand
	c.take("stone")
	c.send(c.packet("block_place").Int(1).Position(at).Int(top).Float(0).Float(0).Float(0).Bool(false).Int(2))
	c.send(c.packet("held_item_slot").Short(8))
	c.put(at, top, 3)
	for status := int32(1); status <= 6; status++ {
		c.send(c.packet("block_dig").Int(status).Position(at).Byte(1).Int(3 + status))
	}
	c.settle(10)
	grass := id(t, "minecraft:grass_block[snowy=false]")
	if d := cmp.Diff([]shown{{at, grass}}, c.seen.shown); d != "" { // once, after status 2
		t.Errorf("shown (-want +got):\n%s", d)
	}
	if s.at(t, at) == "minecraft:air" || len(c.said) > 0 {
		t.Errorf("the block is %s, the player is told %q", s.at(t, at), c.said)
	}
}

// TestNotThere: where the world ends nothing can be built, and the client is
// shown the air that is there.
func TestNotThere(t *testing.T) {
	t.Parallel()
	s := start(t, small, java.Options{})
	c := s.join(t, "Ada").whole()
	c.send(c.packet("position").Double(8.5).Double(320).Double(8.5).Bool(true))
	c.take("stone")
	s.world.Alter(pos(8, 319, 8), "minecraft:stone")
	c.send(c.packet("block_place").Int(0).Position(pos(8, 319, 8)).Int(top).Float(0).Float(0).Float(0).Bool(false).Int(1))
	if got := c.text(); !strings.Contains(got, "above or below") {
		t.Errorf("the player is told %q", got)
	}
}
