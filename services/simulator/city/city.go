package city

import "github.com/pharos-mcp/pharos/services/simulator/geo"

// The bounds of a map, in tenths.
const (
	MaxEdge   = 2000   // a road between two nodes
	MaxAccess = 350    // from a building's point to the nearest road
	MaxSnap   = 600    // from a point that is asked for to the nearest road
	SpreadGap = 150    // between footprints that a fire can leap
	maxSide   = 100000 // of the whole map
)

// Map is one city. It is never changed once it is loaded.
type Map struct {
	ID            string
	Width, Height int64
	Nodes         []geo.Point
	Edges         []Edge
	Buildings     []Building // by number, which is the place plus one
	Depots        []Place

	way   ways
	cells cells
}

// Edge is a straight road between two nodes, open both ways. Its id is e<n>,
// where n is its place plus one.
type Edge struct {
	A, B   int
	Length int64
}

// Building is a house. Its id is l<n>, where n is its place plus one and says
// nothing of where it stands.
type Building struct {
	Point     geo.Point
	Footprint []geo.Point // convex, counter-clockwise where y points up
	Area      int64       // m² of the ground
	Floors    int64
	Class     Class

	Neighbours []Neighbour // within SpreadGap, by place
}

// Neighbour is a building that a fire of another can leap to.
type Neighbour struct {
	Building int
	Gap      int64 // between the footprints
	Offset   geo.Point
	Distance int64 // between the points
}

// Class is what a building is made of.
type Class int

// The classes.
const (
	Masonry Class = iota
	Mixed
	Timber
	Industrial
)

var classes = [...]string{"masonry", "mixed", "timber", "industrial"}

// String names the class.
func (c Class) String() string { return classes[c] }

// Place is a position on a road: so far from the edge's first node.
type Place struct {
	Edge   int
	Offset int64
}

// At is where a place is.
func (m *Map) At(p Place) geo.Point {
	e := m.Edges[p.Edge]
	return geo.Between(m.Nodes[e.A], m.Nodes[e.B], p.Offset, e.Length)
}

// Contains reports whether a point is on the map, its border included.
func (m *Map) Contains(p geo.Point) bool {
	return p.X >= 0 && p.Y >= 0 && p.X <= m.Width && p.Y <= m.Height
}
