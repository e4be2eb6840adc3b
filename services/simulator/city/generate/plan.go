// Package generate makes the maps of the game from plans and numbers of chance,
// with integers only: the same bytes on every machine.
package generate

import (
	"maps"
	"slices"

	"github.com/pharos-mcp/pharos/services/simulator/city"
)

// plan is what a map is made of. Lengths are tenths.
type plan struct {
	columns, rows int64 // of crossings
	pitch, jitter int64 // between crossings, and how far one may be off
	margin        int64
	closed        int      // roads that are left out of the full grid
	river         int64    // between this row and the next; 0 for none
	bridges       []int64  // columns
	width, depth  [2]int64 // of a house along the road and away from it
	space         [2]int64 // between two houses
	setback       [2]int64 // from the middle of the road
	floors        []int64  // weights of 1, 2, … floors
	classes       []int64  // weights
	shore         []int64  // weights of classes beside the river
}

// corner is what stays free of houses at a crossing.
const corner = 150

// clearance is the least distance of a house from the middle of any road, and
// yard that of two houses.
const clearance, yard = 60, 8

// depots is how many stations a map has.
const depots = 10

// plans are the three cities, by id.
var plans = map[string]plan{
	// Regular blocks, brick and mixed, streets that are easy to drive.
	"londone": {
		columns: 9, rows: 7, pitch: 1420, jitter: 110, margin: 720, closed: 17,
		width: [2]int64{110, 230}, depth: [2]int64{110, 190}, space: [2]int64{20, 140}, setback: [2]int64{85, 110},
		floors: []int64{3, 5, 3, 1}, classes: []int64{450, 350, 150, 50},
	},
	// Two shores and three bridges; sheds and stores along the water.
	"portside": {
		columns: 11, rows: 8, pitch: 1430, jitter: 120, margin: 750, closed: 14,
		river: 3, bridges: []int64{1, 5, 9},
		width: [2]int64{110, 240}, depth: [2]int64{110, 190}, space: [2]int64{20, 130}, setback: [2]int64{85, 110},
		floors: []int64{5, 4, 1}, classes: []int64{300, 350, 250, 100}, shore: []int64{100, 150, 200, 550},
	},
	// Short crooked streets, timber, house beside house.
	"oldtown": {
		columns: 9, rows: 8, pitch: 1020, jitter: 150, margin: 680, closed: 16,
		width: [2]int64{90, 170}, depth: [2]int64{100, 170}, space: [2]int64{8, 60}, setback: [2]int64{80, 100},
		floors: []int64{2, 5, 2}, classes: []int64{150, 280, 550, 20},
	},
}

// Make makes a map; ok says whether there is a plan of that id.
func Make(id string) (m *city.Map, ok bool) {
	p, ok := plans[id]
	if !ok {
		return nil, false
	}
	b := newBuilder(id, p)
	b.streets()
	b.close()
	b.houses()
	b.stations()
	return b.city, true
}

// IDs are the maps that there are plans of, in no order.
func IDs() []string { return slices.Collect(maps.Keys(plans)) }
