package engine

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// begun begins an episode.
func begun(t testing.TB, id string, seed int64) *Episode {
	t.Helper()
	s, ok := Find(id)
	if !ok {
		t.Fatalf("no scenario %s", id)
	}
	e, err := New(s, seed, "run")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// chance sends trucks anywhere, now and then.
func chance(t testing.TB, e *Episode, r *rand.Rand) {
	t.Helper()
	for i := range e.trucks {
		if r.IntN(4) > 0 {
			continue
		}
		p := geo.Point{X: r.Int64N(e.city.Width + 1), Y: r.Int64N(e.city.Height + 1)}
		if len(e.blazes) > 0 && r.IntN(2) == 0 {
			p = e.city.Buildings[e.blazes[r.IntN(len(e.blazes))]].Point
		}
		_, _, err := e.Dispatch(e.trucks[i].id, "incident", "because", p)
		if err, ok := err.(*Error); ok && err.Code != SnapTooFar {
			t.Fatal(err)
		}
	}
}

// Every scenario is played to its end twice with the same commands, and every
// observation is JSON and the same both times.
//
// clause: S-14, S-28
func TestSameEpisode(t *testing.T) {
	t.Parallel()
	for _, s := range Scenarios() {
		a, b := begun(t, s.ID, s.Template.Seed), begun(t, s.ID, s.Template.Seed)
		ra, rb := rand.New(rand.NewPCG(1, 2)), rand.New(rand.NewPCG(1, 2))
		for a.Lifecycle() == "running" {
			if !json.Valid(a.Observation()) {
				t.Fatalf("%s, tick %d: %s", s.ID, a.Tick(), a.Observation())
			}
			if !bytes.Equal(a.Observation(), b.Observation()) {
				t.Fatalf("%s, tick %d: two observations", s.ID, a.Tick())
			}
			chance(t, a, ra)
			chance(t, b, rb)
			a.Step()
			b.Step()
		}
		if reason := a.TerminalReason(); (reason != "resolved" && reason != "tick_limit") || a.Tick() > TickLimit {
			t.Errorf("%s ended %q at tick %d", s.ID, reason, a.Tick())
		}
		if a.Outcome() != b.Outcome() {
			t.Errorf("%s: %v and %v", s.ID, a.Outcome(), b.Outcome())
		}
	}
}

// While its crew stays the same, a countdown falls by one each tick, and what it
// says happens at the tick that it names.
//
// clause: S-27
func TestCountdownsAreExact(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	checks, ends := 0, 0
	for _, s := range Scenarios() {
		for seed := range int64(3) {
			e := begun(t, s.ID, s.Template.Seed+seed)
			for e.Lifecycle() == "running" {
				chance(t, e, r)
				before, crews := map[int]Countdown{}, map[int]int{}
				for _, n := range e.blazes {
					before[n], crews[n] = e.Countdown(n), crew(e, n)
				}
				for i, c := range e.pending {
					if c != nil && e.trucks[i].target >= 0 {
						delete(before, e.trucks[i].target) // its crew leaves
					}
				}
				e.Step()
				for n, was := range before {
					h := &e.houses[n]
					ended := Countdown{1, -1} == was && h.status == Normal || Countdown{-1, 1} == was && h.status == Collapsed
					if ended {
						ends++
						continue
					}
					if h.status != Burning || was == (Countdown{1, -1}) || was == (Countdown{-1, 1}) {
						t.Fatalf("%s, tick %d: l%d is %v, and was to be %v", s.ID, e.Tick(), n+1, h.status, was)
					}
					if crew(e, n) == crews[n] {
						if now := e.Countdown(n); now != was.passed() || now != h.fire.countdown(e.city.Buildings[n].Class, h.size, crews[n]) {
							t.Fatalf("%s, tick %d: l%d: %v, then %v", s.ID, e.Tick(), n+1, was, now)
						}
						checks++
					}
				}
			}
		}
	}
	if checks < 5000 || ends < 100 {
		t.Errorf("only %d checks and %d ends", checks, ends)
	}
}

func crew(e *Episode, n int) (count int) {
	for i := range e.trucks {
		if e.trucks[i].target == n {
			count++
		}
	}
	return count
}

// A truck needs the ticks that were foretold, and is then at the point.
//
// clause: S-24
func TestTravelTimeIsTrue(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(9, 10))
	for _, id := range []string{"stage1-basic@londone", "stage1-basic@portside", "stage1-basic@oldtown"} {
		e := begun(t, id, 1)
		for range 60 {
			if e.Lifecycle() != "running" {
				e = begun(t, id, r.Int64N(MaxSeed))
			}
			to := e.city.Buildings[r.IntN(len(e.city.Buildings))].Point
			foretold, err := e.TravelTime(Spot{Vehicle: "truck-1"}, Spot{Point: to})
			if err != nil {
				t.Fatal(err)
			}
			c, _, err := e.Dispatch("truck-1", "i", "r", to)
			if err != nil || c.ETA() != Ticks(foretold.Total) {
				t.Fatalf("%v: %v, foretold %v", err, c, foretold)
			}
			for n := int64(1); e.Lifecycle() == "running"; n++ {
				result := e.Step()
				if arrived := len(result.Events) > 0; arrived != (n >= max(1, c.ETA())) {
					t.Fatalf("%s: arrived %v after %d ticks of %d", id, arrived, n, c.ETA())
				} else if arrived {
					if at := e.city.At(e.trucks[0].place); at != c.Snapped {
						t.Fatalf("%s: at %v, sent to %v", id, at, c.Snapped)
					}
					break
				}
			}
		}
	}
}
