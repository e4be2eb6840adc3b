package engine

import "github.com/pharos-mcp/pharos/services/simulator/city"

// Countdown is where a fire is going while its crew stays as it is: in so many
// ticks it is out or the building falls, and the other is -1.
type Countdown struct{ Extinguish, Collapse int64 }

// countdown follows a fire to its end.
func (f fire) countdown(class city.Class, size int64, crew int) Countdown {
	for n := int64(1); ; n++ {
		switch f.step(class, size, crew) { // the damage grows with every tick, so it ends
		case Normal:
			return Countdown{n, -1}
		case Collapsed:
			return Countdown{-1, n}
		}
	}
}

// passed is what a countdown is a tick later, while the crew is the same.
func (c Countdown) passed() Countdown {
	return Countdown{max(c.Extinguish-1, -1), max(c.Collapse-1, -1)}
}

// nobody is the crew of a countdown that does not hold.
const nobody = -1

// foresee finds the countdowns of all that burns. One that was found for the
// same crew, and has passed since, holds.
func (e *Episode) foresee() {
	for _, n := range e.blazes {
		h, crew := &e.houses[n], 0
		for i := range e.trucks {
			if e.trucks[i].target == n {
				crew++
			}
		}
		if h.foreseen != crew {
			h.left, h.foreseen = h.fire.countdown(e.city.Buildings[n].Class, h.size, crew), crew
		}
	}
}

// Countdown is where the fire of a building is going under the crew that it has
// in this tick; both are -1 where it does not burn.
func (e *Episode) Countdown(n int) Countdown {
	if e.houses[n].status != Burning {
		return Countdown{-1, -1}
	}
	return e.houses[n].left
}
