package journal_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// A plan is kept whole, for ten minutes by PostgreSQL's clock.
//
// clause: W-12
func TestPutPlan(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	p := plan(4096)
	p.Region = geom.NewBox(geom.Pos{X: -1, Y: -64}, geom.Pos{X: 5000, Z: 7})
	p.Recipe = json.RawMessage(`{"version": 1, "a": "\u0000"}`)
	for z := range 512 {
		p.Dependencies = append(p.Dependencies, journal.Dependency{Pos: geom.Pos{Z: int32(z)}, State: "minecraft:oak_log[axis=y]"})
	}
	want := p
	want.World, want.Created, want.Expires = d.world, start, start.Add(600*time.Second)
	if diff := cmp.Diff(want, d.put(p)); diff != "" {
		t.Fatal(diff)
	}
	d.now.Store(60)
	if diff := cmp.Diff(want, d.put(p)); diff != "" {
		t.Errorf("again: %s", diff)
	}
	if diff := cmp.Diff(want, must[journal.Plan](t)(d.Plan(t.Context(), p.ID))); diff != "" {
		t.Error(diff)
	}
	p.Hash = digest
	if _, err := d.PutPlan(t.Context(), p); err == nil {
		t.Error("another plan has the same identifier")
	}
	_, err := over(t, d.pool).Plan(t.Context(), p.ID)
	refused(t, err, fault.NotFound, "plan")

	own := journal.New(journal.Config{Pool: d.pool, World: uuid.New()})
	got := must[journal.Plan](t)(own.PutPlan(t.Context(), plan(1)))
	if got.Expires.Sub(got.Created) != journal.Lifetime || time.Since(got.Created).Abs() > time.Minute {
		t.Errorf("from %s to %s", got.Created, got.Expires)
	}
}

// What is no plan is refused before it is kept.
//
// clause: W-12
func TestPutPlanRefuses(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for name, change := range map[string]func(p *journal.Plan){
		"no identifier":           func(p *journal.Plan) { p.ID = uuid.Nil },
		"too many changes":        func(p *journal.Plan) { *p = plan(4097) },
		"too many dependencies":   func(p *journal.Plan) { p.Dependencies = make([]journal.Dependency, 513) },
		"a recipe too long":       func(p *journal.Plan) { p.Recipe = make([]byte, journal.MaxRecipe+1) },
		"turned round":            func(p *journal.Plan) { p.Changes[0], p.Changes[1] = p.Changes[1], p.Changes[0] },
		"twice":                   func(p *journal.Plan) { p.Changes[1] = p.Changes[0] },
		"beyond the region":       func(p *journal.Plan) { p.Changes[1].X = 2 },
		"no change":               func(p *journal.Plan) { p.Changes[1].After = p.Changes[1].Before },
		"no state":                func(p *journal.Plan) { p.Changes[1].Before = "" },
		"a state too long":        func(p *journal.Plan) { p.Changes[1].After = strings.Repeat("s", journal.MaxState+1) },
		"a dependency twice":      func(p *journal.Plan) { p.Dependencies = []journal.Dependency{{State: "a"}, {State: "a"}} },
		"a dependency of nothing": func(p *journal.Plan) { p.Dependencies = []journal.Dependency{{}} },
		"a kind that is none":     func(p *journal.Plan) { p.Kind = "other" },
		"an undo of nothing":      func(p *journal.Plan) { p.Kind = journal.Undo },
		"no hash":                 func(p *journal.Plan) { p.Hash = strings.ToUpper(hash) },
		"no project":              func(p *journal.Plan) { p.Project = "a b" },
	} {
		p := plan(2)
		change(&p)
		if _, err := d.PutPlan(t.Context(), p); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	longest := plan(1)
	longest.Changes[0].After, longest.Recipe = strings.Repeat("s", journal.MaxState), make([]byte, journal.MaxRecipe)
	d.put(longest)
}

// A plan is discarded once, and not when it is used.
func TestDiscard(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	p := d.put(plan(1))
	for range 2 {
		got := must[journal.Plan](t)(d.DiscardPlan(t.Context(), p.ID))
		if got.Discarded == nil || !got.Discarded.Equal(start) {
			t.Errorf("%v", got.Discarded)
		}
		d.now.Add(5)
	}
	o := d.built(plan(1))
	_, err := d.DiscardPlan(t.Context(), o.Plan)
	refused(t, err, journal.PlanUsed, o.ID.String())
	_, err = d.DiscardPlan(t.Context(), uuid.New())
	refused(t, err, fault.NotFound, "plan")
}

// What ran out a day ago without an operation goes, a little at a time; the rest
// of a chain that is being worked at stays.
func TestPrune(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	id, chain := uuid.New(), []journal.Plan{plan(1), plan(1)}
	for i := range chain {
		chain[i].Chain, chain[i].ChainIndex = &id, i
	}
	must[[]journal.Plan](t)(d.PutChain(t.Context(), chain))
	used := d.built(plan(1))
	running := d.begin(chain[0])
	for range 3 {
		d.put(plan(1))
	}
	d.now.Store(1)
	later := d.put(plan(1))
	prune := func(most, want int) {
		t.Helper()
		if n := must[int](t)(d.Prune(t.Context(), most)); n != want {
			t.Errorf("%d went, want %d", n, want)
		}
	}
	d.now.Store(24*3600 + 600)
	prune(10, 0)
	d.now.Add(1)
	prune(2, 2)
	prune(10, 1)
	d.now.Add(1)
	prune(10, 1)
	_, err := d.Plan(t.Context(), later.ID)
	refused(t, err, fault.NotFound, "plan")
	for _, stays := range []uuid.UUID{used.Plan, running.Plan, chain[1].ID} {
		must[journal.Plan](t)(d.Plan(t.Context(), stays))
	}
	d.finish(running, journal.Cancelled)
	prune(10, 1)
}
