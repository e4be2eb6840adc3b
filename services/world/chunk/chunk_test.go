package chunk_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/chunk"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/nbt"
)

// The width of a cell is what the game derives from the palette; a read section
// and a written one of n states have it on both sides of each step.
func TestWidths(t *testing.T) {
	t.Parallel()
	all := distinct(t, 4096)
	for _, n := range []int{1, 2, 15, 16, 17, 32, 33, 64, 65, 128, 129, 256, 257, 512, 513, 1024, 1025, 2048, 2049, 4095, 4096} {
		root := rich(t)
		sectionTag(root, 0).Set("block_states", states(all[:n]...))
		c := parse(t, root)
		written := parse(t, rich(t))
		i := 0
		for p := range geom.NewBox(at(0, 0, 0), at(15, 15, 15)).Positions() {
			if got := c.At(p); got != all[i%n] {
				t.Fatalf("%d states, %v: %s, want %s", n, p, got, all[i%n])
			}
			must(t, written.Set(p, all[i%n]))
			i++
		}
		tag, _ := nbt.Get[*nbt.Compound](sectionTag(decode(t, written.Encode()), 0), "block_states")
		palette, _ := nbt.Get[nbt.List](tag, "palette")
		place := map[string]int{}
		for i, entry := range palette.Items {
			name, _ := nbt.Get[nbt.String](entry.(*nbt.Compound), "Name")
			properties, _ := nbt.Get[*nbt.Compound](entry.(*nbt.Compound), "Properties")
			place[string(name)+string(nbt.Encode("", orEmpty(properties)))] = i
		}
		if len(palette.Items) != n || len(place) != n {
			t.Fatalf("%d states: the palette has %d, %d of them distinct", n, len(palette.Items), len(place))
		}
		data, there := nbt.Get[nbt.LongArray](tag, "data")
		if there != (n > 1) || there && len(data) != len(longs(n, func(int) int { return 0 })) {
			t.Errorf("%d states: data is there %v, %d longs", n, there, len(data))
		}
		again := parse(t, decode(t, written.Encode()))
		for p := range geom.NewBox(at(0, 0, 0), at(15, 15, 15)).Positions() {
			if again.At(p) != c.At(p) {
				t.Fatalf("%d states, %v: written %s, want %s", n, p, again.At(p), c.At(p))
			}
		}
	}
}

func orEmpty(c *nbt.Compound) *nbt.Compound {
	if c == nil {
		return &nbt.Compound{}
	}
	return c
}

// Random sets and writings against a map: the model.
func TestModel(t *testing.T) {
	t.Parallel()
	all := distinct(t, 600)
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 5))
		c := parse(t, rich(t))
		var model []string // in the order of the box
		place := func(x, y, z int32) int { return int((y-chunk.MinY)<<8 | z<<4 | x) }
		box := geom.NewBox(at(0, chunk.MinY, 0), at(15, chunk.MaxY, 15))
		for p := range box.Positions() {
			model = append(model, c.At(p))
		}
		for range 20 {
			few := all[:1+r.IntN(len(all))]
			for range r.IntN(3000) {
				x, y, z := r.Int32N(16), chunk.MinY+r.Int32N(384), r.Int32N(16)
				p := at(x, y, z)
				s := few[r.IntN(len(few))]
				_, occupied := c.BlockEntity(p)
				if err := c.Set(p, s); (err != nil) != occupied {
					t.Fatal(err)
				}
				if !occupied {
					model[place(x, y, z)] = s
				}
			}
			if r.IntN(3) == 0 {
				c = parse(t, decode(t, c.Encode()))
			}
		}
		i := 0
		for p := range box.Positions() {
			if got := c.At(p); got != model[i] {
				t.Fatalf("seed %d, %v: %s, want %s", seed, p, got, model[i])
			}
			i++
		}
		heights, err := c.Heights()
		must(t, err)
		for z := range int32(16) {
			for x := range int32(16) {
				want := int32(chunk.MaxY)
				for want >= chunk.MinY && strings.HasSuffix(model[place(x, want, z)], "air") {
					want--
				}
				if got := heights[z*16+x]; got != want {
					t.Fatalf("seed %d: the height at %d %d is %d, want %d", seed, x, z, got, want)
				}
			}
		}
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*nbt.Compound)
		want   string
	}{
		"the old layout":     {func(r *nbt.Compound) { r.Set("Level", of()) }, "before 1.18"},
		"an old version":     {func(r *nbt.Compound) { r.Set("DataVersion", nbt.Int(chunk.OldestVersion-1)) }, "before 1.18"},
		"no version":         {func(r *nbt.Compound) { r.Delete("DataVersion") }, "before 1.18"},
		"an unfinished one":  {func(r *nbt.Compound) { r.Set("Status", nbt.String("minecraft:noise")) }, `status "minecraft:noise"`},
		"no status":          {func(r *nbt.Compound) { r.Delete("Status") }, "not finished"},
		"no x":               {func(r *nbt.Compound) { r.Delete("xPos") }, "where it is"},
		"z of another type":  {func(r *nbt.Compound) { r.Set("zPos", nbt.Short(5)) }, "where it is"},
		"too far east":       {func(r *nbt.Compound) { r.Set("xPos", nbt.Int(1<<27)) }, "no block has"},
		"too far north":      {func(r *nbt.Compound) { r.Set("zPos", nbt.Int(-1<<27-1)) }, "no block has"},
		"the corner":         {func(r *nbt.Compound) { r.Set("xPos", nbt.Int(1<<27-1)); r.Set("zPos", nbt.Int(-1<<27)) }, ""},
		"sections of bytes":  {func(r *nbt.Compound) { r.Set("sections", list(nbt.Byte(1))) }, "no list of compounds"},
		"sections no list":   {func(r *nbt.Compound) { r.Set("sections", of()) }, "no list of compounds"},
		"a section nowhere":  {func(r *nbt.Compound) { sectionTag(r, 3).Delete("Y") }, "where it is"},
		"a section twice":    {func(r *nbt.Compound) { sectionTag(r, 3).Set("Y", nbt.Byte(2)) }, "section 2 is there twice"},
		"nothing wrong":      {func(r *nbt.Compound) { r.Set("DataVersion", nbt.Int(chunk.OldestVersion)) }, ""},
		"a newer version":    {func(r *nbt.Compound) { r.Set("DataVersion", nbt.Int(9999)) }, ""},
		"the short status":   {func(r *nbt.Compound) { r.Set("Status", nbt.String("full")) }, ""},
		"sections of no end": {func(r *nbt.Compound) { r.Set("sections", nbt.List{Of: nbt.KindByte}) }, ""},
	} {
		root := rich(t)
		c.change(root)
		_, err := chunk.Parse(nbt.Encode("", root), pack(t))
		var refusal *chunk.Error
		if (err == nil) != (c.want == "") || err != nil && (!errors.As(err, &refusal) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	if _, err := chunk.Parse([]byte("no tree"), pack(t)); err == nil {
		t.Error("no tree: no error")
	}
}

// A section that cannot be read says why; the others can be, and changed.
func TestBadSections(t *testing.T) {
	t.Parallel()
	entry := func(members ...any) *nbt.Compound { return of("palette", list(of(members...))) }
	for name, c := range map[string]struct {
		states nbt.Tag
		want   string
	}{
		"no compound":        {nbt.Int(1), "no compound"},
		"no palette":         {of(), "1 to 4096"},
		"an empty palette":   {of("palette", nbt.List{Of: nbt.KindCompound}), "1 to 4096"},
		"a palette of bytes": {of("palette", list(nbt.Byte(1))), "1 to 4096"},
		"a large palette":    {states(distinct(t, 4097)...), "1 to 4096"},
		"no name":            {entry(), "entry 0"},
		"a name of bytes":    {entry("Name", nbt.Byte(1)), "entry 0"},
		"an empty name":      {entry("Name", nbt.String("")), "entry 0"},
		"brackets in names":  {entry("Name", nbt.String(log)), "entry 0"},
		"capitals":           {entry("Name", nbt.String("minecraft:Stone")), "entry 0"},
		"a long name":        {entry("Name", nbt.String(strings.Repeat("a", 257))), "entry 0"},
		"bad properties":     {entry("Name", nbt.String(stone), "Properties", nbt.Byte(1)), "entry 0"},
		"a bad property":     {entry("Name", nbt.String(stone), "Properties", of("a", nbt.Byte(1))), "entry 0"},
		"a forged property":  {entry("Name", nbt.String("minecraft:oak_log"), "Properties", of("a", nbt.String("b,axis=x"))), "entry 0"},
		"no data":            {of("palette", list(state(stone), state(air))), "0 longs for 2 states, not 256"},
		"short data":         {of("palette", list(state(stone), state(air)), "data", make(nbt.LongArray, 255)), "255 longs"},
		"long data":          {of("palette", list(state(stone), state(air)), "data", make(nbt.LongArray, 257)), "257 longs"},
		"wide data":          {of("palette", list(state(stone), state(air)), "data", make(nbt.LongArray, 342)), "342 longs"},
		"outside":            {of("palette", list(state(stone), state(air)), "data", longs(2, func(i int) int { return i / 4095 * 2 })), "state 2 of 2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := rich(t)
			sectionTag(root, 0).Set("block_states", c.states)
			b := parse(t, root)
			bad := b.Load(0, 0)
			var refusal *chunk.Error
			if !errors.As(bad, &refusal) || !strings.Contains(bad.Error(), "section 0") || !strings.Contains(bad.Error(), c.want) {
				t.Errorf("%v, want %q", bad, c.want)
			}
			if err := b.Load(-1, 16); err == nil || b.Load(chunk.MinY, -1) != nil || b.Load(16, 1000) != nil || b.Load(-1000, -70) != nil {
				t.Errorf("sections are loaded or not: %v", err)
			}
			if got := b.At(at(0, 0, 0)); got != "" {
				t.Errorf("At gives %q", got)
			}
			if err := b.Set(at(0, 0, 0), stone); err == nil {
				t.Error("a block is set")
			}
			if _, err := b.Heights(); err != nil {
				t.Errorf("a section that the heights do not reach: %v", err)
			}
			sectionTag(root, 7).Set("block_states", c.states)
			if _, err := parse(t, root).Heights(); err == nil {
				t.Error("there are heights")
			}
			must(t, b.Set(at(0, 16, 0), "minecraft:bricks"))
			if got, _ := sectionTag(decode(t, b.Encode()), 0).Get("block_states"); cmp.Diff(nbt.Encode("", of("s", got)), nbt.Encode("", of("s", c.states))) != "" {
				t.Error("the bad section changed")
			}
		})
	}
	root := rich(t)
	sectionTag(root, 0).Set("block_states", of("palette", list(state(stone)), "data", nbt.LongArray{1})) // the game does not look
	if got := parse(t, root).At(at(0, 0, 0)); got != stone {
		t.Errorf("one state with data: %q", got)
	}
	sectionTag(root, 0).Set("block_states", entry("Name", nbt.String("minecraft:oak_log"))) // the game fills properties in
	if got := parse(t, root).At(at(0, 0, 0)); got != "minecraft:oak_log[axis=y]" {
		t.Errorf("without its properties: %q", got)
	}
}

func TestBlockEntities(t *testing.T) {
	t.Parallel()
	c := parse(t, rich(t))
	want := map[geom.Pos]string{at(1, 64, 0): "minecraft:chest", at(2, 64, 0): "block entity without an id"}
	if diff := cmp.Diff(want, c.BlockEntities()); diff != "" {
		t.Error(diff)
	}
	if err := c.Set(at(1, 64, 0), stone); err == nil || !strings.Contains(err.Error(), "minecraft:chest at -47 64 80") {
		t.Errorf("%v", err)
	}
	if id, ok := c.BlockEntity(at(3, 64, 0)); ok {
		t.Errorf("there is a %s", id)
	}
	must(t, c.Set(at(3, 64, 0), stone))
	root := rich(t)
	root.Set("block_entities", list(nbt.Int(1)))
	if got := parse(t, root).BlockEntities(); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

func TestHeightsOfPositions(t *testing.T) {
	t.Parallel()
	c := parse(t, rich(t))
	for _, y := range []int32{chunk.MinY - 1, chunk.MaxY + 1, -1 << 31, 1<<31 - 1} {
		if got := c.At(at(0, y, 0)); got != "" {
			t.Errorf("%d: %q", y, got)
		}
		if err := c.Set(at(0, y, 0), stone); err == nil {
			t.Errorf("%d: a block is set", y)
		}
	}
	for _, y := range []int32{chunk.MinY, chunk.MaxY} {
		must(t, c.Set(at(0, y, 0), stone))
		must(t, c.Set(at(0, y, 0), log))
		if got := c.At(at(0, y, 0)); got != log {
			t.Errorf("%d: %q", y, got)
		}
	}
	for _, p := range []geom.Pos{at(-1, 0, 0), at(16, 0, 0), at(0, 0, -1), at(0, 0, 16)} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v is taken", p)
				}
			}()
			c.At(p)
		}()
	}
	if x, z := c.Position(); x != -3 || z != 5 || c.DataVersion() != 3578 {
		t.Errorf("%d %d %d", x, z, c.DataVersion())
	}
}

// Readers may come together to a section that none has read.
func TestConcurrentReads(t *testing.T) {
	t.Parallel()
	c := parse(t, rich(t))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for y := int32(chunk.MinY); y <= chunk.MaxY; y++ {
				c.At(at(0, y, 0))
				c.BlockEntity(at(0, y, 0))
			}
			_, _ = c.Heights()
		})
	}
	all.Wait()
}

func TestNew(t *testing.T) {
	t.Parallel()
	layers := []chunk.Layer{{State: "minecraft:bedrock", Height: 1}, {State: stone, Height: 31}, {State: "minecraft:grass_block[snowy=false]", Height: 1}, {State: log, Height: 0}}
	made, err := chunk.New(pack(t), -7, 9, layers)
	must(t, err)
	for name, c := range map[string]*chunk.Chunk{"made": made, "read": parse(t, decode(t, made.Encode()))} {
		for y, want := range map[int32]string{
			-64: "minecraft:bedrock", -63: stone, -49: stone, -48: stone, -33: stone, -32: "minecraft:grass_block[snowy=false]", -31: air, -16: air, 319: air,
		} {
			if got := c.At(geom.Pos{X: -7*16 + 3, Y: y, Z: 9*16 + 15}); got != want {
				t.Errorf("%s, %d: %s, want %s", name, y, got, want)
			}
		}
		heights, err := c.Heights()
		must(t, err)
		if heights[0] != -32 || heights[255] != -32 {
			t.Errorf("%s: heights %v", name, heights)
		}
		if x, z := c.Position(); x != -7 || z != 9 {
			t.Errorf("%s: at %d %d", name, x, z)
		}
	}
	root := decode(t, made.Encode())
	for y := -4; y <= 19; y++ {
		s := sectionTag(root, y)
		biomes, _ := nbt.Get[*nbt.Compound](s, "biomes")
		states, _ := nbt.Get[*nbt.Compound](s, "block_states")
		_, data := states.Get("data")
		if biomes == nil || data != (y == -4 || y == -2) {
			t.Errorf("section %d: biomes %v, data %v", y, biomes, data)
		}
	}
	must(t, made.Set(geom.Pos{X: -112, Y: 0, Z: 144}, stone))
	for name, c := range map[string]struct {
		layer chunk.Layer
		ok    bool
	}{
		"full": {chunk.Layer{State: stone, Height: 384}, true}, "too high": {chunk.Layer{State: stone, Height: 385}, false},
		"far too high": {chunk.Layer{State: stone, Height: 1 << 60}, false}, "negative": {chunk.Layer{State: stone, Height: -1}, false},
		"unknown": {chunk.Layer{State: "mod:x", Height: 1}, false},
	} {
		if _, err := chunk.New(pack(t), 0, 0, []chunk.Layer{c.layer}); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Whatever a chunk holds, it is refused or read, and changes keep.
func FuzzChunk(f *testing.F) {
	f.Add(nbt.Encode("", rich(f)), int16(3), uint16(7))
	small := of("DataVersion", nbt.Int(3578), "xPos", nbt.Int(0), "zPos", nbt.Int(0), "Status", nbt.String("full"))
	for n := range 4 {
		small.Set("sections", list(of("Y", nbt.Byte(n-4), "block_states", states(distinct(f, n*n*5+1)...))))
		f.Add(nbt.Encode("", small), int16(-60), uint16(n))
	}
	p := pack(f)
	f.Fuzz(func(t *testing.T, data []byte, y int16, id uint16) {
		c, err := chunk.Parse(data, p)
		if err != nil {
			return
		}
		x, z := c.Position()
		pos := geom.Pos{X: x << 4, Y: int32(y), Z: z << 4}
		was := c.At(pos)
		if string(c.Encode()) != string(data) {
			t.Fatal("reading changes bytes")
		}
		state, ok := p.State(int32(id))
		if !ok || c.Set(pos, state) != nil {
			return
		}
		again, err := chunk.Parse(c.Encode(), p)
		if err != nil {
			t.Fatal(err)
		}
		for _, now := range []string{c.At(pos), again.At(pos)} {
			if now != state {
				t.Fatalf("%q became %q, want %q", was, now, state)
			}
		}
		next := geom.Pos{X: pos.X | 15, Y: pos.Y, Z: pos.Z}
		if c.At(next) != again.At(next) {
			t.Fatalf("the neighbour %q reads as %q", c.At(next), again.At(next))
		}
	})
}

// BenchmarkRead parses 16 chunks and reads 4,096 positions of them.
func BenchmarkRead(b *testing.B) {
	data := nbt.Encode("", rich(b))
	b.SetBytes(int64(16 * len(data)))
	for b.Loop() {
		for range 16 {
			c, err := chunk.Parse(data, pack(b))
			must(b, err)
			for p := range geom.NewBox(at(0, 0, 0), at(15, 0, 15)).Positions() {
				if c.At(p) == "" {
					b.Fatal(p)
				}
			}
		}
	}
}

// BenchmarkSet sets 512 positions and writes the chunk.
func BenchmarkSet(b *testing.B) {
	c := parse(b, rich(b))
	all := distinct(b, 24)
	for i := 0; b.Loop(); i++ {
		for n := range int32(512) {
			must(b, c.Set(at(n&15, n>>8, n>>4&15), all[(int(n)+i)%len(all)]))
		}
		if len(c.Encode()) == 0 {
			b.Fatal("no bytes")
		}
	}
}

// BenchmarkAt reads 4,096 positions that are decoded.
func BenchmarkAt(b *testing.B) {
	c := parse(b, rich(b))
	for b.Loop() {
		for p := range geom.NewBox(at(0, 0, 0), at(15, 15, 15)).Positions() {
			if c.At(p) == "" {
				b.Fatal(fmt.Sprint(p))
			}
		}
	}
}
