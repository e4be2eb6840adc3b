package render_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/camera/render"
	"github.com/pharos-mcp/pharos/services/world/colour"
	"github.com/pharos-mcp/pharos/services/world/geom"
)

var (
	grey   = colour.RGBA{R: 128, G: 128, B: 128, A: 255}
	pale   = colour.RGBA{R: 200, G: 220, B: 230, A: 80}
	bottom = []render.Cuboid{{Max: [3]float32{1, 0.5, 1}}}
	steps  = []render.Cuboid{{Max: [3]float32{1, 0.5, 1}}, {Min: [3]float32{0.5, 0.5, 0}, Max: [3]float32{1, 1, 1}}}
)

// scattered is a scene of a few blocks of every kind, in a box that begins
// anywhere.
func scattered(r *rand.Rand) *render.Scene {
	low := geom.Pos{X: r.Int32N(2000) - 1000, Y: r.Int32N(300) - 64, Z: r.Int32N(2000) - 1000}
	s := &render.Scene{
		Box: geom.Box{Min: low, Max: low.Add(geom.Pos{X: 3 + r.Int32N(20), Y: 3 + r.Int32N(20), Z: 3 + r.Int32N(20)})},
		Materials: []render.Material{
			{}, {Shape: render.Whole, Colour: grey}, {Shape: bottom, Colour: grey}, {Shape: steps, Colour: grey},
			{Shape: render.Whole, Colour: pale},
		},
	}
	s.Cells = make([]uint16, s.Box.Volume())
	for i := range s.Cells {
		if r.IntN(12) == 0 {
			s.Cells[i] = uint16(r.IntN(len(s.Materials)))
		}
	}
	s.Prepare()
	return s
}

// nearest finds by the definition what a ray meets first: of all cuboids of all
// cells the one with the nearest face.
func nearest(s *render.Scene, origin, direction render.Vector, most float64) (p geom.Pos, way float64, ok bool) {
	way = most
	i := 0
	for at := range s.Box.Positions() {
		for _, c := range s.Materials[s.Cells[i]].Shape {
			near, far := math.Inf(-1), math.Inf(1)
			for axis, low := range [3]int32{at.X, at.Y, at.Z} {
				a := (float64(low) + float64(c.Min[axis]) - origin[axis]) / direction[axis]
				b := (float64(low) + float64(c.Max[axis]) - origin[axis]) / direction[axis]
				near, far = max(near, min(a, b)), min(far, max(a, b))
			}
			if near <= far && near > 0 && near < way {
				p, way, ok = at, near, true
			}
		}
		i++
	}
	return p, way, ok
}

// TestCast: a march meets what the definition says, from within the box and
// from outside.
func TestCast(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	hits := 0
	for range 60 {
		s := scattered(r)
		for range 60 {
			var origin, direction render.Vector
			size := 0.0
			for i, low := range [3]int32{s.Box.Min.X, s.Box.Min.Y, s.Box.Min.Z} {
				origin[i] = float64(low) - 10 + r.Float64()*40
				direction[i] = float64(low) + r.Float64()*10 - origin[i]
				size += direction[i] * direction[i]
			}
			for i := range direction {
				direction[i] /= math.Sqrt(size)
			}
			if inside(s, origin) {
				continue // where a ray begins inside a block, two definitions differ
			}
			p, way, ok := nearest(s, origin, direction, 50)
			h, met := s.Cast(origin, direction, 50)
			if met != ok || ok && (h.Pos != p || math.Abs(h.Distance-way) > 1e-6) {
				t.Fatalf("from %v to %v: met %v at %v (%t), want %v at %v (%t)", origin, direction, h.Pos, h.Distance, met, p, way, ok)
			}
			if ok {
				hits++
			}
		}
	}
	if hits < 500 {
		t.Errorf("only %d rays met something", hits)
	}
}

func inside(s *render.Scene, p render.Vector) bool {
	at := geom.Pos{X: int32(math.Floor(p[0])), Y: int32(math.Floor(p[1])), Z: int32(math.Floor(p[2]))}
	i := 0
	for q := range s.Box.Positions() {
		if q == at && s.Cells[i] != 0 {
			return true
		}
		i++
	}
	return false
}

// TestDirections: degrees mean what they mean in the game.
func TestDirections(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		yaw, pitch float64
		want       render.Vector
	}{
		"south": {0, 0, render.Vector{0, 0, 1}}, "west": {90, 0, render.Vector{-1, 0, 0}}, "north": {180, 0, render.Vector{0, 0, -1}},
		"east": {270, 0, render.Vector{1, 0, 0}}, "east again": {-90, 0, render.Vector{1, 0, 0}},
		"up": {0, -90, render.Vector{0, 1, 0}}, "down": {0, 90, render.Vector{0, -1, 0}},
	} {
		p := render.Pose{Yaw: c.yaw, Pitch: c.pitch, FOV: 70, Width: 321, Height: 181}
		got := p.Rays()(160, 90)
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-9 {
				t.Errorf("%s: %v, want %v", name, got, c.want)
			}
		}
	}
	p := render.Pose{FOV: 70, Width: 321, Height: 181}
	if left := p.Rays()(0, 90); left[0] <= 0 { // who looks south has the east at the left
		t.Errorf("the left edge looks to %v", left)
	}
	if top := p.Rays()(160, 0); top[1] <= 0 {
		t.Errorf("the upper edge looks to %v", top)
	}
	half := p.Rays()(160, 0)[1] // of the uppermost row's middle, half a pixel below the edge
	if want := math.Sin(35 * math.Pi / 180); half > want || half < want-0.01 {
		t.Errorf("the upper edge is at %v, want just below %v", half, want)
	}
}

// TestReach: what is met is nearer than the most, for whole blocks and shaped
// ones.
func TestReach(t *testing.T) {
	t.Parallel()
	s := &render.Scene{
		Box:       geom.Box{Max: geom.Pos{X: 31, Y: 0, Z: 0}},
		Materials: []render.Material{{}, {Shape: render.Whole, Colour: grey}, {Shape: bottom, Colour: grey}},
		Cells:     make([]uint16, 32),
	}
	for cell := range uint16(3) {
		s.Cells[10] = cell
		s.Prepare()
		for most, want := range map[float64]bool{9.499: false, 9.5: false, 9.501: cell != 0} {
			h, ok := s.Cast(render.Vector{0.5, 0.25, 0.5}, render.Vector{1, 0, 0}, most)
			if ok != want || ok && (h.Distance != 9.5 || h.Cell != cell) {
				t.Errorf("cell %d, %v at most: %t, %+v", cell, most, ok, h)
			}
		}
	}
}

// TestWithin: a point is within a block that fills its place, and not beside the
// scene.
func TestWithin(t *testing.T) {
	t.Parallel()
	s := &render.Scene{
		Box:       geom.Box{Min: geom.Pos{X: -2, Y: 5, Z: 3}, Max: geom.Pos{X: 1, Y: 5, Z: 3}},
		Materials: []render.Material{{}, {Shape: render.Whole, Colour: grey}, {Shape: bottom, Colour: grey}, {Shape: render.Whole, Colour: pale}},
		Cells:     []uint16{1, 0, 2, 3},
	}
	s.Prepare()
	for x, want := range map[float64]bool{-2.01: false, -2: true, -1.01: true, -1: false, 0.5: false, 1.5: false, 2: false, 1e9: false} {
		if cell, ok := s.Within(render.Vector{x, 5.5, 3.5}); ok != want || ok && cell != 1 {
			t.Errorf("x %v: cell %d, %t", x, cell, ok)
		}
	}
	for _, v := range []render.Vector{{-1.5, 4.9, 3.5}, {-1.5, 6, 3.5}, {-1.5, 5.5, 2.9}, {-1.5, 5.5, 4}} {
		if _, ok := s.Within(v); ok {
			t.Errorf("%v is within", v)
		}
	}
}
