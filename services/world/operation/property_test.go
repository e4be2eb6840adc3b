package operation_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"pgregory.net/rapid"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/world/journal"
	"github.com/pharos-mcp/pharos/services/world/operation"
)

const (
	universe      = 12  // positions of a row
	stepsPerCheck = 100 // of one world
)

var (
	states  = []string{air, stone, dirt, glass}
	errFull = errors.New("no space left on device")
)

// property is one world with its model, and what has been done with them.
type property struct {
	t *rapid.T
	w *world
	m *model
	*tally

	plans    []journal.Plan
	works    []*work // in the order in which they began
	waiting  *work   // for a decision
	reviewed string  // the last digest

	stopped   chan struct{} // the running operation is paused
	cancelled bool          // so it is with the running one
	killed    bool
}

// tally counts over all worlds.
type tally struct {
	mu       sync.Mutex
	steps    map[string]int
	statuses map[journal.Status]int
	decided  int
}

func (y *tally) count(step string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.steps[step]++
}

func (y *tally) reached(s journal.Status) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.statuses[s]++
}

// check is the property: whatever happens to a world, in whatever order, all is
// as the model says.
func check(pool *pgxpool.Pool, y *tally, options ...func(*operation.Config)) func(*rapid.T) {
	return func(t *rapid.T) {
		p := &property{t: t, w: makeWorld(t, pool, options...), m: newModel(), tally: y, stopped: make(chan struct{}, 8)}
		defer p.w.memory.Observe(p.m)()
		p.w.journal.told = p.m.durable
		p.w.open()
		defer func() { p.w.engine.Close() }()
		for range stepsPerCheck {
			p.step()
			if p.m.wrong != nil {
				t.Fatal(strings.Join(p.m.wrong, "\n"))
			}
		}
	}
}

// step does one of the things that somebody may do, more often what leads on.
func (p *property) step() {
	kinds := map[string]func(){
		"prepare": p.prepare, "apply": p.apply, "same key": p.again, "other key": p.other, cancels: p.cancel,
		edits:  func() { p.edit(p.where(), p.state()) },
		aba:    func() { p.aba(p.where(), p.state()) },
		"undo": p.undo, "restart": p.restart, "review": p.review, "abandon": p.abandon, pauses: p.pause,
	}
	names := slices.Sorted(maps.Keys(kinds))
	names = append(names, "apply", "prepare", "undo", "restart", "same key", "other key", "review",
		"abandon", pauses, cancels, edits, aba)
	if p.waiting != nil {
		names = append(names, "abandon", "abandon", "abandon")
	}
	name := one(p.t, names, "step")
	if name != edits && name != aba {
		p.count(name) // the others count themselves, as they happen in operations too
	}
	kinds[name]()
}

// one draws from a list by place, so that a failure can be read, and each with
// the same chance, which rapid's integers do not have.
func one[T any](t *rapid.T, list []T, what string) T {
	n := 0
	for _, bit := range rapid.SliceOfN(rapid.Bool(), 12, 12).Draw(t, what) {
		n *= 2
		if bit {
			n++
		}
	}
	return list[n%len(list)]
}

func (p *property) where() int    { return rapid.IntRange(0, universe-1).Draw(p.t, "where") }
func (p *property) state() string { return one(p.t, states, "state") }

func (p *property) edit(x int, state string) {
	p.count(edits)
	p.w.place(at(x), state)
	p.m.look()
}

// aba changes a block and changes it back.
func (p *property) aba(x int, state string) {
	p.count(aba)
	was := p.w.state(at(x))
	p.w.place(at(x), state, was)
	p.m.look()
}

// clause: W-15, W-16, W-17, W-18, W-20, W-21, W-22, W-23
func TestProperty(t *testing.T) {
	t.Parallel()
	y := &tally{steps: map[string]int{}, statuses: map[journal.Status]int{}}
	rapid.Check(t, check(pgtest.Database(t, "world"), y))
	all := 0
	for _, n := range y.steps {
		all += n
	}
	report := fmt.Sprintf("%d steps: %v; statuses: %v; %d decisions", all, y.steps, y.statuses, y.decided)
	t.Log(report)
	if len(y.steps) != 12 || y.decided == 0 {
		t.Errorf("not all was tried: %s", report)
	}
	if !*long {
		return // so few may leave something out by chance
	}
	for _, step := range slices.Sorted(maps.Keys(y.steps)) {
		if y.steps[step]*20 < all {
			t.Errorf("less than 5 %% of the steps are %q: %s", step, report)
		}
	}
	for _, s := range []journal.Status{
		"prepared", journal.Queued, journal.Applying, journal.Applied, journal.Conflicted, journal.Cancelled, journal.Failed,
		journal.RecoveryRequired,
	} {
		if y.statuses[s] == 0 {
			t.Errorf("no operation was ever %s: %s", s, report)
		}
	}
	if all < 10_000 {
		t.Errorf("too little was tried: %s", report)
	}
}
