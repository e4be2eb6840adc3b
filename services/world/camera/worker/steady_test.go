package worker_test

import (
	"bytes"
	"image"
	"image/png"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/camera/snapshot"
	"github.com/pharos-mcp/pharos/services/world/camera/worker"
	"github.com/pharos-mcp/pharos/services/world/geom"
)

// TestSteady: a block looks alike whatever else a snapshot has, so that two
// pictures can be compared although they are taken from different places.
func TestSteady(t *testing.T) {
	t.Parallel()
	v := settle(t)
	draw := func(s *snapshot.Snapshot) image.Image {
		pose := pictures["stair"].pose
		pose.Width, pose.Height = 320, 180
		f, err := worker.Draw(s, worker.Order{Version: "1.20.2", Pose: pose})
		if err != nil {
			t.Fatal(err)
		}
		p, err := png.Decode(bytes.NewReader(f.Image))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	one, other := draw(v.shot(geom.Pos{Y: 68}, 60)), draw(v.shot(geom.Pos{X: 3, Y: 68, Z: -5}, 71))
	sky := 0
	for x := range 320 { // the ground ends elsewhere
		for y := range 110 {
			one.(*image.RGBA).Set(x, y, image.Black)
			other.(*image.RGBA).Set(x, y, image.Black)
			sky++
		}
	}
	if n := different(one, other); n > (320*180-sky)/200 {
		t.Errorf("%d of %d pixels are others", n, 320*180-sky)
	}
}
