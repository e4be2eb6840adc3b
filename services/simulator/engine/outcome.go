package engine

import "github.com/pharos-mcp/pharos/services/simulator/geo"

// Tick is the stable tick that the episode is at.
func (e *Episode) Tick() int64 { return e.tick }

// Scenario is what is played.
func (e *Episode) Scenario() Scenario { return e.scenario }

// Seed is what decides about chance.
func (e *Episode) Seed() int64 { return e.seed }

// Last is what the last tick did; at tick 0 it is what begins with it. It holds
// until the next Step.
func (e *Episode) Last() Result { return e.result }

// Lifecycle is "running" or "terminal".
func (e *Episode) Lifecycle() string {
	if e.over == "" {
		return "running"
	}
	return "terminal"
}

// TerminalReason is "resolved", "tick_limit", or "" while it runs.
func (e *Episode) TerminalReason() string { return e.over }

// Outcome is what a game comes to. It is told when it is over.
type Outcome struct{ Casualties, BuildingsLost int64 }

// Outcome counts so far.
func (e *Episode) Outcome() Outcome { return Outcome{e.casualties, e.lost} }

// Fire is a building that burns, as only an oracle knows it.
type Fire struct {
	Point  geo.Point
	People int64 // inside
	Trucks int64 // that fight it, or are coming
	Coming int64 // on their way to within reach of it
	Left   Countdown
}

// Fires are all that burn, by number.
func (e *Episode) Fires() []Fire {
	fires := make([]Fire, 0, len(e.blazes))
	for _, n := range e.blazes {
		f := Fire{Point: e.city.Buildings[n].Point, People: heads(e.houses[n].people), Left: e.Countdown(n)}
		for i := range e.trucks {
			t := &e.trucks[i]
			switch {
			case t.target == n:
				f.Trucks++
			case t.way != nil && geo.D2(t.way.requested, f.Point) <= Suppression*Suppression:
				f.Trucks++
				f.Coming++
			}
		}
		fires = append(fires, f)
	}
	return fires
}
