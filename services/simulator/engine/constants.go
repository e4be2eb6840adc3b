package engine

import (
	"github.com/pharos-mcp/pharos/services/simulator/city"
	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// Mechanics is the version of the rules. Any change of a rule, a constant or a
// phrase raises it.
const Mechanics = 1

// The constants of the rules. Lengths are tenths of a unit, intensities hW,
// damages kJ, and times ticks of 10 s.
const (
	Speed       = 800 // of a truck in a tick
	Vision      = 800 // of a truck
	Suppression = 500 // within which a truck fights

	smallest, largest = 80, 800 // size of a building, m² of floor
)

// power is what a crew of so many trucks takes from a fire in a tick; more than
// three work as three.
var power = [...]int64{0, 480, 912, 1248}

// material is what a class of buildings is like in a fire.
type material struct {
	growth   int64 // K: I = K·(age+1)² while nobody fights it
	peak     int64 // hW/m²
	collapse int64 // kJ/m²
	critical int64 // flux that begins to heat it
	ignition int64 // heat at which it burns
	trapped  int64 // permille of the people inside
}

// materials are those of the classes of the city.
var materials = [...]material{
	city.Masonry:    {6, 150, 3500, 1500, 60000, 300},
	city.Mixed:      {12, 150, 2500, 1000, 40000, 400},
	city.Timber:     {20, 150, 1500, 600, 25000, 500},
	city.Industrial: {32, 150, 1200, 900, 30000, 300},
}

// size is how much of a building there is to burn, in m² of floor.
func size(b *city.Building) int64 { return min(max(b.Area*b.Floors, smallest), largest) }

// weight is what of a fire's intensity a neighbour across a gap gets, in permille.
func weight(gap int64) int64 { return 1000 * 1600 / ((gap + 40) * (gap + 40)) }

// Wind blows towards a direction, its unit vector times 1000, with a strength
// in permille.
type Wind struct {
	Towards  geo.Point
	Strength int64
}

// winds are the eight directions, from north clockwise; y grows to the south.
var winds = [...]geo.Point{
	{X: 0, Y: -1000}, {X: 707, Y: -707}, {X: 1000, Y: 0}, {X: 707, Y: 707},
	{X: 0, Y: 1000}, {X: -707, Y: 707}, {X: -1000, Y: 0}, {X: -707, Y: -707},
}

// factor is how much more, or less, of a fire reaches a neighbour for the wind,
// in permille.
func (w Wind) factor(offset geo.Point, distance int64) int64 {
	if distance == 0 {
		return 1000
	}
	along := offset.Dot(w.Towards) / distance
	return min(max(1000+w.Strength*along/1000, 200), 1800)
}
