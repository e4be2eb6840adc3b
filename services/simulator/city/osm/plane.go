package osm

import (
	"cmp"
	"math"
	"slices"

	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// perDegree is the length of a degree of a great circle, in tenths of a metre.
const perDegree = 1_111_950.8

// plane lays a small piece of the earth flat, x to the east and y to the south.
type plane struct {
	origin  degrees
	shrinks float64 // a degree of longitude, of one of latitude
}

// planeOf lays flat what lies around some places.
func planeOf(places []degrees) plane {
	var lat, lon float64
	for _, p := range places {
		lat += p.lat / float64(len(places))
		lon += p.lon / float64(len(places))
	}
	return plane{degrees{lat, lon}, math.Cos(lat * math.Pi / 180)}
}

func (p plane) point(d degrees) geo.Point {
	return geo.Point{
		X: int64(math.Round(float64((d.lon-p.origin.lon)*p.shrinks) * perDegree)),
		Y: int64(math.Round((p.origin.lat - d.lat) * perDegree)),
	}
}

// hull is the convex hull of points, in the order that maps have: each corner a
// left turn where y points up.
func hull(points []geo.Point) []geo.Point {
	points = slices.Clone(points)
	slices.SortFunc(points, func(a, b geo.Point) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) })
	points = slices.Compact(points)
	if len(points) < 3 {
		return nil
	}
	half := func(points []geo.Point) (side []geo.Point) {
		for _, p := range points {
			for len(side) > 1 && turn(side[len(side)-2], side[len(side)-1], p) <= 0 {
				side = side[:len(side)-1]
			}
			side = append(side, p)
		}
		return side[:len(side)-1]
	}
	lower := half(points)
	slices.Reverse(points)
	if all := append(lower, half(points)...); len(all) > 2 {
		return all
	}
	return nil
}

// turn is positive where the way over three points turns left.
func turn(a, b, c geo.Point) int64 {
	u, v := b.Sub(a), c.Sub(a)
	return u.X*v.Y - u.Y*v.X
}

// middle is the mean of the corners, which is inside of a convex outline.
func middle(corners []geo.Point) geo.Point {
	var sum geo.Point
	for _, p := range corners {
		sum.X, sum.Y = sum.X+p.X, sum.Y+p.Y
	}
	n := int64(len(corners))
	return geo.Point{X: geo.Rdiv(sum.X, n), Y: geo.Rdiv(sum.Y, n)}
}
