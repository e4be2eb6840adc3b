package render_test

import (
	"bytes"
	"image/png"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/camera/render"
	"github.com/pharos-mcp/pharos/services/world/geom"
)

// ground is a plain with its surface at y 4, and room above.
func ground() *render.Scene {
	s := &render.Scene{
		Box:       geom.Box{Max: geom.Pos{X: 63, Y: 31, Z: 63}},
		Materials: []render.Material{{}, {Shape: render.Whole, Colour: grey}, {Shape: render.Whole, Colour: pale}},
	}
	s.Cells = make([]uint16, s.Box.Volume())
	for i := range 64 * 64 * 4 {
		s.Cells[i] = 1
	}
	return s
}

func (g grid) set(x, y, z int, m uint16) { g.Cells[(y*64+z)*64+x] = m }

type grid struct{ *render.Scene }

// brightness is the middle one of a part of the picture.
func brightness(f render.Frame, x, y int) (sum int) {
	for dy := range 9 {
		for dx := range 9 {
			c := f.Image.RGBAAt(x+dx-4, y+dy-4)
			sum += int(c.R) + int(c.G) + int(c.B)
		}
	}
	return sum / 81
}

// TestFrame: the same scene is the same picture, sky is above ground, a wall
// throws a shadow and glass lets through.
func TestFrame(t *testing.T) {
	t.Parallel()
	s := ground()
	s.Prepare()
	pose := render.Pose{X: 32, Y: 4, Z: 8, Pitch: 20, FOV: 70, Width: 320, Height: 180}
	f := render.Render(s, pose, 160)
	if again := render.Render(s, pose, 160); !bytes.Equal(f.Image.Pix, again.Image.Pix) {
		t.Error("two pictures of one scene differ")
	}
	if f.Unknown != 0 {
		t.Errorf("%d rays saw what is not known", f.Unknown)
	}
	if top := f.Image.RGBAAt(160, 2); top.B <= top.R {
		t.Errorf("above is %v, no sky", top)
	}
	lit := brightness(f, 160, 130)
	roof := ground()
	for x := range 64 {
		for z := range 64 {
			grid{roof}.set(x, 12, z, 1)
		}
	}
	roof.Prepare()
	if dark := brightness(render.Render(roof, pose, 160), 160, 130); dark >= lit*7/10 {
		t.Errorf("under a roof it is %d, outside %d", dark, lit)
	}
	pane := ground()
	for x := range 64 {
		for y := 4; y < 20; y++ {
			grid{pane}.set(x, y, 10, 2)
		}
	}
	pane.Prepare()
	through := brightness(render.Render(pane, pose, 160), 160, 130)
	if through == lit || through < lit/2 {
		t.Errorf("behind glass it is %d, without %d", through, lit)
	}
}

// TestUnknown: a ray counts that comes to a position nobody knows, and none that
// is stopped before it.
func TestUnknown(t *testing.T) {
	t.Parallel()
	s := ground()
	for x := range 64 {
		for y := range 32 {
			grid{s}.set(x, y, 40, render.Missing)
		}
	}
	s.Prepare()
	pose := render.Pose{X: 32, Y: 4, Z: 8, FOV: 70, Width: 320, Height: 180}
	f := render.Render(s, pose, 160)
	if f.Unknown == 0 || f.Known < 31.9 || f.Known > 33 { // the wall of the unknown is 32 blocks away
		t.Errorf("%d rays saw what is not known, from %v on", f.Unknown, f.Known)
	}
	if f := render.Render(s, pose, f.Known); f.Unknown != 0 {
		t.Errorf("%d rays see what is not known, although they end before it", f.Unknown)
	}
	pose.Yaw = 180
	if f := render.Render(s, pose, 160); f.Unknown != 0 {
		t.Errorf("%d rays to the other side saw what is not known", f.Unknown)
	}
}

// TestPose: every bound, on both sides.
func TestPose(t *testing.T) {
	t.Parallel()
	good := render.Pose{}.Defaults()
	if err := good.Check(); err != nil || good.Width != 854 || good.Height != 480 || good.FOV != 70 {
		t.Errorf("the defaults are %+v: %v", good, err)
	}
	for name, c := range map[string]struct {
		set  func(*render.Pose, float64)
		in   [2]float64
		step float64
	}{
		"x":      {func(p *render.Pose, v float64) { p.X = v }, [2]float64{-3e7, 3e7}, 0.5},
		"y":      {func(p *render.Pose, v float64) { p.Y = v }, [2]float64{-4096, 4096}, 0.5},
		"z":      {func(p *render.Pose, v float64) { p.Z = v }, [2]float64{-3e7, 3e7}, 0.5},
		"yaw":    {func(p *render.Pose, v float64) { p.Yaw = v }, [2]float64{-360, 360}, 0.5},
		"pitch":  {func(p *render.Pose, v float64) { p.Pitch = v }, [2]float64{-90, 90}, 0.5},
		"fov":    {func(p *render.Pose, v float64) { p.FOV = v }, [2]float64{30, 110}, 0.5},
		"width":  {func(p *render.Pose, v float64) { p.Width = int(v) }, [2]float64{320, 1920}, 1},
		"height": {func(p *render.Pose, v float64) { p.Height = int(v) }, [2]float64{180, 1080}, 1},
	} {
		for i, bound := range c.in {
			p := good
			if c.set(&p, bound); p.Check() != nil {
				t.Errorf("%s %v: %v", name, bound, p.Check())
			}
			out := bound + c.step*float64(2*i-1)
			if c.set(&p, out); p.Check() == nil || !strings.HasPrefix(p.Check().Error(), name+" is") {
				t.Errorf("%s %v: %v", name, out, p.Check())
			}
		}
	}
	if p := (render.Pose{X: math.NaN()}).Defaults(); p.Check() == nil {
		t.Error("a position that is no number was taken")
	}
}

// town is a plain with houses and trees, 192 blocks wide.
func town() *render.Scene {
	s := &render.Scene{
		Box:       geom.Box{Max: geom.Pos{X: 191, Y: 95, Z: 191}},
		Materials: []render.Material{{}, {Shape: render.Whole, Colour: grey}, {Shape: bottom, Colour: grey}, {Shape: steps, Colour: grey}},
	}
	s.Cells = make([]uint16, s.Box.Volume())
	at := func(x, y, z int) *uint16 { return &s.Cells[(y*192+z)*192+x] }
	r := rand.New(rand.NewPCG(7, 7))
	for x := range 192 {
		for z := range 192 {
			for y := range 20 + x/16%3 {
				*at(x, y, z) = 1
			}
		}
	}
	for range 60 {
		x, z, h := r.IntN(180), r.IntN(180), 4+r.IntN(20)
		for dx := range 8 {
			for dz := range 8 {
				for y := 20; y < 20+h; y++ {
					*at(x+dx, y, z+dz) = uint16(1 + r.IntN(3))
				}
			}
		}
	}
	s.Prepare()
	return s
}

// BenchmarkFrame makes one picture of 854×480 with a view of 160 blocks, and
// encodes it.
func BenchmarkFrame(b *testing.B) {
	s := town()
	pose := render.Pose{X: 96, Y: 44, Z: 4, Pitch: 18}.Defaults()
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	for b.Loop() {
		var out bytes.Buffer
		if err := encoder.Encode(&out, render.Render(s, pose, 160).Image); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMarch follows the same rays and draws nothing.
func BenchmarkMarch(b *testing.B) {
	s := town()
	pose := render.Pose{X: 96, Y: 44, Z: 4, Pitch: 18}.Defaults()
	eye, rays := pose.EyeAt(), pose.Rays()
	for b.Loop() {
		for y := range pose.Height {
			for x := range pose.Width {
				s.Cast(eye, rays(x, y), 160)
			}
		}
	}
}
