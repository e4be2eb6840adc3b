package journal_test

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// desk is a journal of a world of its own, whose clock the test moves.
type desk struct {
	*journal.Store
	t     *testing.T
	pool  *pgxpool.Pool
	world uuid.UUID
	now   *atomic.Int64 // seconds after start
}

var (
	start  = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	player = uuid.MustParse("11111111-1111-4111-8111-111111111111")
	hash   = strings.Repeat("ab", 32)
	digest = strings.Repeat("0c", 32)
)

func newDesk(t *testing.T) desk {
	t.Helper()
	return over(t, pgtest.Database(t, "world"))
}

// over is a desk of another world in the same database.
func over(t *testing.T, pool *pgxpool.Pool) desk {
	d := desk{t: t, pool: pool, world: uuid.New(), now: &atomic.Int64{}}
	d.Store = journal.New(journal.Config{Pool: pool, World: d.world, Now: d.clock})
	return d
}

func (d desk) clock() time.Time { return start.Add(time.Duration(d.now.Load()) * time.Second) }

// plan is a row of so many blocks along x, from air to stone.
func plan(n int) journal.Plan {
	p := journal.Plan{
		ID: uuid.New(), Project: "default", Player: player, Kind: journal.Build, Hash: hash,
		Region: geom.NewBox(geom.Pos{}, geom.Pos{X: int32(max(n-1, 0))}), Changes: []journal.Change{}, Dependencies: []journal.Dependency{},
	}
	for x := range n {
		p.Changes = append(p.Changes, journal.Change{
			Pos: geom.Pos{X: int32(x)}, Before: "minecraft:air", After: "minecraft:stone",
		})
	}
	return p
}

// at moves a plan.
func at(p journal.Plan, by geom.Pos) journal.Plan {
	p.Region = geom.NewBox(p.Region.Min.Add(by), p.Region.Max.Add(by))
	for i := range p.Changes {
		p.Changes[i].Pos = p.Changes[i].Add(by)
	}
	return p
}

// must fails the test for an error.
func must[T any](t *testing.T) func(v T, err error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func (d desk) put(p journal.Plan) journal.Plan {
	d.t.Helper()
	return must[journal.Plan](d.t)(d.PutPlan(d.t.Context(), p))
}

// request asks for the operation of a plan under a new key.
func request(p journal.Plan) journal.Request {
	return journal.Request{ID: uuid.New(), Project: p.Project, Player: p.Player, Plan: p.ID, Hash: p.Hash, Key: uuid.NewString()}
}

// begin begins a plan, which must be possible.
func (d desk) begin(p journal.Plan) journal.Operation {
	d.t.Helper()
	o, created, err := d.Begin(d.t.Context(), request(p))
	if err != nil || !created {
		d.t.Fatalf("begin: created %v, %v", created, err)
	}
	return o
}

// write has the next slice of an operation write some changes and leave others.
func (d desk) write(o journal.Operation, index int, wrote, left []int) journal.Operation {
	d.t.Helper()
	d.intend(o, index, slices.Sorted(slices.Values(slices.Concat(wrote, left))))
	return must[journal.Operation](d.t)(d.Confirm(d.t.Context(), journal.Slice{
		Operation: o.ID, Index: index, Written: wrote, Conflicts: left,
	}, nil))
}

func (d desk) intend(o journal.Operation, index int, intent []int) {
	d.t.Helper()
	must[journal.Operation](d.t)(d.Intent(d.t.Context(), journal.Slice{Operation: o.ID, Index: index, Intent: intent}))
}

func (d desk) finish(o journal.Operation, status journal.Status) journal.Operation {
	d.t.Helper()
	return must[journal.Operation](d.t)(d.Finish(d.t.Context(), o.ID, status, ""))
}

// built is an operation that wrote all of a plan.
func (d desk) built(p journal.Plan) journal.Operation {
	d.t.Helper()
	o := d.begin(d.put(p))
	if len(p.Changes) > 0 {
		d.write(o, 0, places(len(p.Changes)), nil)
	}
	return d.finish(o, journal.Applied)
}

// places are the first n changes of a plan.
func places(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// refused sees that an error is a fault of a code with some words.
func refused(t *testing.T, err error, code fault.Code, words string) {
	t.Helper()
	if f := fault.From(err); f == nil || f.Code != code || !strings.Contains(f.Message, words) {
		t.Errorf("%+v (%v), want %s with %q", f, err, code, words)
	}
}

// exec runs a statement and tells whether the database took it.
func (d desk) exec(sql string, args ...any) error {
	d.t.Helper()
	_, err := d.pool.Exec(d.t.Context(), sql, args...)
	return err
}
