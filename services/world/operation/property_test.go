package operation_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"pgregory.net/rapid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/journal"
	"github.com/pharos-mcp/pharos/services/world/operation"
	"github.com/pharos-mcp/pharos/services/world/plan"
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
	names = append(names, "apply", "prepare", "undo", "restart", "same key", "other key", "review", pauses, cancels, edits, aba)
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

// project is what plans are prepared for.
func (p *property) project() plan.Project {
	return plan.Project{
		ID: project, Player: player, MaxBlocks: plan.MaxBlocks, Policy: blocks.Policy{Classes: []blocks.Class{blocks.Cube, blocks.Air}},
		Area: geom.Box{Min: at(0), Max: at(universe - 1)},
	}
}

// keep puts a plan into the journal.
func (p *property) keep(made plan.Plan) {
	k := journal.Plan{
		ID: uuid.New(), Project: made.Project, Player: made.Player, Kind: journal.Kind(made.Kind), Hash: made.Hash,
		Region: made.Region, Recipe: []byte("{}"), Undoes: made.Undoes,
	}
	for _, c := range made.Changes {
		k.Changes = append(k.Changes, journal.Change(c))
	}
	for _, d := range made.Dependencies {
		k.Dependencies = append(k.Dependencies, journal.Dependency(d))
	}
	k, err := p.w.store.PutPlan(p.w.t.Context(), k)
	if err != nil {
		p.t.Fatal(err)
	}
	p.plans = append(p.plans, k)
	p.reached("prepared")
}

func (p *property) prepare() {
	var placed []geom.Placement
	from, n, state := p.where(), rapid.IntRange(1, universe).Draw(p.t, "n"), p.state()
	for x := from; x < min(universe, from+n); x++ {
		placed = append(placed, geom.Placement{Pos: at(x), Block: state})
	}
	r := plan.Request{}
	if rapid.IntRange(0, 3).Draw(p.t, "depends") == 0 {
		r.Dependencies = []geom.Pos{at(p.where())}
	}
	made, err := plan.Place(p.w.t.Context(), p.w.memory, p.project(), placed, []byte("{}"), r)
	if err != nil {
		p.t.Fatal(err)
	}
	p.keep(made[0])
}

// undo prepares the plan that takes an operation back.
func (p *property) undo() {
	if len(p.works) == 0 {
		return
	}
	w := one(p.t, p.works[max(0, len(p.works)-5):], "operation")
	e, err := p.w.engine.Estate(p.w.t.Context(), project, w.id)
	if w.status == journal.RecoveryRequired {
		want(p.t, err, journal.NeedsRecovery)
		return
	}
	if err != nil {
		p.t.Fatal(err)
	}
	if d := cmp.Diff(p.m.own(w), own(e)); d != "" {
		p.t.Fatalf("what %s has (-want +got):\n%s", w.id, d)
	}
	r := plan.Reverse{Operation: w.id}
	for _, c := range e.Own {
		r.Writes = append(r.Writes, plan.Change(c))
	}
	made, _, _, err := plan.Undo(p.w.t.Context(), p.w.memory, p.project(), r)
	if !slices.ContainsFunc(e.Own, func(c journal.Change) bool { return p.m.content[c.Pos] == c.After }) {
		want(p.t, err, plan.NothingToUndo)
		return
	}
	if err != nil {
		p.t.Fatal(err)
	}
	p.keep(made)
}

// fresh are the plans that made no operation.
func (p *property) fresh() (fresh []journal.Plan) {
	for _, k := range p.plans {
		if !slices.ContainsFunc(p.works, func(w *work) bool { return w.plan.ID == k.ID }) {
			fresh = append(fresh, k)
		}
	}
	return fresh
}

func (p *property) apply() {
	if len(p.fresh()) == 0 {
		p.prepare()
	}
	fresh := p.fresh()
	k := one(p.t, fresh[max(0, len(fresh)-4):], "plan")
	events := script(p.t)
	w := &work{key: uuid.NewString(), plan: k, status: journal.Queued, written: map[int]bool{}, confirmed: map[int]bool{}, bad: map[int]bool{}}
	if p.waiting != nil {
		_, err := p.w.engine.Apply(p.w.t.Context(), request(k, w.key))
		want(p.t, err, journal.NeedsRecovery)
		return
	}
	if k.Undoes != nil {
		w.undoes = p.works[slices.IndexFunc(p.works, func(o *work) bool { return o.id == *k.Undoes })]
	}
	p.cancelled, p.killed = false, false
	begun := make(chan struct{})
	p.play(events)
	play := p.w.journal.do
	p.w.journal.on(func(m moment) error {
		if m == afterBegin {
			return nil
		}
		<-begun // the model knows of it
		return play(m)
	})
	o, err := p.w.engine.Apply(p.w.t.Context(), request(k, w.key))
	if err != nil {
		p.t.Fatal(err)
	}
	p.reached(o.Status)
	w.id = o.ID
	p.works, p.m.active = append(p.works, w), w
	p.m.look()
	close(begun)
	p.finish(w)
}

// finish waits until nobody works at an operation any more, and holds it against the model.
func (p *property) finish(w *work) {
	type result struct {
		journal.Operation
		error
	}
	ended := make(chan result, 1)
	go func() {
		o, err := p.w.engine.Wait(context.WithoutCancel(p.w.t.Context()), project, w.id)
		ended <- result{o, err}
	}()
	var r result
	for done := false; !done; {
		select {
		case <-p.stopped:
			p.resume()
		case r = <-ended:
			done = true
		}
	}
	for len(p.stopped) > 0 { // it was paused when all was done
		<-p.stopped
		p.resume()
	}
	p.w.host.forget()
	p.w.journal.forget()
	p.w.forbid(nil)
	switch {
	case r.error != nil && !p.killed:
		p.t.Fatal(r.error)
	case r.error != nil: // what was killed may have ended just before
		p.reopen()
		r.Operation = p.w.status(w.id)
	case p.killed:
		p.t.Fatal("it was killed and lives")
	}
	if r.Status == journal.RecoveryRequired {
		p.m.leave()
		p.waiting = w
	}
	p.m.active, w.status = nil, r.Status
	p.reached(w.status)
	p.ended(w, r.Operation)
}

func (p *property) resume() {
	p.setPaused(false)
	if err := p.w.engine.Resume(p.w.t.Context(), project); err != nil {
		p.t.Fatal(err)
	}
}

func (p *property) setPaused(paused bool) {
	p.m.mu.Lock()
	defer p.m.mu.Unlock()
	p.m.paused = paused
}

// ended holds an operation that nobody works at any more against the model.
func (p *property) ended(w *work, o journal.Operation) {
	total, written := len(w.plan.Changes), len(w.confirmed)
	if o.Written != written || o.Total != total {
		p.t.Errorf("%d of %d blocks written, want %d of %d", o.Written, o.Total, written, total)
	}
	if o.Status != journal.RecoveryRequired && len(w.written) != written {
		p.t.Errorf("%s with %d blocks written of which %d are confirmed", o.Status, len(w.written), written)
	}
	switch o.Status {
	case journal.Applied:
		if written != total {
			p.t.Errorf("applied with %d of %d blocks", written, total)
		}
	case journal.Conflicted:
		if o.Conflicts != total-written || o.Conflicts == 0 {
			p.t.Errorf("%d conflicts, %d of %d written", o.Conflicts, written, total)
		}
		for i := range total {
			if !w.written[i] && !w.bad[i] && !w.depended {
				p.t.Errorf("%s was left alone and was always as planned", w.plan.Changes[i].Pos)
			}
		}
	case journal.Cancelled:
		if !p.cancelled {
			p.t.Error("it is cancelled by nobody")
		}
	}
}

// again repeats a call: it gives the same operation and does nothing (I1).
func (p *property) again() {
	if len(p.works) == 0 {
		return
	}
	w := one(p.t, p.works, "operation")
	o, err := p.w.engine.Apply(p.w.t.Context(), request(w.plan, w.key))
	if err != nil || o.ID != w.id || o.Status != w.status {
		p.t.Fatalf("again: %s is %s, %v, want %s as %s", o.ID, o.Status, err, w.id, w.status)
	}
}

// other tries another key for the same plan, and the same for another plan.
func (p *property) other() {
	if len(p.works) == 0 {
		return
	}
	w := one(p.t, p.works, "operation")
	_, err := p.w.engine.Apply(p.w.t.Context(), request(w.plan, "another"))
	want(p.t, err, journal.PlanUsed)
	if fresh := p.fresh(); len(fresh) > 0 {
		_, err = p.w.engine.Apply(p.w.t.Context(), request(fresh[0], w.key))
		want(p.t, err, journal.KeyReused)
	}
}

// cancel cancels what nobody works at.
func (p *property) cancel() {
	if len(p.works) == 0 {
		return
	}
	w := one(p.t, p.works, "operation")
	o, err := p.w.engine.Cancel(p.w.t.Context(), project, w.id)
	if w.status == journal.RecoveryRequired {
		want(p.t, err, journal.NeedsRecovery)
	} else if err != nil || o.Status != w.status {
		p.t.Fatalf("cancelled late: %s, %v, want %s", o.Status, err, w.status)
	}
}

func (p *property) restart() { p.reopen() }

// reopen is a new process: what others changed is forgotten.
func (p *property) reopen() {
	p.w.engine.Close()
	p.w.host.forget()
	p.w.journal.forget()
	e, err := operation.Open(p.w.t.Context(), p.w.config)
	if err != nil {
		p.t.Fatal(err)
	}
	p.w.engine = e
	p.m.mu.Lock()
	defer p.m.mu.Unlock()
	clear(p.m.foreign)
}

func (p *property) review() {
	w := p.waiting
	if w == nil {
		id := uuid.New()
		if len(p.works) > 0 {
			id = p.works[0].id
		}
		_, err := p.w.engine.Review(p.w.t.Context(), project, id)
		if code := fault.CodeOf(err); code != fault.Invalid && code != fault.NotFound {
			p.t.Fatalf("review of what does not wait: %v", err)
		}
		return
	}
	r, err := p.w.engine.Review(p.w.t.Context(), project, w.id)
	if err != nil {
		p.t.Fatal(err)
	}
	if d := cmp.Diff(p.m.review(w), r, cmpopts.IgnoreFields(operation.Review{}, "Operation", "Sampled")); d != "" {
		p.t.Fatalf("review (-want +got):\n%s", d)
	}
	p.reviewed = r.Digest
}

// abandon decides with the digest of the last review, which may be old.
func (p *property) abandon() {
	w := p.waiting
	if w == nil {
		if len(p.works) > 0 && !p.works[0].abandoned {
			_, err := p.w.engine.Abandon(p.w.t.Context(), project, p.works[0].id, strings.Repeat("0", 64))
			want(p.t, err, fault.Invalid)
		}
		return
	}
	if p.reviewed == "" {
		p.reviewed = strings.Repeat("0", 64)
	}
	o, err := p.w.engine.Abandon(p.w.t.Context(), project, w.id, p.reviewed)
	if p.reviewed != p.m.review(w).Digest {
		want(p.t, err, fault.Invalid)
		p.review()
		return
	}
	if err != nil || o.Status != journal.Failed {
		p.t.Fatalf("abandoned: %s, %v", o.Status, err)
	}
	w.status, w.abandoned, p.waiting, p.reviewed = journal.Failed, true, nil, ""
	p.reached(o.Status)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.decided++
}

// pause has nothing begin, and lets it again.
func (p *property) pause() {
	if err := p.w.engine.Pause(p.w.t.Context(), project); err != nil {
		p.t.Fatal(err)
	}
	if rapid.Bool().Draw(p.t, "restart") {
		p.reopen()
	}
	if fresh := p.fresh(); len(fresh) > 0 {
		_, err := p.w.engine.Apply(p.w.t.Context(), request(fresh[0], uuid.NewString()))
		if p.waiting != nil {
			want(p.t, err, journal.NeedsRecovery)
		} else {
			want(p.t, err, journal.Paused)
		}
	}
	p.resume()
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
	for _, step := range slices.Sorted(maps.Keys(y.steps)) {
		if y.steps[step]*20 < all {
			t.Errorf("less than 5 %% of the steps are %q: %s", step, report)
		}
	}
	for _, s := range []journal.Status{
		"prepared", journal.Queued, journal.Applying, journal.Applied, journal.Conflicted, journal.Cancelled, journal.Failed, journal.RecoveryRequired,
	} {
		if y.statuses[s] == 0 {
			t.Errorf("no operation was ever %s: %s", s, report)
		}
	}
	if len(y.steps) != 12 || y.decided == 0 || *long && all < 10_000 {
		t.Errorf("too little was tried: %s", report)
	}
}
