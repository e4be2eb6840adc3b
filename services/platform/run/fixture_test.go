package run

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/pipeline"
	"github.com/pharos-mcp/pharos/services/platform/project"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// manual is a clock that stands still until it is moved on.
type manual struct {
	mu      sync.Mutex
	now     time.Time
	waiting []timer
	asked   chan time.Duration // each wait, once it has begun
}

type timer struct {
	at   time.Time
	done chan time.Time
}

func newManual() *manual { return &manual{now: noon, asked: make(chan time.Duration, 10_000)} }

func (m *manual) time() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.now
}

func (m *manual) after(d time.Duration) <-chan time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	done := make(chan time.Time, 1)
	m.waiting = append(m.waiting, timer{m.now.Add(d), done})
	m.asked <- d
	return done
}

func (m *manual) advance(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = m.now.Add(d)
	for _, t := range m.waiting {
		if !t.at.After(m.now) {
			select {
			case t.done <- m.now:
			default:
			}
		}
	}
}

func (m *manual) clock() clock { return clock{m.time, m.after} }

// fixture is the service with a database in which ada owns a project, bob
// maintains it, cyd works there, vic looks on and dan has nothing to do with it.
type fixture struct {
	*Runs
	t         *testing.T
	pool      *pgxpool.Pool
	time      *manual
	door      *command.Door
	pipelines *pipeline.Pipelines
	project   uuid.UUID
	ids       map[string]uuid.UUID
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	return newFixtureOn(t, pgtest.Database(t, "platform"))
}

func newFixtureOn(t *testing.T, pool *pgxpool.Pool) *fixture {
	t.Helper()
	m := newManual()
	f := &fixture{t: t, pool: pool, time: m, project: uuid.New(), ids: map[string]uuid.UUID{}}
	f.door = command.NewDoor(f.pool, m.time)
	f.pipelines = pipeline.New(f.pool, f.door)
	f.Runs = New(Config{Pool: f.pool, Door: f.door, Now: m.time})
	for _, name := range []string{"ada", "bob", "cyd", "vic", "dan"} {
		f.ids[name] = uuid.New()
		f.exec(`INSERT INTO platform.party (id, username, display_name, email, affiliation, state, created_at, updated_at)
			VALUES ($1, $2, $2, $2 || '@example.org', '', 'active', $3, $3)`, f.ids[name], name, noon)
	}
	projects := project.New(f.pool, f.door, m.time)
	if r, err := projects.Create(f.as("ada"), on("createProject", f.project, 0), project.Content{Slug: "tides", Name: "Tides"}); err != nil || r.Rejection != "" {
		t.Fatal(r.Rejection, err)
	}
	for i, m := range []struct {
		name string
		role project.Role
	}{{"bob", project.Maintainer}, {"cyd", project.Member}, {"vic", project.Viewer}} {
		r, err := projects.SetMember(f.as("ada"), on("setProjectMember", f.project, int64(i)+1), f.ids[m.name], m.role)
		if err != nil || r.Rejection != "" {
			t.Fatal(r.Rejection, err)
		}
	}
	return f
}

func (f *fixture) exec(sql string, arguments ...any) {
	f.t.Helper()
	if _, err := f.pool.Exec(f.t.Context(), sql, arguments...); err != nil {
		f.t.Fatal(err)
	}
}

// one gives the only value of a row.
func one[T any](f *fixture, sql string, arguments ...any) (v T) {
	f.t.Helper()
	if err := f.pool.QueryRow(f.t.Context(), sql, arguments...).Scan(&v); err != nil {
		f.t.Fatal(err)
	}
	return v
}

// as is the context of a request of a party.
func (f *fixture) as(name string) context.Context {
	return access.With(f.t.Context(), access.Principal{Party: f.ids[name]})
}

// on is a command on something at a revision, under a key of its own.
func on(operation string, id uuid.UUID, revision int64) command.Command {
	return command.Command{Operation: operation, ID: id, Key: uuid.New(), Expected: revision}
}

// published makes a pipeline with one published version.
func (f *fixture) published(d pipeline.Definition) uuid.UUID {
	f.t.Helper()
	id := uuid.New()
	m := pipeline.Content{Project: f.project, Name: "A pipeline", Definition: d}
	made, refusal, err := f.pipelines.Create(f.as("ada"), on("createPipeline", id, 0), m)
	if err != nil || made.Rejection != "" {
		f.t.Fatalf("creating a pipeline: %v %v %v", made.Rejection, refusal, err)
	}
	o, err := f.pipelines.Publish(f.as("ada"), on("publishPipeline", id, 1))
	if err != nil || o.Rejection != "" {
		f.t.Fatalf("publishing a pipeline: %v %v", o.Rejection, err)
	}
	return id
}

// submit queues a run as ada.
func (f *fixture) submit(pipeline uuid.UUID, parameters map[string]string) uuid.UUID {
	f.t.Helper()
	id := uuid.New()
	o, detail, err := f.Submit(f.as("ada"), on("submitRun", id, 0), Submission{pipeline, 1, "short", parameters})
	if err != nil || o.Rejection != "" {
		f.t.Fatalf("submitting a run: %v %v %v", o.Rejection, detail, err)
	}
	return id
}

// get gives a run as ada sees it.
func (f *fixture) get(id uuid.UUID) Run {
	f.t.Helper()
	r, err := f.Get(f.as("ada"), id)
	if err != nil {
		f.t.Fatal(err)
	}
	return r
}

// kinds are the kinds of what happened to a run.
func (f *fixture) kinds(id uuid.UUID) (kinds []Kind) {
	f.t.Helper()
	events, err := eventsOf(f.t.Context(), f.pool, id, 0, 1000)
	if err != nil {
		f.t.Fatal(err)
	}
	for _, e := range events {
		kinds = append(kinds, e.Kind)
	}
	return kinds
}

// newExecutor is an executor that is alive, and does what the test tells it.
func (f *fixture) newExecutor(name string) *executor {
	f.t.Helper()
	e := newExecutor(f.pool, slog.New(slog.DiscardHandler), f.time.clock(), ExecutorConfig{Name: name})
	e.started = f.time.time()
	if err := e.beat(f.t.Context()); err != nil {
		f.t.Fatal(err)
	}
	return e
}

// steps is a definition of some steps.
func steps(all ...pipeline.Step) pipeline.Definition { return pipeline.Definition{Steps: all} }

func echo(name, text string) pipeline.Step {
	return pipeline.Step{Kind: pipeline.Echo, Name: name, Text: text}
}

func wait(name string, milliseconds int64) pipeline.Step {
	return pipeline.Step{Kind: pipeline.Wait, Name: name, Milliseconds: milliseconds}
}

func hashing(name, text string, rounds int64) pipeline.Step {
	return pipeline.Step{Kind: pipeline.Hash, Name: name, Text: text, Rounds: rounds}
}

func failing(name, message string) pipeline.Step {
	return pipeline.Step{Kind: pipeline.Fail, Name: name, Message: message}
}
