package generate

import (
	"github.com/pharos-mcp/pharos/services/simulator/city"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// houses lines both sides of every road but the bridges, and numbers what was
// built by chance.
func (b *builder) houses() {
	for _, e := range b.city.Edges {
		if b.bridge[e] {
			continue
		}
		b.line(b.city.Nodes[e.A], b.city.Nodes[e.B], e)
		b.line(b.city.Nodes[e.B], b.city.Nodes[e.A], e)
	}
	built := b.city.Buildings
	b.chance.Shuffle(len(built), func(i, j int) { built[i], built[j] = built[j], built[i] })
}

// line builds along the left side of the way from one crossing to the next.
// Everything of a house is drawn also where it finds no room.
func (b *builder) line(from, to geo.Point, e city.Edge) {
	p := b.plan
	for at := int64(corner); ; {
		width, depth := b.chance.Range(p.width[0], p.width[1]), b.chance.Range(p.depth[0], p.depth[1])
		back, space := b.chance.Range(p.setback[0], p.setback[1]), b.chance.Range(p.space[0], p.space[1])
		floors := int64(b.chance.Pick(p.floors...)) + 1
		class := b.chance.Pick(b.weights(e)...)
		if at+width > e.Length-corner {
			return
		}
		place := frame{from, to, e.Length}
		house := city.Building{
			Point: place.at(at+width/2, back+depth/2), Floors: floors, Class: city.Class(class),
			Footprint: []geo.Point{
				place.at(at, back), place.at(at+width, back), place.at(at+width, back+depth), place.at(at, back+depth),
			},
		}
		if b.room(house) {
			b.city.Buildings = append(b.city.Buildings, house)
		}
		at += width + space
	}
}

// weights are those of the classes along a road.
func (b *builder) weights(e city.Edge) []int64 {
	p := b.plan
	row := int64(e.A) / p.columns
	if p.river > 0 && (row == p.river || row == p.river+1) && int64(e.B)/p.columns == row {
		return p.shore
	}
	return p.classes
}

// frame measures along a road and away from it, to its left.
type frame struct {
	from, to geo.Point
	length   int64
}

func (f frame) at(along, away int64) geo.Point {
	way := f.to.Sub(f.from)
	return geo.Point{
		X: f.from.X + geo.Rdiv(way.X*along-way.Y*away, f.length),
		Y: f.from.Y + geo.Rdiv(way.Y*along+way.X*away, f.length),
	}
}

// room reports whether a house is on the map, clear of every road, out of the
// river and apart from what stands already.
func (b *builder) room(house city.Building) bool {
	for _, corner := range house.Footprint {
		if !b.city.Contains(corner) {
			return false
		}
	}
	for _, e := range b.city.Edges {
		road := []geo.Point{b.city.Nodes[e.A], b.city.Nodes[e.B]}
		if b.bridge[e] {
			continue // nothing is built where they are
		}
		if !city.Disjoint(house.Footprint, road) || city.Gap(house.Footprint, road) < clearance {
			return false
		}
	}
	if b.wet(house) {
		return false
	}
	for _, other := range b.city.Buildings {
		if geo.D2(house.Point, other.Point) < 1000*1000 &&
			(!city.Disjoint(house.Footprint, other.Footprint) || city.Gap(house.Footprint, other.Footprint) < yard) {
			return false
		}
	}
	return true
}

// bank is how far the river keeps from the crossings on its shores.
const bank = 420

// wet reports whether a house reaches into the river.
func (b *builder) wet(house city.Building) bool {
	p := b.plan
	if p.river == 0 {
		return false
	}
	top, bottom := p.margin+p.river*p.pitch+bank, p.margin+(p.river+1)*p.pitch-bank
	for _, corner := range house.Footprint {
		if corner.Y > top && corner.Y < bottom {
			return true
		}
	}
	return false
}
