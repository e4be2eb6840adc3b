package main

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"io"
	"math/rand/v2"
	"time"

	"github.com/pharos-mcp/pharos/services/world/camera/render"
	"github.com/pharos-mcp/pharos/services/world/colour"
	"github.com/pharos-mcp/pharos/services/world/geom"
)

// frameGoal is what a picture may cost, in marches of its rays.
const frameGoal = 3

// How a picture is measured.
const (
	cameraView   = 160 // blocks
	cameraRounds = 7
)

// cameraPart measures the processor time of a picture of 854×480 pixels, as PNG,
// beside that of following the same rays through the same blocks until they meet
// something, without light, shadow or fog.
func cameraPart(ctx context.Context, stdout io.Writer) ([]goal, error) {
	s := town()
	pose := render.Pose{X: cameraView, Y: 44, Z: 8, Pitch: 18}.Defaults()
	fmt.Fprintf(stdout, "camera: %d rounds of a picture of %d×%d pixels and its rays, %d blocks of view\n",
		cameraRounds, pose.Width, pose.Height, cameraView)
	var frames, marches, ratios []float64
	for range cameraRounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		marched := cpuOf(func() { march(s, pose) })
		var failed error
		drawn := cpuOf(func() { failed = draw(s, pose) })
		if failed != nil {
			return nil, failed
		}
		frames, marches = append(frames, drawn.Seconds()), append(marches, marched.Seconds())
		ratios = append(ratios, drawn.Seconds()/marched.Seconds())
	}
	fmt.Fprintf(stdout, "camera: a picture takes %.0f ms of the processor, its rays %.0f ms\n", 1000*median(frames), 1000*median(marches))
	return []goal{{name: "camera-frame-to-march", measured: median(ratios), bound: frameGoal, unit: "x"}}, nil
}

func cpuOf(f func()) time.Duration {
	begun := now().CPU
	f()
	return now().CPU - begun
}

func march(s *render.Scene, pose render.Pose) {
	eye, through := pose.EyeAt(), pose.Rays()
	for y := range pose.Height {
		for x := range pose.Width {
			s.Cast(eye, through(x, y), cameraView)
		}
	}
}

func draw(s *render.Scene, pose render.Pose) error {
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	return encoder.Encode(new(bytes.Buffer), render.Render(s, pose, cameraView).Image)
}

// The blocks of the town, by their places in its materials.
const (
	townFull = 1 + iota
	townSlab
	townStairs
	townGlass
)

// town is uneven ground with houses of blocks, slabs, stairs and glass, as large
// as a picture sees.
func town() *render.Scene {
	box := func(x, y, z, x2, y2, z2 float32) render.Cuboid {
		return render.Cuboid{Min: [3]float32{x, y, z}, Max: [3]float32{x2, y2, z2}}
	}
	grey, glass := colour.RGBA{R: 120, G: 120, B: 120, A: 255}, colour.RGBA{R: 200, G: 220, B: 230, A: 70}
	slab := box(0, 0, 0, 1, 0.5, 1)
	const width, height = 2*cameraView + 1, 96
	s := &render.Scene{
		Box: geom.Box{Max: geom.Pos{X: width - 1, Y: height - 1, Z: width - 1}},
		Materials: []render.Material{
			{}, townFull: {Shape: render.Whole, Colour: grey}, townSlab: {Shape: []render.Cuboid{slab}, Colour: grey},
			townStairs: {Shape: []render.Cuboid{slab, box(0, 0.5, 0.5, 1, 1, 1)}, Colour: grey}, townGlass: {Shape: render.Whole, Colour: glass},
		},
		Cells: make([]uint16, width*width*height),
	}
	fill := func(x, y, z, x2, y2, z2 int, block func() uint16) {
		for y := y; y < y2; y++ {
			for z := z; z < z2; z++ {
				for x := x; x < x2; x++ {
					s.Cells[(y*width+z)*width+x] = block()
				}
			}
		}
	}
	for x := 0; x < width; x++ {
		fill(x, 0, 0, x+1, 20+x/16%3, width, func() uint16 { return townFull })
	}
	r := rand.New(rand.NewPCG(7, 7))
	for range 170 {
		x, z, top := r.IntN(width-8), r.IntN(width-8), 24+r.IntN(20)
		fill(x, 20, z, x+8, top, z+8, func() uint16 { return uint16(1 + r.IntN(townGlass)) })
	}
	s.Prepare()
	return s
}
