package journal_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// An operation is there once, with all that is known of its plan.
//
// clause: W-15
func TestBegin(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	p := d.put(at(plan(3), geom.Pos{X: -5, Y: 70, Z: 8}))
	r := request(p)
	o, created, err := d.Begin(t.Context(), r)
	want := journal.Operation{
		ID: r.ID, Plan: p.ID, World: d.world, Project: "default", Player: player, Key: r.Key, Number: 1, Kind: journal.Build,
		Region: p.Region, Status: journal.Queued, Total: 3, Sample: []journal.Conflict{}, Created: start,
	}
	if diff := cmp.Diff(want, o); err != nil || !created || diff != "" {
		t.Fatalf("created %v, %v\n%s", created, err, diff)
	}
	again := r
	again.ID = uuid.New()
	d.now.Store(10_000) // long after the plan has run out
	o, created, err = d.Begin(t.Context(), again)
	if diff := cmp.Diff(want, o); err != nil || created || diff != "" {
		t.Errorf("the same call again: created %v, %v\n%s", created, err, diff)
	}
	if _, created, err = d.Begin(t.Context(), r); err != nil || !created {
		t.Errorf("the same request again, as nobody knows what became of it: created %v, %v", created, err)
	}
	d.finish(d.write(o, 0, places(3), nil), journal.Applied)
	again.ID = uuid.New()
	if o, created, err = d.Begin(t.Context(), again); err != nil || created || o.Status != journal.Applied {
		t.Errorf("after its end: %s, created %v, %v", o.Status, created, err)
	}
	other := d.put(plan(1))
	if o := d.begin(other); o.Number != 2 {
		t.Errorf("the next has number %d", o.Number)
	}
}

// What cannot be begun is refused for its own reason, and leaves nothing.
//
// clause: W-15
func TestBeginRefuses(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	done := d.built(plan(1))
	p, discarded, old := d.put(plan(1)), d.put(plan(1)), plan(1)
	must[journal.Plan](t)(d.DiscardPlan(t.Context(), discarded.ID))
	d.now.Add(1)
	old = d.put(old)
	with := func(p journal.Plan, change func(r *journal.Request)) journal.Request {
		r := request(p)
		change(&r)
		return r
	}
	used := request(journal.Plan{ID: done.Plan, Project: "default", Player: player, Hash: hash})
	for name, c := range map[string]struct {
		r     journal.Request
		code  fault.Code
		words string
	}{
		"no plan":         {with(p, func(r *journal.Request) { r.Plan = uuid.New() }), fault.NotFound, "plan"},
		"another project": {with(p, func(r *journal.Request) { r.Project = "other" }), fault.NotFound, "plan"},
		"another player":  {with(p, func(r *journal.Request) { r.Player = uuid.New() }), journal.PermissionDenied, "somebody else"},
		"a wrong hash":    {with(p, func(r *journal.Request) { r.Hash = strings.Repeat("0", 64) }), journal.HashMismatch, p.ID.String()},
		"a used key":      {with(p, func(r *journal.Request) { r.Key = done.Key }), journal.KeyReused, done.ID.String()},
		"a used plan":     {used, journal.PlanUsed, done.ID.String()},
		"an area that shrank": {
			with(p, func(r *journal.Request) {
				r.Area = &geom.Box{Min: p.Region.Min.Add(geom.Pos{X: 1}), Max: p.Region.Max}
			}), journal.OutOfBounds, "prepare a new one",
		},
		"discarded":          {request(discarded), journal.PlanDiscarded, "discarded"},
		"no key":             {with(p, func(r *journal.Request) { r.Key = "" }), fault.Invalid, "idempotency_key"},
		"a long key":         {with(p, func(r *journal.Request) { r.Key = strings.Repeat("k", 129) }), fault.Invalid, "idempotency_key"},
		"a key with a space": {with(p, func(r *journal.Request) { r.Key = "a b" }), fault.Invalid, "idempotency_key"},
		"a known key, a wrong hash": {
			with(journal.Plan{ID: done.Plan, Project: "default", Player: player, Hash: digest}, func(r *journal.Request) { r.Key = done.Key }),
			journal.HashMismatch, done.Plan.String(),
		},
		"a known key, another player": {
			with(journal.Plan{ID: done.Plan, Project: "default", Player: uuid.New(), Hash: hash}, func(r *journal.Request) { r.Key = done.Key }),
			journal.PermissionDenied, "somebody else",
		},
	} {
		_, created, err := d.Begin(t.Context(), c.r)
		if refused(t, err, c.code, c.words); created || t.Failed() {
			t.Fatal(name)
		}
	}
	other := over(t, d.pool)
	_, _, err := other.Begin(t.Context(), request(p))
	refused(t, err, fault.NotFound, "plan")
	d.now.Store(600)
	if _, _, err := d.Begin(t.Context(), request(p)); err != nil {
		refused(t, err, journal.PlanExpired, "12:10:00Z")
	} else {
		t.Error("a plan is begun that ran out at this moment")
	}
	longest := with(old, func(r *journal.Request) { r.Key, r.Area = strings.Repeat("~", 128), &old.Region })
	if _, _, err := d.Begin(t.Context(), longest); err != nil {
		t.Errorf("a second before it runs out, under the longest key: %v", err)
	}
	if list, err := d.Recent(t.Context(), "default", 99); err != nil || len(list) != 2 {
		t.Errorf("%d operations, %v", len(list), err)
	}
}

// One operation is active at a time, and none begins while another waits for a
// decision or the project is paused. Another world goes on.
//
// clause: W-15, W-20, W-23
func TestOneAtATime(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	first, next := d.begin(d.put(plan(2))), d.put(plan(1))
	refuses := func(code fault.Code, words string) {
		t.Helper()
		_, _, err := d.Begin(t.Context(), request(next))
		refused(t, err, code, words)
	}
	refuses(journal.Busy, first.ID.String())
	d.intend(first, 0, []int{0})
	refuses(journal.Busy, first.ID.String())
	other := over(t, d.pool)
	other.built(plan(1))

	// The process begins again.
	list := must[[]journal.Operation](t)(d.MarkUnfinished(t.Context(), "the process ended"))
	if len(list) != 1 || list[0].ID != first.ID || list[0].Status != journal.RecoveryRequired || list[0].Reason != "the process ended" {
		t.Errorf("%+v", list)
	}
	refuses(journal.NeedsRecovery, first.ID.String())
	if o := must[journal.Operation](t)(d.Operation(t.Context(), first.ID)); o.Status != journal.RecoveryRequired {
		t.Errorf("its status is %s", o.Status)
	}
	if err := d.PauseProject(t.Context(), "default", true); err != nil {
		t.Fatal(err)
	}
	refuses(journal.NeedsRecovery, first.ID.String())
	must[journal.Operation](t)(d.Abandon(t.Context(), first.ID, digest, "abandoned"))
	refuses(journal.Paused, "owner")
	if err := d.PauseProject(t.Context(), "default", false); err != nil {
		t.Fatal(err)
	}
	d.begin(next)
	if list := must[[]journal.Operation](t)(other.MarkUnfinished(t.Context(), "")); len(list) != 0 {
		t.Errorf("the other world has %+v", list)
	}
}

// Many that begin at once: under one key one operation, of one plan one, of many
// plans one.
//
// clause: W-15
func TestBeginRaces(t *testing.T) {
	t.Parallel()
	const racers = 6
	d := newDesk(t)
	for round := range 8 {
		for name, run := range map[string]func(p journal.Plan, i int) journal.Request{
			"one key": func(p journal.Plan, _ int) journal.Request {
				r := request(p)
				r.Key = fmt.Sprint("key-", round)
				return r
			},
			"one plan":   func(p journal.Plan, _ int) journal.Request { return request(p) },
			"many plans": func(journal.Plan, int) journal.Request { return request(d.put(plan(1))) },
		} {
			p := d.put(plan(1))
			var all sync.WaitGroup
			var mu sync.Mutex
			made := map[uuid.UUID]int{}
			codes := map[fault.Code]int{}
			for i := range racers {
				r := run(p, i)
				all.Go(func() {
					o, created, err := d.Begin(t.Context(), r)
					mu.Lock()
					defer mu.Unlock()
					if err != nil {
						codes[fault.CodeOf(err)]++
					} else if made[o.ID] += 0; created {
						made[o.ID]++
					}
				})
			}
			all.Wait()
			want := map[string]map[fault.Code]int{"one key": {}, "one plan": {journal.PlanUsed: racers - 1}, "many plans": {journal.Busy: racers - 1}}
			if diff := cmp.Diff(want[name], codes); len(made) != 1 || diff != "" {
				t.Fatalf("%s: %v\n%s", name, made, diff)
			}
			for id, n := range made {
				if n != 1 {
					t.Errorf("%s: %d made it", name, n)
				}
				d.finish(journal.Operation{ID: id}, journal.Cancelled)
			}
		}
	}
}

// The plans of a chain are applied in order, each 600 s after the one before at
// the latest.
//
// clause: W-15
func TestChain(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	chain := func() []journal.Plan {
		id, plans := uuid.New(), []journal.Plan{plan(1), plan(1), plan(1)}
		for i := range plans {
			plans[i].Chain, plans[i].ChainIndex = &id, i
		}
		return must[[]journal.Plan](t)(d.PutChain(t.Context(), plans))
	}
	p := chain()
	refuses := func(p journal.Plan, code fault.Code, words string) {
		t.Helper()
		_, _, err := d.Begin(t.Context(), request(p))
		refused(t, err, code, words)
	}
	refuses(p[1], journal.PlanOutOfOrder, "number 2 of its chain; apply number 1 first")
	o := d.begin(p[0])
	refuses(p[1], journal.PlanOutOfOrder, "is queued; wait")
	d.write(o, 0, places(1), nil)
	d.now.Store(900)
	refuses(p[1], journal.PlanOutOfOrder, "is applying; wait")
	d.finish(o, journal.Applied)
	refuses(p[2], journal.PlanOutOfOrder, "apply number 2 first")
	if got := must[journal.Plan](t)(d.Plan(t.Context(), p[1].ID)); !got.Expires.Equal(start.Add(1500e9)) {
		t.Errorf("the second runs out at %s", got.Expires)
	}
	d.now.Store(1500)
	refuses(p[1], journal.PlanExpired, "12:25:00")
	d.now.Store(1499)
	o = d.begin(p[1])
	d.finish(d.write(o, 0, nil, places(1)), journal.Conflicted)
	refuses(p[2], journal.PlanOutOfOrder, "ended as conflict, not as applied")

	if _, err := d.PutChain(t.Context(), nil); err == nil {
		t.Error("a chain of none is taken")
	}
	long, id := make([]journal.Plan, journal.MaxChain+1), uuid.New()
	for i := range long {
		long[i] = plan(0)
		long[i].Chain, long[i].ChainIndex = &id, i
	}
	if _, err := d.PutChain(t.Context(), long); err == nil {
		t.Error("a chain of 17 is taken")
	}
	if _, err := d.PutChain(t.Context(), long[1:]); err == nil {
		t.Error("a chain without its first is taken")
	}
	if _, err := d.PutChain(t.Context(), long[:journal.MaxChain]); err != nil {
		t.Errorf("a chain of 16: %v", err)
	}
}
