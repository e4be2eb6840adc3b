package memory_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/hosttest"
	"github.com/pharos-mcp/pharos/services/world/host/memory"
)

func newHost(t *testing.T) *memory.Host {
	t.Helper()
	pack, err := blocks.Load(blocks.Default)
	if err != nil {
		t.Fatal(err)
	}
	return memory.New(memory.Config{Pack: pack, Exists: func(c host.ChunkPos) bool { return c.X < 4 }})
}

// clause: W-11
func TestHost(t *testing.T) {
	t.Parallel()
	hosttest.Run(t, func(t *testing.T) hosttest.World {
		h := newHost(t)
		return hosttest.World{Host: h, Outside: h, Missing: host.ChunkPos{X: 4}}
	})
}

func TestOutside(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	var heard []host.Change
	defer h.Observe(changes{&heard})()
	chest, cow, plain := geom.Pos{X: 1, Y: 65}, geom.Pos{X: 2, Y: 65}, geom.Pos{X: 3, Y: 65}
	h.Put(chest, "minecraft:chest[facing=north,type=single,waterlogged=false]", "minecraft:chest")
	h.Spawn(cow, "minecraft:cow")
	h.Alter(plain, "minecraft:stone")
	if heard != nil {
		t.Errorf("changes that nobody sees are told: %v", heard)
	}
	around := geom.Box{Min: chest, Max: plain}
	got, err := h.Foreign(t.Context(), around)
	if err != nil {
		t.Fatal(err)
	}
	want := []host.Foreign{{Pos: chest, Kind: "block entity", ID: "minecraft:chest"}, {Pos: cow, Kind: "entity", ID: "minecraft:cow"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("Foreign (-want +got):\n%s", d)
	}

	player := host.Cause{Kind: host.ByPlayer, Player: uuid.UUID{1}}
	if err := h.Place(player, "minecraft:dirt", chest); err == nil {
		t.Error("a block is set where a chest is")
	}
	if err := h.Place(player, "minecraft:dirt", plain, cow); err != nil {
		t.Fatal(err)
	}
	wantChanges := []host.Change{
		{Pos: plain, Before: "minecraft:stone", After: "minecraft:dirt", Cause: player, Revision: 1},
		{Pos: cow, Before: "minecraft:air", After: "minecraft:dirt", Cause: player, Revision: 1},
	}
	if d := cmp.Diff(wantChanges, heard); d != "" {
		t.Errorf("changes (-want +got):\n%s", d)
	}
	h.Alter(cow, "somemod:block")
	if err := h.Place(player, "minecraft:dirt", cow); err == nil {
		t.Error("a block is set where one is that the version does not know")
	}
	h.Put(chest, "minecraft:air", "")
	if err := h.Place(player, "minecraft:dirt", chest); err != nil {
		t.Errorf("a block where a chest was: %v", err)
	}

	h.MakeReadOnly("the test says so")
	if err := h.Place(player, "minecraft:stone", plain); !errors.Is(err, host.ErrReadOnly) {
		t.Errorf("an edit of a world to be read only: %v", err)
	}
	h.MakeReadOnly("")
	if err := h.Place(player, "minecraft:stone", plain); err != nil {
		t.Error(err)
	}
}

func TestSaid(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	id := uuid.UUID{1}
	if err := h.Enter(host.Player{ID: id, Name: "Ada"}); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"one", "two"} {
		if err := h.Say(t.Context(), id, text); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff([]string{"one", "two"}, h.Said(id)); d != "" {
		t.Errorf("Said (-want +got):\n%s", d)
	}
}

// changes is an observer of blocks alone.
type changes struct{ to *[]host.Change }

func (c changes) OnBlocks(all []host.Change) { *c.to = append(*c.to, all...) }
func (c changes) OnChat(host.Player, string) {}
func (c changes) OnJoin(host.Player)         {}
func (c changes) OnQuit(host.Player)         {}
