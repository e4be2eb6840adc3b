package snapshot_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/camera/snapshot"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/memory"
)

func pack(t testing.TB) *blocks.Pack {
	t.Helper()
	p, err := blocks.Load(blocks.Default)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// plain is a flat world of the chunks from -2 to 2, with a tower.
func plain(t testing.TB) *memory.Host {
	t.Helper()
	w := memory.New(memory.Config{Pack: pack(t), Exists: func(c host.ChunkPos) bool { return c.X >= -2 && c.X <= 2 && c.Z >= -2 && c.Z <= 2 }})
	box := geom.Box{Min: geom.Pos{X: 5, Y: 65, Z: 6}, Max: geom.Pos{X: 5, Y: 90, Z: 6}}
	_, err := w.Edit(t.Context(), host.Cause{Kind: host.ByOther}, box, func(e host.Writer) error {
		for p := range box.Positions() {
			if err := e.Set(p, "minecraft:stone"); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func at(s *snapshot.Snapshot, p geom.Pos) string {
	x, _, z := s.Box.Size()
	q := p.Sub(s.Box.Min)
	cell := s.Cells[(int64(q.Y)*z+int64(q.Z))*x+int64(q.X)]
	if cell == snapshot.Unknown {
		return "?"
	}
	return s.Palette[cell]
}

// TestTake: a snapshot has what the world has, and knows what it does not know.
//
// clause: W-51, W-52
func TestTake(t *testing.T) {
	t.Parallel()
	w := plain(t)
	s, err := snapshot.Take(t.Context(), w, geom.Pos{X: 3, Y: 70, Z: 4}, 50)
	if err != nil {
		t.Fatal(err)
	}
	if s.Revision != 1 || s.Box.Min.X != -47 || s.Box.Max.Z != 54 {
		t.Errorf("revision %d of the box %v", s.Revision, s.Box)
	}
	known := geom.Box{Min: geom.Pos{X: -32, Z: -32}, Max: geom.Pos{X: 47, Z: 47}}
	for p := range s.Box.Positions() {
		want := "?"
		if known.Contains(geom.Pos{X: p.X, Z: p.Z}) {
			want = host.Flat(p.Y)
			if p.X == 5 && p.Z == 6 && p.Y > 64 && p.Y <= 90 {
				want = "minecraft:stone"
			}
		}
		if got := at(s, p); got != want {
			t.Fatalf("at %s is %s, want %s", p, got, want)
		}
	}
	changed, err := s.With([]snapshot.Change{{Pos: geom.Pos{X: 3, Y: 120, Z: 4}, State: "minecraft:oak_planks"}, {Pos: geom.Pos{X: 5, Y: 65, Z: 6}, State: "minecraft:air"}})
	if err != nil {
		t.Fatal(err)
	}
	for p, want := range map[geom.Pos]string{
		{X: 3, Y: 120, Z: 4}: "minecraft:oak_planks", {X: 5, Y: 65, Z: 6}: "minecraft:air", {X: 5, Y: 66, Z: 6}: "minecraft:stone",
		{X: 3, Y: 119, Z: 4}: "minecraft:air", {X: -47, Y: 119, Z: 4}: "?",
	} {
		if got := at(changed, p); got != want {
			t.Errorf("with changes, at %s is %s, want %s", p, got, want)
		}
	}
	if at(s, geom.Pos{X: 5, Y: 65, Z: 6}) != "minecraft:stone" {
		t.Error("the changes went into the snapshot itself")
	}
}

// TestEncode: what is sent arrives, the unknown too.
func TestEncode(t *testing.T) {
	t.Parallel()
	s, err := snapshot.Take(t.Context(), plain(t), geom.Pos{X: 3, Y: 70, Z: 4}, 50)
	if err != nil {
		t.Fatal(err)
	}
	var sent bytes.Buffer
	if err := s.Encode(&sent); err != nil {
		t.Fatal(err)
	}
	size := sent.Len()
	got, err := snapshot.Decode(&sent)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(s, got); diff != "" {
		t.Error(diff)
	}
	if size > 100_000 {
		t.Errorf("a flat world is sent in %d bytes", size)
	}
}

// moving changes at each look: a block in its middle, one that is read first and
// one that is read last, and one above all others.
type moving struct{ *memory.Host }

var moved = []geom.Pos{{X: 0, Y: 70, Z: 0}, {X: -32, Y: 64, Z: -32}, {X: 31, Y: 66, Z: 31}, {X: 1, Y: 200, Z: 1}}

func (m *moving) Column(ctx context.Context, at host.ChunkPos) (*host.Column, error) {
	for _, p := range moved {
		_, err := m.Edit(ctx, host.Cause{Kind: host.ByOther}, geom.Box{Min: p, Max: p}, func(w host.Writer) error {
			if w.At(p) == "minecraft:glass" {
				return w.Set(p, "minecraft:stone")
			}
			return w.Set(p, "minecraft:glass")
		})
		if err != nil {
			return nil, err
		}
	}
	return m.Host.Column(ctx, at)
}

// TestOneRevision: a snapshot is of one revision, whatever changes while it is
// taken.
//
// clause: W-51
func TestOneRevision(t *testing.T) {
	t.Parallel()
	w := plain(t)
	s, err := snapshot.Take(t.Context(), &moving{w}, geom.Pos{Y: 70}, 40)
	if err != nil {
		t.Fatal(err)
	}
	after, err := snapshot.Take(t.Context(), w, geom.Pos{Y: 70}, 40) // nothing has changed since the last look
	if err != nil {
		t.Fatal(err)
	}
	if s.Revision != after.Revision || s.Revision < 1+4*16 {
		t.Errorf("revision %d, and %d when all is quiet", s.Revision, after.Revision)
	}
	for p := range after.Box.Positions() {
		got, want := "minecraft:air", at(after, p)
		if s.Box.Contains(p) {
			got = at(s, p)
		}
		if got != want && want != "?" {
			t.Fatalf("at %s is %s, want %s", p, got, want)
		}
	}
}

// TestHostile: what was not made by Encode is refused before it costs anything.
func TestHostile(t *testing.T) {
	t.Parallel()
	of := func(head string, cells ...uint64) []byte {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write(binary.AppendUvarint(nil, uint64(len(head))))
		_, _ = z.Write([]byte(head))
		for _, c := range cells {
			_, _ = z.Write(binary.AppendUvarint(nil, c))
		}
		_ = z.Close()
		return b.Bytes()
	}
	two := `{"min":{"X":0,"Y":0,"Z":0},"max":{"X":1,"Y":0,"Z":0},"palette":["minecraft:air"]}`
	if _, err := snapshot.Decode(bytes.NewReader(of(two, 0, 1, 1, 1))); err != nil {
		t.Errorf("a right one: %v", err)
	}
	for name, data := range map[string][]byte{
		"nothing": {}, "no gzip": []byte("hello"), "no header": of(""), "no JSON": of("{"),
		"too large a box":   of(`{"min":{"X":0,"Y":0,"Z":0},"max":{"X":100000,"Y":0,"Z":100000},"palette":["minecraft:air"]}`),
		"a box inside out":  of(`{"min":{"X":1,"Y":0,"Z":0},"max":{"X":0,"Y":0,"Z":0},"palette":["minecraft:air"]}`, 0, 2),
		"no air":            of(`{"min":{"X":0,"Y":0,"Z":0},"max":{"X":1,"Y":0,"Z":0},"palette":["minecraft:stone"]}`, 0, 2),
		"no palette":        of(`{"min":{"X":0,"Y":0,"Z":0},"max":{"X":1,"Y":0,"Z":0}}`, 0, 2),
		"too few cells":     of(two, 0, 1),
		"too many":          of(two, 0, 3),
		"a run of nothing":  of(two, 0, 0, 0, 2),
		"beyond palette":    of(two, 2, 2),
		"more than there":   of(two, 0, 2, 0, 1),
		"an endless number": of(two, 0, 1<<63),
	} {
		if _, err := snapshot.Decode(bytes.NewReader(data)); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}

// FuzzDecode: nothing makes the reader panic.
func FuzzDecode(f *testing.F) {
	f.Add([]byte("x"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write(data)
		_ = z.Close()
		_, _ = snapshot.Decode(&b)
	})
}

// TestScene: each block has its shape and colour, and air none.
func TestScene(t *testing.T) {
	t.Parallel()
	p := pack(t)
	for state, parts := range map[string]int{
		"minecraft:air": 0, "minecraft:stone": 1, "minecraft:oak_stairs[facing=east,half=bottom,shape=straight,waterlogged=false]": 2,
		"minecraft:oak_slab[type=top,waterlogged=false]": 1, "minecraft:poppy": 1, "minecraft:water[level=0]": 1,
	} {
		m := snapshot.Material(p, state)
		if len(m.Shape) != parts {
			t.Errorf("%s has %d parts, want %d", state, len(m.Shape), parts)
		}
		for _, c := range m.Shape {
			for i := range 3 {
				if c.Min[i] < 0 || c.Max[i] > 1 || c.Min[i] >= c.Max[i] {
					t.Errorf("%s has a part from %v to %v", state, c.Min, c.Max)
				}
			}
		}
	}
}
