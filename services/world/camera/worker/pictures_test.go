package worker_test

import (
	"bytes"
	"flag"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/camera/render"
	"github.com/pharos-mcp/pharos/services/world/camera/snapshot"
	"github.com/pharos-mcp/pharos/services/world/camera/worker"
	"github.com/pharos-mcp/pharos/services/world/geom"
)

var update = flag.Bool("update", false, "draw the pictures of docs/world again")

// pictures are those of the guide, by their names.
var pictures = map[string]struct {
	pose render.Pose
	plan func() []snapshot.Change
}{
	"house":  {pose: render.Pose{X: 15.5, Y: 70, Z: 21.5, Yaw: 144, Pitch: 8, FOV: 60}},
	"stair":  {pose: render.Pose{X: 10.5, Y: 69, Z: 10.5, Yaw: 230, Pitch: 10, FOV: 60}},
	"forest": {pose: render.Pose{X: 2, Y: 75, Z: 22, Yaw: 72, Pitch: 12, FOV: 60}},
	"plan":   {pose: render.Pose{X: 15.5, Y: 70, Z: 21.5, Yaw: 144, Pitch: 8, FOV: 60}, plan: tower},
}

// tower is a plan: a tower beside the house.
func tower() (changes []snapshot.Change) {
	for y := int32(65); y <= 74; y++ {
		for x := int32(-1); x <= 1; x++ {
			for z := int32(-1); z <= 1; z++ {
				state := "minecraft:white_concrete"
				if y%4 == 0 {
					state = "minecraft:red_concrete"
				}
				if y == 74 && x == 0 && z == 0 {
					state = "minecraft:sea_lantern"
				}
				if x == 0 && z == 0 || y < 74 || (x+z)%2 == 0 {
					changes = append(changes, snapshot.Change{Pos: geom.Pos{X: 10 + x, Y: y, Z: -3 + z}, State: state})
				}
			}
		}
	}
	return changes
}

// TestPictures: the guide's pictures are what the camera draws. They were looked
// at: who draws them again has to do so too.
func TestPictures(t *testing.T) {
	t.Parallel()
	all := settle(t).shot(geom.Pos{Y: 68}, worker.View+24) // as far as any of them sees
	for name, p := range pictures {
		p.pose.Width, p.pose.Height = 480, 270
		shot := all
		if p.plan != nil {
			var err error
			if shot, err = all.With(p.plan()); err != nil {
				t.Fatal(err)
			}
		}
		f, err := worker.Draw(shot, worker.Order{Version: "1.20.2", Pose: p.pose})
		if err != nil {
			t.Fatal(err)
		}
		drawn, err := png.Decode(bytes.NewReader(f.Image))
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("../../../../docs/world", name+".png")
		if *update {
			keep(t, file, drawn)
		}
		kept, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		want, err := png.Decode(kept)
		if err != nil || kept.Close() != nil {
			t.Fatal(err)
		}
		// A machine may round another way, and a ray then meets the next block.
		if n := different(drawn, want); n > 480*270/200 {
			t.Errorf("%s: %d pixels are others; go test ./services/world/camera/worker -run TestPictures -update, then look at it", name, n)
		}
	}
}

func keep(t *testing.T, file string, picture image.Image) {
	t.Helper()
	var out bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&out, picture); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// different counts the pixels of two pictures that are not alike.
func different(a, b image.Image) (n int) {
	if a.Bounds() != b.Bounds() {
		return math.MaxInt
	}
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			r, g, bl, _ := a.At(x, y).RGBA()
			r2, g2, bl2, _ := b.At(x, y).RGBA()
			off := func(v, w uint32) bool { return max(v, w)-min(v, w) > 8<<8 }
			if off(r, r2) || off(g, g2) || off(bl, bl2) {
				n++
			}
		}
	}
	return n
}
