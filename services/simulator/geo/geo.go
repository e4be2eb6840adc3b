// Package geo is the simulator's plane: integer points in tenths of a unit,
// where one unit is a metre, and integer arithmetic on them that gives the same
// bits on every machine.
package geo

import "math/bits"

// Point is a place on the map, in tenths of a unit.
type Point struct{ X, Y int64 }

// Sub is the vector from q to p.
func (p Point) Sub(q Point) Point { return Point{p.X - q.X, p.Y - q.Y} }

// Dot is the inner product of two vectors.
func (p Point) Dot(q Point) int64 { return p.X*q.X + p.Y*q.Y }

// D2 is the squared distance of two points. Distances are compared as this,
// never as roots.
func D2(p, q Point) int64 {
	d := p.Sub(q)
	return d.Dot(d)
}

// Dist is the distance of two points, rounded to the nearest tenth.
func Dist(p, q Point) int64 { return (Isqrt(4*D2(p, q)) + 1) / 2 }

// Isqrt is the largest integer whose square is at most n, by Newton's method from
// the least power of two that is not below the root; n is not negative.
func Isqrt(n int64) int64 {
	if n < 2 {
		return n
	}
	x := int64(1) << ((bits.Len64(uint64(n)) + 1) / 2)
	for {
		y := (x + n/x) / 2
		if y >= x {
			return x
		}
		x = y
	}
}

// Rdiv is a/b rounded to the nearest integer, halves away from zero; b is
// positive.
func Rdiv(a, b int64) int64 {
	if a < 0 {
		return -((-a + b/2) / b)
	}
	return (a + b/2) / b
}

// Between is the point at part/whole of the way from a to b.
func Between(a, b Point, part, whole int64) Point {
	return Point{a.X + Rdiv((b.X-a.X)*part, whole), a.Y + Rdiv((b.Y-a.Y)*part, whole)}
}
