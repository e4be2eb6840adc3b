package engine

import (
	"math/rand/v2"
	"testing"

	"github.com/pharos-mcp/pharos/services/simulator/city"
	"github.com/pharos-mcp/pharos/services/simulator/city/generate"
)

// busy begins an episode of stage 5 with ten trucks on a map of 1,500 buildings.
func busy(t testing.TB, m *city.Map, seed int64) *Episode {
	t.Helper()
	s, _ := Find("stage5-babel@londone")
	template := *s.Template
	template.Trucks = 10
	e, err := On(m, Scenario{s.ID, "large", &template}, seed, "run")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func large(t testing.TB) *city.Map {
	t.Helper()
	m, err := generate.Large()
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Buildings) < 1500 {
		t.Fatalf("the large map has %d buildings", len(m.Buildings))
	}
	return m
}

// order sends every tenth tick's truck somewhere.
func order(t testing.TB, e *Episode, r *rand.Rand) {
	t.Helper()
	to := e.city.Buildings[r.IntN(len(e.city.Buildings))].Point
	if fires := e.blazes; len(fires) > 0 {
		to = e.city.Buildings[fires[r.IntN(len(fires))]].Point
	}
	if _, _, err := e.Dispatch(e.trucks[e.tick%int64(len(e.trucks))].id, "incident", "because", to); err != nil {
		t.Fatal(err)
	}
}

// A tick with its observation costs few allocations.
//
// clause: S-50
func TestAllocations(t *testing.T) {
	m := large(t)
	r := rand.New(rand.NewPCG(1, 2))
	ticks, allocations := 0, 0.0
	for seed := range int64(10) {
		e := busy(t, m, seed)
		for e.tick < TickLimit-1 && e.over == "" {
			order(t, e, r)
			ticks++
			allocations += allocated(func() { e.Step() })
		}
	}
	if each := allocations / float64(ticks); each > 25 {
		t.Errorf("a tick has %.1f allocations, more than 25", each)
	} else {
		t.Logf("a tick has %.1f allocations", each)
	}
}

// allocated counts the allocations of one call.
func allocated(f func()) float64 {
	first := true
	return testing.AllocsPerRun(1, func() { // which calls it twice, and counts the second
		if first {
			first = false
			return
		}
		f()
	})
}

func BenchmarkTick(b *testing.B) {
	m := large(b)
	r := rand.New(rand.NewPCG(1, 2))
	e := busy(b, m, 0)
	b.ReportAllocs()
	for b.Loop() {
		if e.over != "" {
			e = busy(b, m, r.Int64N(1000))
		}
		order(b, e, r)
		e.Step()
	}
}
