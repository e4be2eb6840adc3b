package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/pharos-mcp/pharos/services/simulator/baseline"
	"github.com/pharos-mcp/pharos/services/simulator/city"
	"github.com/pharos-mcp/pharos/services/simulator/city/generate"
	"github.com/pharos-mcp/pharos/services/simulator/engine"
)

// The goals of the simulator.
const (
	ticksGoal       = 10_000 // in a second of one core
	allocationsGoal = 25     // in a tick
	greedyGoal      = 10     // seconds of one core for every scenario with 20 seeds
)

// How much is measured.
const (
	simulatorTrucks   = 10
	simulatorEpisodes = 40
	simulatorRounds   = 5
	greedySeeds       = 20
)

// simulatorPart measures the game: its ticks with their observations on a map
// of 1,500 buildings beside observations that are made in the usual way, and
// the baseline greedy. Times are those of the processor, so that other work of
// the machine counts little.
func simulatorPart(ctx context.Context, stdout io.Writer) ([]goal, error) {
	m, err := generate.Large()
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(stdout, "simulator: %d buildings, %d trucks, %d rounds of %d episodes\n",
		len(m.Buildings), simulatorTrucks, simulatorRounds, simulatorEpisodes)
	var rates, usual []float64
	for round := range int64(simulatorRounds) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r, err := measureEpisodes(m, round*simulatorEpisodes)
		if err != nil {
			return nil, err
		}
		rates, usual = append(rates, r.rate(r.engine)), append(usual, r.rate(r.naive))
	}
	fmt.Fprintf(stdout, "simulator: %.0f ticks/s with their observations; the observations alone by encoding/json and a scan "+
		"of every building: %.0f/s, %.1f times as long\n", median(rates), median(usual), median(rates)/median(usual))
	allocations, err := countAllocations(m)
	if err != nil {
		return nil, err
	}
	took, err := greedyGames(ctx)
	if err != nil {
		return nil, err
	}
	return []goal{
		{name: "simulator-ticks", measured: median(rates), bound: ticksGoal, unit: "/s", least: true},
		{name: "simulator-allocations", measured: allocations, bound: allocationsGoal},
		{name: "simulator-greedy", measured: took.Seconds(), bound: greedyGoal, unit: "s"},
	}, nil
}

// played is what some episodes took.
type played struct {
	ticks         int
	engine, naive time.Duration
}

func (p played) rate(took time.Duration) float64 { return float64(p.ticks) / took.Seconds() }

// busyGames are episodes of the last stage in which every tick one of the trucks
// is sent somewhere.
type busyGames struct {
	city     *city.Map
	scenario engine.Scenario
	trucks   []string
	chance   *rand.Rand
	seed     int64
}

func newBusyGames(m *city.Map, seed int64) *busyGames {
	s, _ := engine.Find("stage5-babel@londone")
	template := *s.Template
	template.Trucks = simulatorTrucks
	g := &busyGames{city: m, scenario: engine.Scenario{ID: s.ID, MapID: m.ID, Template: &template}, seed: seed}
	g.chance = rand.New(rand.NewPCG(uint64(seed), 0))
	for i := range simulatorTrucks {
		g.trucks = append(g.trucks, fmt.Sprintf("truck-%d", i+1))
	}
	return g
}

// next begins the next episode.
func (g *busyGames) next() (*engine.Episode, error) {
	g.seed++
	return engine.On(g.city, g.scenario, g.seed, "run")
}

// order sends a truck somewhere.
func (g *busyGames) order(e *engine.Episode) error {
	to := g.city.Buildings[g.chance.IntN(len(g.city.Buildings))].Point
	_, _, err := e.Dispatch(g.trucks[e.Tick()%simulatorTrucks], "incident", "because", to)
	return err
}

// measureEpisodes plays episodes, orders and all, and makes every observation
// again in the usual way.
func measureEpisodes(m *city.Map, seed int64) (p played, err error) {
	games := newBusyGames(m, seed)
	for range simulatorEpisodes {
		e, err := games.next()
		if err != nil {
			return p, err
		}
		observed := make([][]byte, 0, engine.TickLimit)
		begun := now().CPU
		for e.Lifecycle() == "running" {
			if err := games.order(e); err != nil {
				return p, err
			}
			e.Step()
			observed = append(observed, e.Observation())
		}
		p.engine += now().CPU - begun
		p.ticks += len(observed)
		took, err := observeUsually(m, observed)
		if err != nil {
			return p, err
		}
		p.naive += took
	}
	return p, nil
}

// countAllocations plays episodes and counts what their ticks allocate.
func countAllocations(m *city.Map) (each float64, err error) {
	games := newBusyGames(m, 0)
	ticks, allocations := 0, uint64(0)
	for range simulatorEpisodes {
		e, err := games.next()
		if err != nil {
			return 0, err
		}
		for ; e.Lifecycle() == "running"; ticks++ {
			if err := games.order(e); err != nil {
				return 0, err
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			e.Step()
			runtime.ReadMemStats(&after)
			allocations += after.Mallocs - before.Mallocs
		}
	}
	return float64(allocations) / float64(ticks), nil
}

// greedyGames plays every scenario with a block of seeds.
func greedyGames(ctx context.Context) (time.Duration, error) {
	begun := now().CPU
	for _, s := range engine.Scenarios() {
		if _, err := baseline.Block("greedy", s, s.Template.Seed, greedySeeds, ctx.Err); err != nil {
			return 0, err
		}
	}
	return now().CPU - begun, nil
}
