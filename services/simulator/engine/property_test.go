package engine

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/simulator/geo"
)

// command is one that a test gives.
type command struct {
	vehicle string
	to      geo.Point
}

// several are commands for different trucks to where roads are near.
func several(e *Episode, r *rand.Rand) (all []command) {
	for i := range e.trucks {
		if r.IntN(3) == 0 {
			all = append(all, command{e.trucks[i].id, e.city.Buildings[r.IntN(len(e.city.Buildings))].Point})
		}
	}
	return all
}

func give(t *testing.T, e *Episode, all []command) (given []*Command) {
	t.Helper()
	for _, c := range all {
		made, _, err := e.Dispatch(c.vehicle, "incident of "+c.vehicle, "because", c.to)
		if err != nil {
			t.Fatal(err)
		}
		given = append(given, made)
	}
	return given
}

// same fails where two episodes are not at the same point with the same truth.
func same(t *testing.T, a, b *Episode) {
	t.Helper()
	if !bytes.Equal(a.Observation(), b.Observation()) || !bytes.Equal(a.AppendTruth(nil), b.AppendTruth(nil)) {
		t.Fatalf("%s, tick %d: two episodes:\n%s\n%s", a.scenario.ID, a.tick, a.Observation(), b.Observation())
	}
}

// Commands for different trucks do the same in whatever order they are given.
//
// clause: S-12
func TestOrderDoesNotMatter(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for _, s := range Scenarios() {
		a, b := begun(t, s.ID, 11), begun(t, s.ID, 11)
		for a.Lifecycle() == "running" {
			all := several(a, r)
			give(t, a, all)
			slices.Reverse(all)
			give(t, b, all)
			ra, rb := a.Step(), b.Step()
			if diff := cmp.Diff(ra.Changes, rb.Changes) + cmp.Diff(ra.Events, rb.Events); diff != "" {
				t.Fatalf("%s, tick %d: %s", s.ID, a.tick, diff)
			}
			same(t, a, b)
		}
	}
}

// Of the commands for one truck in a tick the last counts, as if the others had
// never been; the same once more changes nothing.
//
// clause: S-12, S-25
func TestSuperseding(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	a, b := begun(t, "stage5-babel@portside", 12), begun(t, "stage5-babel@portside", 12)
	for a.Lifecycle() == "running" {
		last := several(a, r)
		first := give(t, a, slices.Concat(last, last)) // once to be superseded, and once more
		for i := range last {
			last[i].to = a.city.Buildings[r.IntN(len(a.city.Buildings))].Point
		}
		final := give(t, a, last)
		give(t, b, last)
		for i, c := range final {
			for j, want := range []string{first[len(last)+i].ID, c.ID} {
				if got := first[j*len(last)+i].SupersededBy; got != want {
					t.Fatalf("%s is superseded by %q, not %q", first[j*len(last)+i].ID, got, want)
				}
			}
		}
		if diff := cmp.Diff(names(final), names(a.Pending())); diff != "" {
			t.Fatalf("pending: %s", diff)
		}
		result := a.Step()
		if len(result.Commands) != 3*len(last) || cmp.Diff(names(final), names(result.Committed)) != "" {
			t.Fatalf("tick %d: %d commands, committed %v of %v", a.tick, len(result.Commands), names(result.Committed), names(final))
		}
		b.Step()
		same(t, a, b)
		if len(a.Pending()) > 0 {
			t.Fatal("something is pending after the tick")
		}
	}
}

func names(commands []*Command) []string {
	all := []string{}
	for _, c := range commands {
		all = append(all, c.ID)
	}
	return all
}

// An observation is the same bytes as often as it is read, whatever is asked and
// ordered, and stays what it was when the next ticks come.
//
// clause: S-14, S-24
func TestObservationsAreFrozen(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	for _, id := range []string{"stage3-echoes@londone", "stage5-babel@oldtown"} {
		e := begun(t, id, 13)
		var kept, copies [][]byte
		for e.Lifecycle() == "running" {
			kept, copies = append(kept, e.Observation()), append(copies, bytes.Clone(e.Observation()))
			give(t, e, several(e, r))
			if _, err := e.TravelTime(Spot{Vehicle: "truck-1"}, Spot{Point: e.city.Buildings[0].Point}); err != nil {
				t.Fatal(err)
			}
			_, _, _ = e.Dispatch("truck-9", "i", "r", geo.Point{})
			_, _ = e.BuildingPoint("l1")
			if !bytes.Equal(e.Observation(), copies[len(copies)-1]) {
				t.Fatalf("%s, tick %d: the observation changed", id, e.tick)
			}
			e.Step()
		}
		for i := range kept {
			if !bytes.Equal(kept[i], copies[i]) {
				t.Fatalf("%s: the observation of tick %d changed later", id, i)
			}
		}
	}
}

// Also a truck that is on its way, in the middle of a road, needs the ticks that
// are foretold, to where it goes and to anywhere else.
//
// clause: S-24
func TestTravelTimeOnTheWay(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(9, 9))
	for _, id := range []string{"stage1-basic@londone", "stage1-basic@portside", "stage1-basic@oldtown"} {
		e := begun(t, id, 2)
		turned := 0
		for seed := int64(0); turned < 40; {
			if e.tick > TickLimit-50 || e.over != "" {
				seed++
				e = begun(t, id, seed)
			}
			give(t, e, []command{{"truck-1", e.city.Buildings[r.IntN(len(e.city.Buildings))].Point}})
			for range r.IntN(4) + 1 {
				if e.over == "" {
					e.Step()
				}
			}
			w := e.trucks[0].way
			if w == nil || e.over != "" {
				continue
			}
			turned++
			if way, err := e.TravelTime(Spot{Vehicle: "truck-1"}, Spot{Point: w.requested}); err != nil || way.Total != w.remaining {
				t.Fatalf("%s: %v left, and %v foretold (%v)", id, w.remaining, way.Total, err)
			}
			to := e.city.Buildings[r.IntN(len(e.city.Buildings))].Point
			way, err := e.TravelTime(Spot{Vehicle: "truck-1"}, Spot{Point: to})
			if err != nil {
				t.Fatal(err)
			}
			give(t, e, []command{{"truck-1", to}})
			for n := int64(1); e.over == ""; n++ {
				if arrived := len(e.Step().Events) > 0; arrived != (n >= max(1, Ticks(way.Total))) {
					t.Fatalf("%s: arrived %v after %d ticks of %d", id, arrived, n, Ticks(way.Total))
				} else if arrived {
					break
				}
			}
		}
	}
}
