package operation_test

import (
	"context"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/journal"
	"github.com/pharos-mcp/pharos/services/world/operation"
	"github.com/pharos-mcp/pharos/services/world/plan"
)

// project is what plans are prepared for.
func (p *property) project() plan.Project {
	return plan.Project{
		ID: project, Player: player, MaxBlocks: plan.MaxBlocks,
		Policy: blocks.Policy{Classes: []blocks.Class{blocks.Cube, blocks.Air}},
		Area:   geom.Box{Min: at(0), Max: at(universe - 1)},
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
	events := script(p.t, k)
	w := &work{key: uuid.NewString(), plan: k, status: journal.Queued, written: places{}, confirmed: places{}, bad: places{}}
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
