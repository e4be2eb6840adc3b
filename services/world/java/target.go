package java

import (
	"context"
	"math"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/serial"
)

// target is the block that a player looks at, or nil where none is within reach.
// Every block that is not air counts as a whole one.
func (p *player) target(ctx context.Context) (found *geom.Pos) {
	t := p.at()
	eye := t.eye()
	far := int32(math.Ceil(reach))
	middle := serial.Floor(eye)
	box := geom.NewBox(middle.Add(geom.Pos{X: -far, Y: -far, Z: -far}), middle.Add(geom.Pos{X: far, Y: far, Z: far}))
	// Where a chunk is missing nothing is looked at.
	_ = p.server.world.View(ctx, box, func(r host.Reader) error {
		for at := range along(eye, t.direction()) {
			if !host.IsAir(r.At(at)) {
				found = &at
				break
			}
		}
		return nil
	})
	return found
}

// direction is where a player looks, one block long.
func (t stand) direction() [3]float64 {
	yaw, pitch := float64(t.yaw)*math.Pi/180, float64(t.pitch)*math.Pi/180
	return [3]float64{-math.Sin(yaw) * math.Cos(pitch), -math.Sin(pitch), math.Cos(yaw) * math.Cos(pitch)}
}

// along gives the positions that a ray of the length of reach goes through, in
// order: those of each side that it crosses next.
func along(from, direction [3]float64) func(yield func(geom.Pos) bool) {
	return func(yield func(geom.Pos) bool) {
		at := serial.Floor(from)
		place := [3]*int32{&at.X, &at.Y, &at.Z}
		var next, each [3]float64 // how far along the ray a side of each axis is, and one from the other
		var step [3]int32
		for i, d := range direction {
			whole := math.Floor(from[i])
			switch {
			case d > 0:
				step[i], each[i], next[i] = 1, 1/d, (whole+1-from[i])/d
			case d < 0:
				step[i], each[i], next[i] = -1, -1/d, (whole-from[i])/d
			default:
				next[i] = math.Inf(1)
			}
		}
		for yield(at) {
			i := 0
			for k := range next {
				if next[k] < next[i] {
					i = k
				}
			}
			if next[i] > reach {
				return
			}
			*place[i] += step[i]
			next[i] += each[i]
		}
	}
}
