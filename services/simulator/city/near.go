package city

import (
	"cmp"
	"slices"

	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// cellSide is that of a square of the index, in tenths.
const cellSide = 800

// cells sort buildings into squares, by their points.
type cells struct {
	columns, rows int64
	content       [][]int32
}

func newCells(m *Map) cells {
	c := cells{columns: m.Width/cellSide + 1, rows: m.Height/cellSide + 1}
	c.content = make([][]int32, c.columns*c.rows)
	for i, b := range m.Buildings {
		at := b.Point.Y/cellSide*c.columns + b.Point.X/cellSide
		c.content[at] = append(c.content[at], int32(i))
	}
	return c
}

// Sighting is a building within some distance of a point.
type Sighting struct {
	Building int
	D2       int64
}

// Near appends the buildings whose points are within a distance of p, the
// nearest first and by number where they are equally near.
func (m *Map) Near(found []Sighting, p geo.Point, distance int64) []Sighting {
	start, most := len(found), distance*distance
	c := &m.cells
	left, right := max(0, (p.X-distance)/cellSide), min(c.columns-1, (p.X+distance)/cellSide)
	top, bottom := max(0, (p.Y-distance)/cellSide), min(c.rows-1, (p.Y+distance)/cellSide)
	for row := top; row <= bottom; row++ {
		for column := left; column <= right; column++ {
			for _, i := range c.content[row*c.columns+column] {
				if d2 := geo.D2(p, m.Buildings[i].Point); d2 <= most {
					found = append(found, Sighting{int(i), d2})
				}
			}
		}
	}
	slices.SortFunc(found[start:], func(a, b Sighting) int {
		return cmp.Or(cmp.Compare(a.D2, b.D2), cmp.Compare(a.Building, b.Building))
	})
	return found
}
