package render

import (
	"errors"
	"fmt"
	"math"
)

// Eye is how far the eye is above the feet.
const Eye = 1.62

// Pose is where a picture is taken from.
type Pose struct {
	X      float64 `json:"x"` // of the feet, in blocks
	Y      float64 `json:"y"`
	Z      float64 `json:"z"`
	Yaw    float64 `json:"yaw"`              // degrees: 0 looks south (+z), 90 west (-x), 180 north, 270 east
	Pitch  float64 `json:"pitch"`            // degrees: -90 looks up, 90 down
	FOV    float64 `json:"fov,omitempty"`    // degrees, from the lower to the upper edge: 30 to 110
	Width  int     `json:"width,omitempty"`  // pixels: 320 to 1920
	Height int     `json:"height,omitempty"` // pixels: 180 to 1080
}

// Defaults fills in what is 0: 70 degrees and 854×480 pixels.
func (p Pose) Defaults() Pose {
	if p.FOV == 0 {
		p.FOV = 70
	}
	if p.Width == 0 {
		p.Width = 854
	}
	if p.Height == 0 {
		p.Height = 480
	}
	return p
}

// Check reports all that is out of bounds.
func (p Pose) Check() error { return errors.Join(p.Problems()...) }

// Problems are all that is out of bounds, one by one.
func (p Pose) Problems() (found []error) {
	for _, v := range []struct {
		name         string
		is, low, top float64
	}{
		{"x", p.X, -3e7, 3e7}, {"y", p.Y, -4096, 4096}, {"z", p.Z, -3e7, 3e7}, {"yaw", p.Yaw, -360, 360},
		{"pitch", p.Pitch, -90, 90}, {"fov", p.FOV, 30, 110},
		{"width", float64(p.Width), 320, 1920}, {"height", float64(p.Height), 180, 1080},
	} {
		if !(v.is >= v.low && v.is <= v.top) { // NaN is in no bounds
			found = append(found, fmt.Errorf("%s is %.10g, not from %.10g to %.10g", v.name, v.is, v.low, v.top))
		}
	}
	return found
}

// EyeAt is the point that the rays leave from.
func (p Pose) EyeAt() Vector { return Vector{p.X, p.Y + Eye, p.Z} }

// lens turns pixels into directions.
type lens struct {
	forward, right, up Vector
	half               float64 // of the height, at distance 1
	width, height      float64
}

func (p Pose) lens() lens {
	yaw, pitch := p.Yaw*math.Pi/180, p.Pitch*math.Pi/180
	sinY, cosY := math.Sincos(yaw)
	sinP, cosP := math.Sincos(pitch)
	return lens{
		forward: Vector{-sinY * cosP, -sinP, cosY * cosP},
		right:   Vector{-cosY, 0, -sinY},
		up:      Vector{-sinY * sinP, cosP, cosY * sinP},
		half:    math.Tan(p.FOV * math.Pi / 360), width: float64(p.Width), height: float64(p.Height),
	}
}

// ray is the direction through the middle of a pixel, of length 1.
func (l *lens) ray(x, y int) Vector {
	u := (2*(float64(x)+0.5) - l.width) / l.height * l.half
	v := (l.height - 2*(float64(y)+0.5)) / l.height * l.half
	var d Vector
	square := 0.0
	for i := range 3 {
		d[i] = l.forward[i] + u*l.right[i] + v*l.up[i]
		square += d[i] * d[i]
	}
	long := math.Sqrt(square)
	for i := range 3 {
		d[i] /= long
	}
	return d
}

// Rays gives the directions through the middles of pixels, counted from the upper
// left corner.
func (p Pose) Rays() func(x, y int) Vector {
	l := p.lens()
	return l.ray
}
