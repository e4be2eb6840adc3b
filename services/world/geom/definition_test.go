package geom_test

import "github.com/pharos-mcp/pharos/services/world/geom"

// defined is the block that an operation puts at a position, or "", by its
// definition alone and without any thought of cost.
func defined(o geom.Operation, p geom.Pos) string {
	switch o := o.(type) {
	case geom.Cuboid:
		lx, hx := min(o.Min.X, o.Max.X), max(o.Min.X, o.Max.X)
		ly, hy := min(o.Min.Y, o.Max.Y), max(o.Min.Y, o.Max.Y)
		lz, hz := min(o.Min.Z, o.Max.Z), max(o.Min.Z, o.Max.Z)
		in := lx <= p.X && p.X <= hx && ly <= p.Y && p.Y <= hy && lz <= p.Z && p.Z <= hz
		face := p.X == lx || p.X == hx || p.Y == ly || p.Y == hy || p.Z == lz || p.Z == hz
		if in && (face || !o.Hollow) {
			return o.Block
		}
	case geom.Replace:
		return defined(geom.Cuboid{Min: o.Min, Max: o.Max, Block: o.Block}, p)
	case geom.Line:
		if onLine(o, p) {
			return o.Block
		}
	case geom.Cylinder:
		if inCylinder(o, p) && !(o.Hollow && enclosed(p, flat, func(q geom.Pos) bool { return inCylinder(o, q) })) {
			return o.Block
		}
	case geom.Sphere:
		if inSphere(o, p) && !(o.Hollow && enclosed(p, solid, func(q geom.Pos) bool { return inSphere(o, q) })) {
			return o.Block
		}
	}
	return ""
}

// onLine: some i of 0…n has p within a half of from + i·(to-from)/n on every
// axis, a half below it counting and a half above it not.
func onLine(l geom.Line, p geom.Pos) bool {
	d := l.To.Sub(l.From)
	n := max(d.X, -d.X, d.Y, -d.Y, d.Z, -d.Z)
	if n == 0 {
		return p == l.From
	}
	off := p.Sub(l.From)
	for i := range n + 1 {
		near := true
		for _, axis := range [][2]int32{{off.X, d.X}, {off.Y, d.Y}, {off.Z, d.Z}} {
			miss := 2*n*axis[0] - 2*i*axis[1] // 2n times how far p lies beyond the point
			near = near && -n < miss && miss <= n
		}
		if near {
			return true
		}
	}
	return false
}

func inCylinder(c geom.Cylinder, p geom.Pos) bool {
	d := p.Sub(c.Center)
	return d.X*d.X+d.Z*d.Z <= c.Radius*c.Radius && d.Y >= 0 && d.Y < c.Height
}

func inSphere(s geom.Sphere, p geom.Pos) bool {
	d := p.Sub(s.Center)
	return d.X*d.X+d.Y*d.Y+d.Z*d.Z <= s.Radius*s.Radius
}

var (
	flat  = []geom.Pos{{X: 1}, {X: -1}, {Z: 1}, {Z: -1}}
	solid = append([]geom.Pos{{Y: 1}, {Y: -1}}, flat...)
)

// enclosed reports that all neighbours are in a shape.
func enclosed(p geom.Pos, ways []geom.Pos, in func(geom.Pos) bool) bool {
	for _, way := range ways {
		if !in(p.Add(way)) {
			return false
		}
	}
	return true
}

// around is a box that holds an operation that is no repeat.
func around(o geom.Operation) geom.Box {
	grown := func(p geom.Pos, by int32) geom.Box {
		return geom.Box{Min: p.Add(geom.Pos{X: -by, Y: -by, Z: -by}), Max: p.Add(geom.Pos{X: by, Y: by, Z: by})}
	}
	switch o := o.(type) {
	case geom.Cuboid:
		return geom.NewBox(o.Min, o.Max)
	case geom.Replace:
		return geom.NewBox(o.Min, o.Max)
	case geom.Line:
		return geom.NewBox(o.From, o.To)
	case geom.Cylinder:
		return grown(o.Center, max(o.Radius, o.Height))
	case geom.Sphere:
		return grown(o.Center, o.Radius)
	default:
		panic("no shape")
	}
}

// writtenOut is a list with its repeats written out, moved.
func writtenOut(operations []geom.Operation, by geom.Pos) []geom.Operation {
	var out []geom.Operation
	for _, o := range operations {
		switch o := o.(type) {
		case geom.Cuboid:
			o.Min, o.Max = o.Min.Add(by), o.Max.Add(by)
			out = append(out, o)
		case geom.Replace:
			o.Min, o.Max = o.Min.Add(by), o.Max.Add(by)
			out = append(out, o)
		case geom.Line:
			o.From, o.To = o.From.Add(by), o.To.Add(by)
			out = append(out, o)
		case geom.Cylinder:
			o.Center = o.Center.Add(by)
			out = append(out, o)
		case geom.Sphere:
			o.Center = o.Center.Add(by)
			out = append(out, o)
		case geom.Repeat:
			for range o.Count {
				out = append(out, writtenOut(o.Operations, by)...)
				by = by.Add(o.Offset)
			}
			for range o.Count {
				by = by.Sub(o.Offset)
			}
		}
	}
	return out
}
