package asset_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/asset"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/schem"
)

const stairs = "minecraft:oak_stairs[facing=east,half=top,shape=straight,waterlogged=false]"

// clause: W-30, W-31, W-32
func TestExport(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Alter(geom.Pos{X: 2, Y: 65, Z: 6}, stairs)
	player := host.Player{ID: uuid.New(), Name: "alex", Feet: [3]float64{2.5, 65, 7.5}}
	if err := w.Enter(player); err != nil {
		t.Fatal(err)
	}
	origin := geom.Pos{X: 2, Y: 60, Z: 9}
	got, err := w.export("My House", func(e *asset.Export) { e.Origin = &origin })
	if err != nil {
		t.Fatal(err)
	}
	want := asset.Asset{
		ID: "my-house", Name: "My House", Width: 3, Height: 2, Length: 4, BlockCount: 13, DataVersion: 3578,
		Offset: geom.Pos{X: -1, Y: 4, Z: -4}, SHA256: got.SHA256, Bytes: got.Bytes,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("another asset (-want +got):\n%s", diff)
	}
	listed, err := w.List(t.Context(), "", options)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]asset.Asset{got}, listed); diff != "" {
		t.Errorf("the list has it differently (-exported +listed):\n%s", diff)
	}
	s, _, err := w.Read("my-house", options)
	if err != nil {
		t.Fatal(err)
	}
	// Placed where its origin was, it is the box again, air and all.
	placed, err := s.Place(origin, 0, pack(t))
	if err != nil {
		t.Fatal(err)
	}
	var there []geom.Placement
	err = w.View(t.Context(), box, func(r host.Reader) error {
		for p := range box.Positions() {
			there = append(there, geom.Placement{Pos: p, Block: r.At(p)})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(there, placed); diff != "" {
		t.Errorf("other blocks (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"my-house.schem"}, w.names(t)); diff != "" {
		t.Errorf("other files (-want +got):\n%s", diff)
	}
}

// clause: W-31
func TestExportRefuses(t *testing.T) {
	t.Parallel()
	far := geom.Pos{X: math.MaxInt32}
	for name, c := range map[string]struct {
		before func(*world)
		change func(*asset.Export)
		code   fault.Code
		says   string
	}{
		"a name that does not print": {
			change: func(e *asset.Export) { e.Name = "a\n" }, code: fault.Invalid, says: "printable",
		},
		"a box that leaves the area": {
			change: func(e *asset.Export) { e.Box.Max.X = 101 }, code: asset.OutOfBounds, says: "from 1 64 5 to 101 65 8",
		},
		"a box over the project's limit": {
			change: func(e *asset.Export) { e.MaxBlocks = 23 }, code: asset.TooMany, says: "24 positions, at most 23",
		},
		"a box over the format's limit": {
			change: func(e *asset.Export) {
				e.Box, e.MaxBlocks = geom.NewBox(geom.Pos{Y: 100}, geom.Pos{X: 16, Y: 115, Z: 15}), 1_000_000
			},
			code: asset.TooMany, says: "4352 positions, at most 4096",
		},
		"an origin beyond reach": {
			change: func(e *asset.Export) { e.Origin, e.Box.Min.X = &far, -90 }, code: fault.Invalid, says: "origin",
		},
		"a chest": {
			before: func(w *world) {
				w.Put(geom.Pos{X: 3, Y: 65, Z: 8}, "minecraft:chest[facing=north,type=single,waterlogged=false]", "minecraft:chest")
			},
			code: asset.UnsupportedBlock, says: "1 blocks in the box cannot be exported, e.g. at 3 65 8: minecraft:chest[facing=north",
		},
		"a block entity where a block of ours stands": {
			before: func(w *world) { w.Put(geom.Pos{X: 3, Y: 65, Z: 8}, "minecraft:stone", "minecraft:sign") },
			code:   asset.UnsupportedBlock, says: "at 3 65 8: minecraft:stone (block entity minecraft:sign)",
		},
		"blocks that a plan cannot place": {
			before: func(w *world) {
				w.Alter(geom.Pos{X: 1, Y: 65, Z: 5}, "minecraft:water[level=0]")
				w.Alter(geom.Pos{X: 2, Y: 65, Z: 5}, "minecraft:sand")
			},
			code: asset.UnsupportedBlock, says: "2 blocks in the box cannot be exported, e.g. at 1 65 5: minecraft:water[level=0]",
		},
		"an entity": {
			before: func(w *world) { w.Spawn(geom.Pos{X: 2, Y: 65, Z: 7}, "minecraft:cow") },
			code:   asset.UnsupportedBlock, says: "1 entities in the box cannot be exported, e.g. at 2 65 7: minecraft:cow",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if c.before != nil {
				c.before(w)
			}
			if c.change == nil {
				c.change = func(*asset.Export) {}
			}
			_, err := w.export("house", c.change)
			w.refused(t, err, c.code, c.says)
			if got := w.names(t); len(got) > 0 {
				t.Errorf("it left %q", got)
			}
		})
	}
}

// clause: W-31
func TestExportAtItsBounds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	near := geom.Pos{X: math.MaxInt32 - 100}
	for name, change := range map[string]func(*asset.Export){
		"the project's limit": func(e *asset.Export) { e.MaxBlocks = 24 },
		"the format's limit":  func(e *asset.Export) { e.Box = geom.NewBox(geom.Pos{Y: 100}, geom.Pos{X: 15, Y: 115, Z: 15}) },
		"the whole area":      func(e *asset.Export) { e.Area = e.Box },
		"an origin in reach": func(e *asset.Export) {
			e.Origin, e.Box = &near, geom.NewBox(geom.Pos{X: -100, Y: 70}, geom.Pos{X: -100, Y: 70})
		},
	} {
		if _, err := w.export(name, change); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// clause: W-31
func TestExportOverwritesNothing(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"house.schem", "House.schem", "HOUSE.SCHEM"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.put(t, name, []byte("the owner's"))
			_, err := w.export("House")
			w.refused(t, err, asset.Exists, "choose another name")
			if got, err := os.ReadFile(filepath.Join(w.path, name)); err != nil || string(got) != "the owner's" {
				t.Errorf("the file has %q, %v", got, err)
			}
			if got := w.names(t); len(got) != 1 {
				t.Errorf("it left %q", got)
			}
		})
	}
	t.Run("a link", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		if err := os.Symlink("elsewhere", filepath.Join(w.path, "house.schem")); err != nil {
			t.Fatal(err)
		}
		_, err := w.export("House")
		w.refused(t, err, asset.Exists)
		if !w.absent("elsewhere") {
			t.Error("it wrote through the link")
		}
	})
}

// clause: W-30, W-31
func TestExportsTogetherStayWithinTheBound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const room, callers = 4, 12
	for i := range asset.MaxFiles - room {
		w.put(t, fmt.Sprintf("s%02d.schem", i), stone(t, ""))
	}
	var ready sync.WaitGroup
	ready.Add(callers)
	results := make(chan error, callers)
	for i := range callers {
		go func() {
			_, err := w.Export(t.Context(), meeting{w.Host, &ready}, asset.Export{
				Name: fmt.Sprint("house ", i), Box: box, Area: area, MaxBlocks: 4096, Options: options,
			})
			results <- err
		}()
	}
	won := 0
	for range callers {
		if err := <-results; err == nil {
			won++
		} else {
			w.refused(t, err, asset.TooMany)
		}
	}
	if won != room {
		t.Errorf("%d exports won, there was room for %d", won, room)
	}
}

// meeting is a host of which all readers wait for each other, so that each has
// seen the folder before any file is added.
type meeting struct {
	host.Host
	all *sync.WaitGroup
}

func (m meeting) View(ctx context.Context, box geom.Box, f func(host.Reader) error) error {
	m.all.Done()
	m.all.Wait()
	return m.Host.View(ctx, box, f)
}

// clause: W-31
func TestOneOfManyExportsWins(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const callers = 16
	results := make(chan error, callers)
	for i := range callers {
		go func() {
			name := "house"
			if i%2 == 1 {
				name = strings.ToUpper(name)
			}
			_, err := w.export(name)
			results <- err
		}()
	}
	won := 0
	for range callers {
		if err := <-results; err == nil {
			won++
		} else {
			w.refused(t, err, asset.Exists)
		}
	}
	if got := w.names(t); won != 1 || len(got) != 1 {
		t.Errorf("%d exports won, and the files are %q", won, got)
	}
	if _, err := w.List(t.Context(), "", schem.Options{Policy: options.Policy}); err != nil {
		t.Error(err)
	}
}
