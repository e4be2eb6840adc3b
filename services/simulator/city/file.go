package city

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// file is a map as it is kept: what cannot be derived, in tenths.
type file struct {
	ID        string         `json:"id"`
	Width     int64          `json:"width"`
	Height    int64          `json:"height"`
	Nodes     []pair         `json:"nodes"`
	Edges     [][2]int       `json:"edges"`  // places of nodes
	Depots    [][2]int64     `json:"depots"` // place of the edge, offset
	Buildings []fileBuilding `json:"buildings"`
}

type pair [2]int64

type fileBuilding struct {
	Point     pair   `json:"point"`
	Footprint []pair `json:"footprint"`
	Floors    int64  `json:"floors"`
	Class     string `json:"class"`
}

// MaxFile bounds a map that is read, in bytes.
const MaxFile = 4 << 20

// Read reads a map, and refuses one that is not valid with everything that is
// wrong with it.
func Read(data []byte) (*Map, error) {
	if len(data) > MaxFile {
		return nil, fmt.Errorf("a map has %d bytes at most", MaxFile)
	}
	var f file
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("there is something behind the map")
	}
	m := &Map{ID: f.ID, Width: f.Width, Height: f.Height}
	for _, n := range f.Nodes {
		m.Nodes = append(m.Nodes, geo.Point{X: n[0], Y: n[1]})
	}
	for _, e := range f.Edges {
		m.Edges = append(m.Edges, Edge{A: e[0], B: e[1]})
	}
	for _, d := range f.Depots {
		m.Depots = append(m.Depots, Place{Edge: int(d[0]), Offset: d[1]})
	}
	for i, b := range f.Buildings {
		class, ok := classNamed(b.Class)
		if !ok {
			return nil, fmt.Errorf("l%d is of the unknown class %q", i+1, b.Class)
		}
		building := Building{Point: geo.Point{X: b.Point[0], Y: b.Point[1]}, Floors: b.Floors, Class: class}
		for _, p := range b.Footprint {
			building.Footprint = append(building.Footprint, geo.Point{X: p[0], Y: p[1]})
		}
		m.Buildings = append(m.Buildings, building)
	}
	return m, m.Complete()
}

func classNamed(name string) (Class, bool) {
	for i, c := range classes {
		if c == name {
			return Class(i), true
		}
	}
	return 0, false
}

// Complete derives what is not kept, and says what is wrong with the map.
func (m *Map) Complete() error {
	for i := range m.Edges {
		e := &m.Edges[i]
		if e.A >= 0 && e.B >= 0 && e.A < len(m.Nodes) && e.B < len(m.Nodes) {
			e.Length = geo.Dist(m.Nodes[e.A], m.Nodes[e.B])
		}
	}
	for i := range m.Buildings {
		m.Buildings[i].Area = Area(m.Buildings[i].Footprint)
	}
	if problems := m.Validate(); len(problems) > 0 {
		const most = 20
		if len(problems) > most {
			problems = append(problems[:most], fmt.Sprintf("and %d more", len(problems)-most))
		}
		return errors.New(strings.Join(problems, "\n"))
	}
	m.way = survey(len(m.Nodes), m.Edges)
	m.cells = newCells(m)
	m.pairs(SpreadGap, m.join)
	return nil
}

// join makes two buildings neighbours if a fire can leap from one to the other.
func (m *Map) join(i, j int) {
	a, b := &m.Buildings[i], &m.Buildings[j]
	gap := Gap(a.Footprint, b.Footprint)
	if gap > SpreadGap {
		return
	}
	distance := geo.Dist(a.Point, b.Point)
	a.Neighbours = append(a.Neighbours, Neighbour{j, gap, b.Point.Sub(a.Point), distance})
	b.Neighbours = append(b.Neighbours, Neighbour{i, gap, a.Point.Sub(b.Point), distance})
}

// Encode writes a map as Read reads it: one node, road, depot or building a
// line, so that a change is seen.
func (m *Map) Encode() []byte {
	b := fmt.Appendf(nil, "{\n\"id\": %q, \"width\": %d, \"height\": %d,\n", m.ID, m.Width, m.Height)
	b = appendList(b, "nodes", len(m.Nodes), func(b []byte, i int) []byte { return appendPair(b, m.Nodes[i]) })
	b = appendList(append(b, ",\n"...), "edges", len(m.Edges), func(b []byte, i int) []byte {
		return fmt.Appendf(b, "[%d,%d]", m.Edges[i].A, m.Edges[i].B)
	})
	b = appendList(append(b, ",\n"...), "depots", len(m.Depots), func(b []byte, i int) []byte {
		return fmt.Appendf(b, "[%d,%d]", m.Depots[i].Edge, m.Depots[i].Offset)
	})
	b = appendList(append(b, ",\n"...), "buildings", len(m.Buildings), func(b []byte, i int) []byte {
		house := m.Buildings[i]
		b = appendPair(append(b, `{"point":`...), house.Point)
		b = append(b, `,"footprint":[`...)
		for j, p := range house.Footprint {
			if j > 0 {
				b = append(b, ',')
			}
			b = appendPair(b, p)
		}
		return fmt.Appendf(b, `],"floors":%d,"class":%q}`, house.Floors, house.Class.String())
	})
	return append(b, "\n}\n"...)
}

func appendList(b []byte, name string, n int, item func([]byte, int) []byte) []byte {
	b = fmt.Appendf(b, "%q: [", name)
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = item(append(b, '\n'), i)
	}
	return append(b, "\n]"...)
}

func appendPair(b []byte, p geo.Point) []byte { return fmt.Appendf(b, "[%d,%d]", p.X, p.Y) }
