package osm

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/pharos-mcp/pharos/services/simulator/city"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
	"github.com/pharos-mcp/pharos/services/simulator/stream"
)

// Report says what became of the data.
type Report struct {
	Roads     int `json:"roads"`
	Buildings int `json:"buildings"`
	Depots    int `json:"depots"`

	Unconnected int `json:"roads_unconnected"`      // left out: no way leads there
	Unreached   int `json:"buildings_unreached"`    // left out: farther from a road than the game allows
	Overlapping int `json:"buildings_overlapping"`  // left out: another stands there, or its convex hull does
	Formless    int `json:"buildings_formless"`     // left out: no outline, or parts of it are not in the file
	Relations   int `json:"buildings_as_relations"` // left out: only ways are read
	Torn        int `json:"roads_torn"`             // pieces without a node that is in the file
}

// The bounds of what is made.
const (
	maxRoadNodes = 1200
	maxBuildings = 5000
	maxDepots    = 10
	margin       = 400 // around the roads, in tenths
)

var idForm = regexp.MustCompile(`^[a-z][a-z0-9-]{0,31}$`)

// Import makes a map with an id of OpenStreetMap XML.
func Import(r io.Reader, id string) (*city.Map, Report, error) {
	var report Report
	if !idForm.MatchString(id) {
		return nil, report, errors.New("the id of a map is 1 to 32 of a-z, 0-9 and -, and a letter first")
	}
	d, err := read(r)
	if err != nil {
		return nil, report, err
	}
	report.Relations = d.relations
	b := &builder{data: d, report: &report, city: &city.Map{ID: id}}
	if err := b.roads(); err != nil {
		return nil, report, err
	}
	if err := b.buildings(); err != nil {
		return nil, report, err
	}
	b.depots()
	report.Roads, report.Buildings, report.Depots = len(b.city.Edges), len(b.city.Buildings), len(b.city.Depots)
	if len(b.city.Buildings) == 0 {
		return nil, report, errors.New("no building is near a road")
	}
	return b.city, report, b.city.Complete()
}

// builder makes one map.
type builder struct {
	*data
	plane  plane
	shift  geo.Point
	report *Report
	city   *city.Map
}

// roads lays the roads and finds how large the map is.
func (b *builder) roads() error {
	var used []degrees
	for _, w := range b.ways {
		if driven[w.tags["highway"]] && w.tags["area"] != "yes" {
			for _, ref := range w.refs {
				if p, ok := b.places[ref]; ok {
					used = append(used, p)
				}
			}
		}
	}
	if len(used) == 0 {
		return errors.New("there is no road in it")
	}
	b.plane = planeOf(used)
	net := newRoads()
	for _, w := range b.ways {
		if !driven[w.tags["highway"]] || w.tags["area"] == "yes" {
			continue
		}
		for i := 1; i < len(w.refs); i++ {
			from, a := b.places[w.refs[i-1]]
			to, z := b.places[w.refs[i]]
			if !a || !z {
				b.report.Torn++
				continue
			}
			net.join(b.plane.point(from), b.plane.point(to))
		}
	}
	net.simplify()
	nodes, edges, others := net.main()
	b.report.Unconnected = others
	if len(edges) == 0 {
		return errors.New("there is no road in it")
	}
	if len(nodes) > maxRoadNodes {
		return fmt.Errorf("its roads have %d crossings and bends, more than %d: cut out a smaller piece", len(nodes), maxRoadNodes)
	}
	low, high := nodes[0], nodes[0]
	for _, n := range nodes {
		low = geo.Point{X: min(low.X, n.X), Y: min(low.Y, n.Y)}
		high = geo.Point{X: max(high.X, n.X), Y: max(high.Y, n.Y)}
	}
	b.shift = geo.Point{X: low.X - margin, Y: low.Y - margin}
	for i := range nodes {
		nodes[i] = nodes[i].Sub(b.shift)
	}
	b.city.Nodes, b.city.Edges = nodes, edges
	b.city.Width, b.city.Height = high.X-low.X+2*margin, high.Y-low.Y+2*margin
	return nil
}

// buildings takes the houses that the game can use, and numbers them by chance.
func (b *builder) buildings() error {
	for _, w := range b.ways {
		if !isBuilding(w.tags) {
			continue
		}
		house, ok := b.house(w)
		switch {
		case !ok:
			b.report.Formless++
		case !b.reached(house):
			b.report.Unreached++
		case b.overlaps(house):
			b.report.Overlapping++
		case len(b.city.Buildings) == maxBuildings:
			return fmt.Errorf("it has more than %d buildings: cut out a smaller piece", maxBuildings)
		default:
			b.city.Buildings = append(b.city.Buildings, house)
		}
	}
	built := b.city.Buildings
	chance := stream.New(0, "map/"+b.city.ID, 0, 0)
	chance.Shuffle(len(built), func(i, j int) { built[i], built[j] = built[j], built[i] })
	return nil
}

// house is the building of an outline: its convex hull.
func (b *builder) house(w way) (h city.Building, ok bool) {
	if len(w.refs) < 4 || w.refs[0] != w.refs[len(w.refs)-1] {
		return h, false
	}
	var corners []geo.Point
	for _, ref := range w.refs {
		p, ok := b.places[ref]
		if !ok {
			return h, false
		}
		corners = append(corners, b.plane.point(p).Sub(b.shift))
	}
	h.Footprint = hull(corners)
	if h.Footprint == nil || city.Area(h.Footprint) < 1 {
		return h, false
	}
	h.Point, h.Floors, h.Class = middle(h.Footprint), floors(w.tags), class(w.tags)
	return h, true
}

// reached reports whether a house is on the map and near a road.
func (b *builder) reached(h city.Building) bool {
	for _, corner := range h.Footprint {
		if !b.city.Contains(corner) {
			return false
		}
	}
	_, distance := b.city.Snap(h.Point)
	return distance <= city.MaxAccess
}

func (b *builder) overlaps(h city.Building) bool {
	for i := range b.city.Buildings {
		if !city.Disjoint(h.Footprint, b.city.Buildings[i].Footprint) {
			return true
		}
	}
	return false
}

// floors are what the tags say, or two.
func floors(tags map[string]string) int64 {
	n, err := strconv.ParseFloat(strings.TrimSpace(tags["building:levels"]), 64)
	if err != nil || !(n >= 0 && n <= 1000) {
		return 2
	}
	return min(max(int64(n), 1), 20)
}

// class is what the tags say that a house is made of or for, or mixed.
func class(tags map[string]string) city.Class {
	switch tags["building"] {
	case "industrial", "warehouse", "factory", "manufacture", "hangar":
		return city.Industrial
	case "barn", "shed", "hut", "cabin", "stable":
		return city.Timber
	}
	switch tags["building:material"] {
	case "brick", "stone", "concrete", "masonry", "cement_block":
		return city.Masonry
	case "wood", "timber_framing":
		return city.Timber
	}
	return city.Mixed
}

// depots puts stations where fire stations are, and the others, one after the
// other, on the middle of the road that is farthest from all before.
func (b *builder) depots() {
	m := b.city
	for _, id := range b.stations {
		p := b.plane.point(b.places[id]).Sub(b.shift)
		if place, distance := m.Snap(p); distance <= city.MaxSnap && len(m.Depots) < maxDepots {
			m.Depots = append(m.Depots, place)
		}
	}
	for len(m.Depots) < min(maxDepots, len(m.Edges)) {
		best, farthest := 0, int64(-1)
		for i, e := range m.Edges {
			if d2 := b.fromDepots(m.At(city.Place{Edge: i, Offset: e.Length / 2})); d2 > farthest {
				best, farthest = i, d2
			}
		}
		m.Depots = append(m.Depots, city.Place{Edge: best, Offset: m.Edges[best].Length / 2})
	}
}

// fromDepots is the squared distance of a point from the nearest depot.
func (b *builder) fromDepots(p geo.Point) int64 {
	nearest := int64(1) << 60
	for _, d := range b.city.Depots {
		nearest = min(nearest, geo.D2(p, b.city.At(d)))
	}
	return nearest
}
