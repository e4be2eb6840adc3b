package city

import "github.com/pharos-mcp/pharos/services/simulator/geo"

// cross is the outer product of the ways from a to b and from a to c.
func cross(a, b, c geo.Point) int64 {
	u, v := b.Sub(a), c.Sub(a)
	return u.X*v.Y - u.Y*v.X
}

// convex reports whether a polygon turns left at every corner.
func convex(polygon []geo.Point) bool {
	n := len(polygon)
	if n < 3 {
		return false
	}
	for i := range polygon {
		if cross(polygon[i], polygon[(i+1)%n], polygon[(i+2)%n]) <= 0 {
			return false
		}
	}
	return true
}

// Area is that of a polygon, rounded to m².
func Area(polygon []geo.Point) int64 {
	twice := int64(0)
	for i, p := range polygon {
		q := polygon[(i+1)%len(polygon)]
		twice += p.X*q.Y - p.Y*q.X
	}
	return geo.Rdiv(max(twice, -twice), 200)
}

// Disjoint reports whether two convex polygons have no point in common: a side
// of one of them has the other wholly on its outside.
func Disjoint(p, q []geo.Point) bool { return apart(p, q) || apart(q, p) }

func apart(p, q []geo.Point) bool {
	for i, a := range p {
		b := p[(i+1)%len(p)]
		outside := true
		for _, c := range q {
			if cross(a, b, c) >= 0 {
				outside = false
				break
			}
		}
		if outside {
			return true
		}
	}
	return false
}

// Gap is the distance between two disjoint polygons: the least between a corner
// of one and a side of the other.
func Gap(p, q []geo.Point) int64 { return min(gap(p, q), gap(q, p)) }

func gap(corners, sides []geo.Point) int64 {
	least := far
	for _, c := range corners {
		for i, a := range sides {
			least = min(least, fromSide(c, a, sides[(i+1)%len(sides)]))
		}
	}
	return least
}

// fromSide is the distance of a point from a side, which has a length.
func fromSide(p, a, b geo.Point) int64 {
	side := b.Sub(a)
	switch t := p.Sub(a).Dot(side); {
	case t <= 0:
		return geo.Dist(p, a)
	case t >= side.Dot(side):
		return geo.Dist(p, b)
	}
	c := cross(a, b, p)
	return geo.Rdiv(max(c, -c), geo.Dist(a, b))
}
