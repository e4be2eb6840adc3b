package geom_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/services/world/geom"
)

func at(x, y, z int32) geom.Pos { return geom.Pos{X: x, Y: y, Z: z} }

func box(x, y, z int32) geom.Operation { return geom.Cuboid{Max: at(x-1, y-1, z-1), Block: "a"} }

func repeat(count int32, offset geom.Pos, operations ...geom.Operation) geom.Operation {
	return geom.Repeat{Count: count, Offset: offset, Operations: operations}
}

// nested is a block within so many repeats.
func nested(depth int) geom.Operation {
	o := box(1, 1, 1)
	for range depth {
		o = repeat(1, geom.Pos{}, o)
	}
	return o
}

func times(n int, o geom.Operation) []geom.Operation {
	operations := make([]geom.Operation, n)
	for i := range operations {
		operations[i] = o
	}
	return operations
}

// TestLimits has each bound from both sides: what just fits, and what does not,
// with the place that is named.
//
// clause: W-12
func TestLimits(t *testing.T) {
	t.Parallel()
	list := func(o ...geom.Operation) []geom.Operation { return o }
	for name, c := range map[string]struct {
		fits, not []geom.Operation
		pointer   string
		budget    bool
	}{
		"result of one":         {list(box(16, 16, 16)), list(box(16, 16, 17)), "/operations/0", true},
		"result of several":     {list(box(16, 16, 15), box(16, 16, 16)), list(box(16, 16, 16), geom.Line{From: at(0, 0, 16), To: at(0, 0, 16), Block: "a"}), "/operations/1", true},
		"a million blocks":      {list(box(10, 10, 10)), list(box(100, 100, 100)), "/operations/0", true},
		"a whole world":         {list(box(1, 1, 1)), list(geom.Cuboid{Min: at(-30e6, -4096, -30e6), Max: at(30e6, 4096, 30e6), Block: "a", Hollow: true}), "/operations/0", true},
		"a line":                {list(geom.Line{To: at(4095, 0, 0), Block: "a"}), list(geom.Line{To: at(4096, 0, 0), Block: "a"}), "/operations/0", true},
		"work of repeats":       {list(repeat(256, geom.Pos{}, box(16, 16, 16))), list(repeat(257, geom.Pos{}, box(16, 16, 16))), "/operations/0", true},
		"work of nested":        {list(repeat(16, geom.Pos{}, repeat(16, geom.Pos{}, box(16, 16, 16)))), list(repeat(16, geom.Pos{}, repeat(17, geom.Pos{}, box(16, 16, 16)))), "/operations/0", true},
		"work of a list":        {times(255, box(16, 16, 16)), append(times(255, box(16, 16, 16)), repeat(2, geom.Pos{}, box(16, 16, 16))), "/operations/255", true},
		"depth":                 {list(nested(8)), list(nested(9)), "/operations/0" + strings.Repeat("/operations/0", 8), true},
		"expanded":              {list(repeat(4, geom.Pos{}, repeat(1024, geom.Pos{}, box(1, 1, 1)))), list(repeat(4, geom.Pos{}, repeat(1024, geom.Pos{}, box(1, 1, 1))), box(1, 1, 1)), "/operations/1", true},
		"expanded in a repeat":  {list(repeat(1024, geom.Pos{}, times(4, box(1, 1, 1))...)), list(repeat(1024, geom.Pos{}, times(5, box(1, 1, 1))...)), "/operations/0", true},
		"expanded beyond count": {list(box(1, 1, 1)), list(repeat(1024, geom.Pos{}, repeat(1024, geom.Pos{}, box(1, 1, 1)))), "/operations/0", true},
		"a long list":           {times(256, box(1, 1, 1)), times(257, box(1, 1, 1)), "/operations", true},
		"an empty list":         {list(box(1, 1, 1)), list(), "/operations", false},
		"an empty repeat":       {list(repeat(1, geom.Pos{}, box(1, 1, 1))), list(repeat(1, geom.Pos{})), "/operations/0/operations", false},
		"rounds":                {list(repeat(1, geom.Pos{}, box(1, 1, 1))), list(repeat(0, geom.Pos{}, box(1, 1, 1))), "/operations/0/count", false},
		"too many rounds":       {list(repeat(1024, geom.Pos{}, box(1, 1, 1))), list(repeat(1025, geom.Pos{}, box(1, 1, 1))), "/operations/0/count", false},
		"fewer rounds than one": {list(repeat(1, geom.Pos{}, box(1, 1, 1))), list(repeat(-1, geom.Pos{}, box(1, 1, 1))), "/operations/0/count", false},
		"radius":                {list(geom.Cylinder{Height: 1, Block: "a"}), list(geom.Cylinder{Radius: -1, Height: 1, Block: "a"}), "/operations/0/radius", false},
		"a large radius":        {list(geom.Cylinder{Radius: 128, Height: 1, Block: "a", Hollow: true}), list(geom.Cylinder{Radius: 129, Height: 1, Block: "a", Hollow: true}), "/operations/0/radius", false},
		"a sphere's radius":     {list(geom.Sphere{Radius: 0, Block: "a"}), list(geom.Sphere{Radius: 129, Block: "a"}), "/operations/0/radius", false},
		"height":                {list(geom.Cylinder{Height: 1, Block: "a"}), list(geom.Cylinder{Block: "a"}), "/operations/0/height", false},
		"a large height":        {list(geom.Cylinder{Height: 256, Block: "a"}), list(geom.Cylinder{Height: 257, Block: "a"}), "/operations/0/height", false},
		"east":                  {list(geom.Line{From: at(30e6, 0, 0), To: at(30e6, 0, 0), Block: "a"}), list(geom.Line{From: at(30e6+1, 0, 0), To: at(30e6+1, 0, 0), Block: "a"}), "/operations/0", false},
		"west":                  {list(geom.Line{From: at(-30e6, 0, 0), To: at(-30e6, 0, 0), Block: "a"}), list(geom.Line{From: at(-30e6-1, 0, 0), To: at(-30e6, 0, 0), Block: "a"}), "/operations/0", false},
		"south":                 {list(geom.Line{From: at(0, 0, 30e6), To: at(0, 0, 30e6), Block: "a"}), list(geom.Line{From: at(0, 0, 30e6), To: at(0, 0, 30e6+1), Block: "a"}), "/operations/0", false},
		"north":                 {list(geom.Line{From: at(0, 0, -30e6), To: at(0, 0, -30e6), Block: "a"}), list(geom.Line{From: at(0, 0, -30e6), To: at(0, 0, -30e6-1), Block: "a"}), "/operations/0", false},
		"up":                    {list(geom.Cylinder{Center: at(0, 4095, 0), Height: 2, Block: "a"}), list(geom.Cylinder{Center: at(0, 4096, 0), Height: 2, Block: "a"}), "/operations/0", false},
		"down":                  {list(geom.Sphere{Center: at(0, -4095, 0), Radius: 1, Block: "a"}), list(geom.Sphere{Center: at(0, -4096, 0), Radius: 1, Block: "a"}), "/operations/0", false},
		"the last round":        {list(repeat(1024, at(0, 4, 0), box(1, 1, 1))), list(repeat(1024, at(0, 5, 0), box(1, 1, 1))), "/operations/0", false},
		"the last round below":  {list(repeat(1024, at(0, -4, 0), box(1, 1, 1))), list(repeat(1024, at(0, -5, 0), box(1, 1, 1))), "/operations/0", false},
		"the widest offset":     {list(repeat(2, at(60e6, 8192, -60e6), geom.Line{From: at(-30e6, -4096, 30e6), To: at(-30e6, -4096, 30e6), Block: "a"})), list(repeat(1, at(60e6+1, 0, 0), box(1, 1, 1))), "/operations/0/offset/x", false},
		"an offset up":          {list(repeat(1, at(0, 8192, 0), box(1, 1, 1))), list(repeat(1, at(0, 8193, 0), box(1, 1, 1))), "/operations/0/offset/y", false},
		"an offset north":       {list(repeat(1, at(0, 0, -60e6), box(1, 1, 1))), list(repeat(1, at(0, 0, -60e6-1), box(1, 1, 1))), "/operations/0/offset/z", false},
		"an offset of 32 bits":  {list(repeat(1, at(0, 0, 0), box(1, 1, 1))), list(repeat(1024, at(-1<<31, 0, 0), box(1, 1, 1))), "/operations/0/offset/x", false},
		"no block":              {list(box(1, 1, 1)), list(geom.Line{}), "/operations/0/block", false},
		"nothing to replace":    {list(geom.Replace{From: "a", Block: "b"}), list(geom.Replace{Block: "b"}), "/operations/0/from", false},
		"no operation":          {list(box(1, 1, 1)), list(nil), "/operations/0", false},
		"replaces at a place":   {times(16, geom.Replace{From: "a", Block: "b"}), times(17, geom.Replace{From: "a", Block: "b"}), "/operations/16", true},
		"replaces after a box":  {append(list(box(1, 1, 1)), times(15, geom.Replace{From: "a", Block: "b"})...), append(list(box(1, 1, 1)), times(16, geom.Replace{From: "a", Block: "b"})...), "/operations/16", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			placements, err := geom.Compile(geom.Recipe{Version: 1, Operations: c.fits}, geom.Default())
			if err != nil {
				t.Errorf("what fits: %v", err)
			}
			checkOrder(t, placements, geom.Default())
			_, err = geom.Compile(geom.Recipe{Version: 1, Operations: c.not}, geom.Default())
			e, ok := errors.AsType[*geom.Error](err)
			if !ok {
				t.Fatalf("what does not fit: error %v", err)
			}
			if !strings.HasPrefix(e.Pointer, c.pointer) || len(e.Pointer) > len(c.pointer)+3 || e.Budget != c.budget {
				t.Errorf("at %q, budget %v: %s; want it at %q, %v", e.Pointer, e.Budget, e.Message, c.pointer, c.budget)
			}
		})
	}
}

// TestWorkIsExact sees what counts as work: every position of every round, and
// the rows of round shapes.
//
// clause: W-12
func TestWorkIsExact(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		o    geom.Operation
		work int64
	}{
		"a box":    {box(5, 5, 5), 125},
		"a room":   {geom.Cuboid{Max: at(4, 4, 4), Block: "a", Hollow: true}, 98},
		"a line":   {geom.Line{To: at(9, 2, 2), Block: "a"}, 10},
		"a sphere": {geom.Sphere{Radius: 1, Block: "a", Hollow: true}, 9 + 6},
		"a ring":   {geom.Cylinder{Radius: 2, Height: 3, Block: "a", Hollow: true}, 5 + 3*8},
		"rounds":   {repeat(7, geom.Pos{}, geom.Sphere{Radius: 1, Block: "a"}), 9 + 7*7},
	} {
		limits := geom.Default()
		r := geom.Recipe{Version: 1, Operations: []geom.Operation{c.o}}
		limits.Work = c.work
		if _, err := geom.Compile(r, limits); err != nil {
			t.Errorf("%s: with just enough: %v", name, err)
		}
		limits.Work--
		if _, err := geom.Compile(r, limits); err == nil {
			t.Errorf("%s: costs less than %d", name, c.work)
		}
	}
}

// TestVersion refuses every version but one.
//
// clause: W-12
func TestVersion(t *testing.T) {
	t.Parallel()
	for _, version := range []int{-1, 0, 2} {
		_, err := geom.Compile(geom.Recipe{Version: version, Operations: []geom.Operation{box(1, 1, 1)}}, geom.Default())
		if e, ok := errors.AsType[*geom.Error](err); !ok || e.Pointer != "/version" {
			t.Errorf("version %d: %v", version, err)
		}
	}
}

// TestWorkIsReckonedBefore compiles recipes that ask for years of work, and sees
// that they are refused for next to nothing: an allocation for each block that
// they name would take minutes and gigabytes.
//
// clause: W-12
func TestWorkIsReckonedBefore(t *testing.T) { // not parallel: it counts allocations
	deep := box(16, 16, 16)
	for range 8 {
		deep = repeat(1024, geom.Pos{}, deep)
	}
	hostile := map[string][]geom.Operation{
		"repeats of repeats": {deep},
		"lists of spheres":   times(256, geom.Sphere{Radius: 128, Block: "a"}),
		"lists of lines":     times(256, geom.Line{From: at(-30e6, 0, 0), To: at(30e6, 0, 0), Block: "a"}),
		"lists of boxes":     times(256, repeat(1024, at(0, 1, 0), box(64, 64, 1))),
	}
	for name, operations := range hostile {
		start := time.Now()
		allocations := testing.AllocsPerRun(1, func() {
			if _, err := geom.Compile(geom.Recipe{Version: 1, Operations: operations}, geom.Default()); err == nil {
				t.Errorf("%s: no error", name)
			}
		})
		if allocations > 5000 {
			t.Errorf("%s: %v allocations in %v", name, allocations, time.Since(start))
		}
	}
}

// BenchmarkCompile is the most work that the limits allow.
func BenchmarkCompile(b *testing.B) {
	r := geom.Recipe{Version: 1, Operations: []geom.Operation{repeat(255, geom.Pos{}, box(16, 16, 16))}}
	for b.Loop() {
		if _, err := geom.Compile(r, geom.Default()); err != nil {
			b.Fatal(err)
		}
	}
}
