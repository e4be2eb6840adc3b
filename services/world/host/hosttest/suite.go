// Package hosttest is what every host has to hold: one suite, run over each.
package hosttest

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
)

// World is a host to be tried, and what the suite has to know of it: the chunks
// (-1, -1) to (0, 0) are there and flat as host.Flat has it.
type World struct {
	Host    host.Host
	Outside Outside
	Missing host.ChunkPos // a chunk that does not exist
	// Reopen closes the host and opens the world again; nil where a host forgets.
	Reopen func(*testing.T) host.Host
}

// Outside is how players come and go.
type Outside interface {
	Join(p host.Player, show func(text string) error) error
	Quit(uuid.UUID)
	Chat(id uuid.UUID, text string)
}

// Run runs the suite. Each of its tests has a world of its own.
func Run(t *testing.T, open func(*testing.T) World) {
	t.Helper()
	for _, test := range []struct {
		name string
		run  func(*testing.T, World)
	}{
		{"view", testView},
		{"outside the box", testOutsideBox},
		{"use after the end", testUseAfterEnd},
		{"edit", testEdit},
		{"set refuses", testSetRefuses},
		{"an error takes back", testError},
		{"a panic takes back", testPanic},
		{"edits are alone", testAlone},
		{"views are consistent", testConsistent},
		{"observers hear in order", testOrder},
		{"a change is told once", testNet},
		{"players", testPlayers},
		{"foreign players", testForeignPlayers},
		{"not generated", testNotGenerated},
		{"too many chunks", testTooManyChunks},
		{"heights", testHeights},
		{"column", testColumn},
		{"flush", testFlush},
		{"cancelled", testCancelled},
		{"close", testClose},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(t, open(t))
		})
	}
}

// The states that the suite works with.
const (
	air   = "minecraft:air"
	stone = "minecraft:stone"
	dirt  = "minecraft:dirt"
	log   = "minecraft:oak_log[axis=x]"
)

// above is the first layer above the grass.
const above = host.Surface + 1

var errStop = errors.New("stop")

func pos(x, y, z int32) geom.Pos { return geom.Pos{X: x, Y: y, Z: z} }

func box(a, b geom.Pos) geom.Box { return geom.NewBox(a, b) }

func one(p geom.Pos) geom.Box { return geom.Box{Min: p, Max: p} }

// set is an edit of one operation that puts a state at each position.
func set(h host.Host, t *testing.T, state string, at ...geom.Pos) uint64 {
	t.Helper()
	around := one(at[0])
	for _, p := range at {
		around = around.Union(one(p))
	}
	revision, err := h.Edit(t.Context(), host.Cause{Kind: host.ByOther}, around, func(w host.Writer) error {
		for _, p := range at {
			if err := w.Set(p, state); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return revision
}

// read is the state of one position.
func read(h host.Host, t *testing.T, p geom.Pos) (state string) {
	t.Helper()
	err := h.View(t.Context(), one(p), func(r host.Reader) error {
		state = r.At(p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return state
}

func revision(h host.Host, t *testing.T) (revision uint64) {
	t.Helper()
	err := h.View(t.Context(), one(pos(0, 0, 0)), func(r host.Reader) error {
		revision = r.Revision()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return revision
}

func equal(t *testing.T, what string, got, want any) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

// recorder is an observer that remembers.
type recorder struct {
	changes []host.Change
	calls   [][]host.Change
	events  []string
}

func (r *recorder) OnBlocks(c []host.Change) {
	r.changes = append(r.changes, c...)
	r.calls = append(r.calls, c)
}
func (r *recorder) OnChat(p host.Player, text string) { r.events = append(r.events, p.Name+": "+text) }
func (r *recorder) OnJoin(p host.Player)              { r.events = append(r.events, p.Name+" joins") }
func (r *recorder) OnQuit(p host.Player)              { r.events = append(r.events, p.Name+" quits") }
