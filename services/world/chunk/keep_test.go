package chunk_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/world/chunk"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/nbt"
)

// Without a change the bytes are the same, whatever was read, and also after a
// set that changes nothing.
//
// clause: W-35
func TestUnchanged(t *testing.T) {
	t.Parallel()
	data := nbt.Encode("a name", rich(t))
	c, err := chunk.Parse(data, pack(t))
	must(t, err)
	for y := int32(chunk.MinY); y <= chunk.MaxY; y++ {
		p := at(3, y, 4)
		if s := c.At(p); s != "create:shaft[axis=x]" && y>>4 != 4 {
			must(t, c.Set(p, s))
		}
	}
	if !bytes.Equal(c.Encode(), data) {
		t.Error("the bytes changed")
	}
}

// What comes after the tree is kept: the game does not look at it, and there are
// writers who leave something there.
//
// clause: W-35
func TestAfterTheTree(t *testing.T) {
	t.Parallel()
	rest := []byte("\x00\x09isLightOn")
	data := append(nbt.Encode("", rich(t)), rest...)
	c, err := chunk.Parse(data, pack(t))
	must(t, err)
	if !bytes.Equal(c.Encode(), data) {
		t.Error("the bytes changed")
	}
	must(t, c.Set(at(1, 70, 1), stone))
	tree, ok := bytes.CutSuffix(c.Encode(), rest)
	if !ok {
		t.Fatal("what came after the tree is gone")
	}
	decode(t, tree)
}

// derived takes away what a change may take away.
func derived(root *nbt.Compound) {
	root.Delete("Heightmaps")
	root.Delete("starlight.light_version")
	root.Set("isLightOn", nbt.Byte(0))
	sections, _ := nbt.Get[nbt.List](root, "sections")
	for _, s := range sections.Items {
		for _, name := range []string{"BlockLight", "SkyLight", "starlight.blocklight_state", "starlight.skylight_state"} {
			s.(*nbt.Compound).Delete(name)
		}
	}
}

// A change is seen in the block states of its section and in what follows from
// blocks; every other tag is the same, in the same order.
//
// clause: W-35
func TestSetKeepsTheRest(t *testing.T) {
	t.Parallel()
	for _, y := range []int{-4, -3, -2, -1, 0, 1, 2, 3, 5, 6} {
		before := rich(t)
		c := parse(t, before)
		must(t, c.Set(at(1, int32(y)<<4, 1), "minecraft:bricks"))
		after := decode(t, c.Encode())
		if _, there := after.Get("Heightmaps"); there {
			t.Error("heightmaps are there")
		}
		if on, _ := nbt.Get[nbt.Byte](after, "isLightOn"); on != 0 {
			t.Error("light is said to be right")
		}
		was, is := sectionTag(before, y), sectionTag(after, y)
		wasStates, _ := was.Get("block_states")
		isStates, _ := is.Get("block_states")
		if bytes.Equal(nbt.Encode("", of("s", wasStates)), nbt.Encode("", of("s", isStates))) {
			t.Errorf("section %d: the states are the same", y)
		}
		was.Set("block_states", isStates)
		derived(before)
		if !bytes.Equal(nbt.Encode("", before), c.Encode()) {
			t.Errorf("section %d: something else changed", y)
		}
	}
}

// A block that goes and comes back leaves the bytes of the states as they were.
func TestBack(t *testing.T) {
	t.Parallel()
	want := rich(t)
	c := parse(t, want)
	derived(want)
	var old []string
	for y := int32(-64); y < 64; y++ {
		old = append(old, c.At(at(0, y, 0)))
	}
	for _, state := range []string{"minecraft:bricks", "minecraft:glass", "", "minecraft:sand", ""} {
		for i := range old {
			p, s := at(0, int32(i)-64, 0), state
			if s == "" {
				s = old[i]
			}
			if old[i] == "create:shaft[axis=x]" {
				continue
			}
			must(t, c.Set(p, s))
		}
		if same := bytes.Equal(c.Encode(), nbt.Encode("", want)); same != (state == "") {
			t.Errorf("after %q the bytes are the same: %v", state, same)
		}
	}
}

// An unknown state is read as it is spelled, and stays when others change; what
// is not in the table cannot be set.
//
// clause: W-35
func TestUnknownStates(t *testing.T) {
	t.Parallel()
	root := rich(t)
	c := parse(t, root)
	shafts := 0
	for p := range geom.NewBox(at(0, 32, 0), at(15, 47, 15)).Positions() {
		if c.At(p) == "create:shaft[axis=x]" {
			shafts++
		}
	}
	if shafts != 1365 {
		t.Fatalf("%d shafts", shafts)
	}
	for _, s := range []string{"create:shaft[axis=x]", "stone", "minecraft:oak_log", "minecraft:oak_log[axis=w]", ""} {
		if err := c.Set(at(0, 32, 0), s); err == nil {
			t.Errorf("%q is set", s)
		}
	}
	must(t, c.Set(at(0, 32, 0), stone))
	must(t, c.Set(at(1, 32, 0), stone)) // a shaft
	after := decode(t, c.Encode())
	states, _ := nbt.Get[*nbt.Compound](sectionTag(after, 2), "block_states")
	palette, _ := nbt.Get[nbt.List](states, "palette")
	if diff := cmp.Diff(nbt.Encode("", state("create:shaft[axis=x]")), nbt.Encode("", palette.Items[1].(*nbt.Compound))); diff != "" {
		t.Error(diff)
	}
	again := parse(t, after)
	for p := range geom.NewBox(at(0, 32, 0), at(15, 47, 15)).Positions() {
		if again.At(p) == "create:shaft[axis=x]" {
			shafts--
		}
	}
	if shafts != 1 {
		t.Errorf("%d shafts less than one", shafts-1)
	}
}

// A section that the file does not have comes into being where it belongs.
func TestNewSections(t *testing.T) {
	t.Parallel()
	c := parse(t, rich(t))
	for _, y := range []int32{7, 19, 9} {
		if got := c.At(at(15, y<<4+15, 15)); got != air {
			t.Errorf("section %d is of %s", y, got)
		}
		must(t, c.Set(at(15, y<<4+15, 15), air))
		must(t, c.Set(at(15, y<<4+15, 15), log))
	}
	after := decode(t, c.Encode())
	sections, _ := nbt.Get[nbt.List](after, "sections")
	var heights []int
	for _, s := range sections.Items {
		y, _ := nbt.Get[nbt.Byte](s.(*nbt.Compound), "Y")
		heights = append(heights, int(y))
	}
	if diff := cmp.Diff([]int{-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 9, 19, 20}, heights); diff != "" {
		t.Error(diff)
	}
	want := of("palette", list(state(air), state(log)), "data", longs(2, func(i int) int { return i / 4095 }))
	got, _ := nbt.Get[*nbt.Compound](sectionTag(after, 9), "block_states")
	if !bytes.Equal(nbt.Encode("", got), nbt.Encode("", want)) {
		t.Error("the new section has other states")
	}
	again := parse(t, after)
	for _, y := range []int32{7, 19, 9} {
		if got := again.At(at(15, y<<4+15, 15)); got != log {
			t.Errorf("section %d has %s", y, got)
		}
		if got := again.At(at(14, y<<4+15, 15)); got != air {
			t.Errorf("section %d has %s", y, got)
		}
	}
	empty := parse(t, of("DataVersion", nbt.Int(3578), "xPos", nbt.Int(-3), "zPos", nbt.Int(5), "Status", nbt.String("full")))
	must(t, empty.Set(at(0, 0, 0), stone))
	if again := parse(t, decode(t, empty.Encode())); again.At(at(0, 0, 0)) != stone {
		t.Error("the only section is lost")
	}
}
