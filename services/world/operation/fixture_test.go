package operation_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/host/memory"
	"github.com/pharos-mcp/pharos/services/world/journal"
	"github.com/pharos-mcp/pharos/services/world/operation"
)

var long = flag.Bool("long", false, "check the properties with fifteen times as many steps")

func TestMain(m *testing.M) {
	flag.Parse()
	checks := "20"
	if *long {
		checks = "300"
	}
	if err := flag.Set("rapid.checks", checks); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

const (
	air   = "minecraft:air"
	stone = "minecraft:stone"
	dirt  = "minecraft:dirt"
	glass = "minecraft:glass"

	project = "default"
)

var (
	player  = uuid.UUID{1}
	outside = host.Cause{Kind: host.ByPlayer, Player: uuid.UUID{2}}
)

// pack is what all worlds are of.
var pack = sync.OnceValues(func() (*blocks.Pack, error) { return blocks.Load(blocks.Default) })

// tester is a test of testing or of rapid.
type tester interface {
	Helper()
	Context() context.Context
	Cleanup(func())
	Error(...any)
	Errorf(string, ...any)
	Fatal(...any)
	Fatalf(string, ...any)
}

// world is a world of air in memory, with a journal of its own and an engine.
type world struct {
	t       tester
	memory  *memory.Host
	store   *journal.Store
	host    *hooked
	journal *hookedJournal
	clock   *steps
	config  operation.Config
	engine  *operation.Engine
	mayNot  error // what May says

	mu sync.Mutex // of mayNot
}

// newWorld makes a world and opens its engine. Slices have few blocks.
func newWorld(t testing.TB, options ...func(*operation.Config)) *world {
	t.Helper()
	w := makeWorld(t, pgtest.Database(t, "world"), options...)
	w.open()
	return w
}

func makeWorld(t tester, pool *pgxpool.Pool, options ...func(*operation.Config)) *world {
	t.Helper()
	p, err := pack()
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, clock: &steps{now: time.Unix(1_000_000, 0)}}
	w.memory = memory.New(memory.Config{
		Pack:   p,
		State:  func(geom.Pos) string { return air },
		Exists: func(c host.ChunkPos) bool { return c.X < 64 },
	})
	w.store = journal.New(journal.Config{Pool: pool, World: w.memory.Info().World})
	w.host, w.journal = &hooked{Host: w.memory}, &hookedJournal{Store: w.store}
	w.config = operation.Config{Host: w.host, Journal: w.journal, May: w.may, Clock: w.clock, Unpaced: true}.WithSlices(4)
	for _, o := range options {
		o(&w.config)
	}
	return w
}

func (w *world) may(context.Context, string, uuid.UUID) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.mayNot
}

func (w *world) forbid(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mayNot = err
}

// open starts an engine; it is closed with the test.
func (w *world) open() {
	w.t.Helper()
	e, err := operation.Open(w.t.Context(), w.config)
	if err != nil {
		w.t.Fatal(err)
	}
	w.engine = e
	w.t.Cleanup(e.Close)
}

// reopen is a new process over what the last one left.
func (w *world) reopen() {
	w.t.Helper()
	w.engine.Close()
	w.host.forget()
	w.journal.forget()
	w.open()
}

// at is a position of a row.
func at(x int) geom.Pos { return geom.Pos{X: int32(x), Y: 70} }

// row is n changes along x from one state to another.
func row(from, n int, before, after string) []journal.Change {
	var changes []journal.Change
	for x := from; x < from+n; x++ {
		changes = append(changes, journal.Change{Pos: at(x), Before: before, After: after})
	}
	return changes
}

// plan keeps a plan of changes.
func (w *world) plan(changes []journal.Change, edits ...func(*journal.Plan)) journal.Plan {
	w.t.Helper()
	p := journal.Plan{
		ID: uuid.New(), Project: project, Player: player, Kind: journal.Build, Hash: fmt.Sprintf("%064x", 1),
		Changes: changes, Recipe: []byte("{}"),
	}
	for i, c := range changes {
		one := geom.Box{Min: c.Pos, Max: c.Pos}
		if i == 0 {
			p.Region = one
		}
		p.Region = p.Region.Union(one)
	}
	for _, edit := range edits {
		edit(&p)
	}
	p, err := w.store.PutPlan(w.t.Context(), p)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

// undo keeps the plan that takes back what an operation has.
func (w *world) undo(o journal.Operation) journal.Plan {
	w.t.Helper()
	estate, err := w.engine.Estate(w.t.Context(), project, o.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	var back []journal.Change
	for _, c := range estate.Own {
		if w.state(c.Pos) == c.After {
			back = append(back, journal.Change{Pos: c.Pos, Before: c.After, After: c.Before})
		}
	}
	return w.plan(back, func(p *journal.Plan) { p.Kind, p.Undoes = journal.Undo, &o.ID })
}

func request(p journal.Plan, key string) journal.Request {
	return journal.Request{Project: p.Project, Player: p.Player, Plan: p.ID, Hash: p.Hash, Key: key}
}

// begin applies a plan under a key of its own.
func (w *world) begin(p journal.Plan) journal.Operation {
	w.t.Helper()
	o, err := w.engine.Apply(w.t.Context(), request(p, p.ID.String()))
	if err != nil {
		w.t.Fatal(err)
	}
	return o
}

// apply does so and waits for the end.
func (w *world) apply(p journal.Plan) journal.Operation {
	w.t.Helper()
	return w.wait(w.begin(p).ID)
}

func (w *world) wait(id uuid.UUID) journal.Operation {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	defer cancel()
	o, err := w.engine.Wait(ctx, project, id)
	if err != nil {
		w.t.Fatal(err)
	}
	return o
}

func (w *world) status(id uuid.UUID) journal.Operation {
	w.t.Helper()
	o, err := w.engine.Status(w.t.Context(), project, id)
	if err != nil {
		w.t.Fatal(err)
	}
	return o
}

// state is what stands at a position.
func (w *world) state(p geom.Pos) (state string) {
	w.t.Helper()
	err := w.memory.View(w.t.Context(), geom.Box{Min: p, Max: p}, func(r host.Reader) error {
		state = r.At(p)
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return state
}

// row reads states along x.
func (w *world) row(from, n int) (states []string) {
	w.t.Helper()
	for x := from; x < from+n; x++ {
		states = append(states, w.state(at(x)))
	}
	return states
}

// place has somebody outside put states at a position, one after the other.
func (w *world) place(p geom.Pos, states ...string) {
	w.t.Helper()
	for _, s := range states {
		if err := w.memory.Place(outside, s, p); err != nil {
			w.t.Fatal(err)
		}
	}
}

// counts is what matters of an operation in most tests.
type counts struct {
	Status             journal.Status
	Written, Conflicts int
}

func of(o journal.Operation) counts { return counts{o.Status, o.Written, o.Conflicts} }

// want fails where the error has another code.
func want(t tester, err error, code fault.Code) {
	t.Helper()
	if got := fault.CodeOf(err); got != code {
		t.Errorf("error %v with the code %q, want %q", err, got, code)
	}
}

// lost is what an estate has lost, by reason.
func lost(e operation.Estate) map[operation.Why][]geom.Pos {
	by := map[operation.Why][]geom.Pos{}
	for _, l := range e.Lost {
		by[l.Why] = append(by[l.Why], l.Pos)
	}
	return by
}

func own(e operation.Estate) []geom.Pos {
	var all []geom.Pos
	for _, c := range e.Own {
		all = append(all, c.Pos)
	}
	return all
}

func positions(xs ...int) []geom.Pos {
	var all []geom.Pos
	for _, x := range xs {
		all = append(all, at(x))
	}
	slices.SortFunc(all, func(a, b geom.Pos) int { return cmp.Or(a.Compare(b)) })
	return all
}
