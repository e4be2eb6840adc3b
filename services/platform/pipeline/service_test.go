package pipeline_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/generated/platformapi"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/page"
	"github.com/pharos-mcp/pharos/services/platform/pipeline"
	"github.com/pharos-mcp/pharos/services/platform/project"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// fixture is the service with a database in which ada owns a project, bob
// maintains it, cyd works there, vic looks on and dan has nothing to do with it.
type fixture struct {
	*pipeline.Pipelines
	t       *testing.T
	pool    *pgxpool.Pool
	now     time.Time
	project uuid.UUID
	ids     map[string]uuid.UUID
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{t: t, pool: pgtest.Database(t, "platform"), now: noon, project: uuid.New(), ids: map[string]uuid.UUID{}}
	now := func() time.Time { return f.now }
	door := command.NewDoor(f.pool, now)
	f.Pipelines = pipeline.New(f.pool, door)
	for _, name := range []string{"ada", "bob", "cyd", "vic", "dan"} {
		f.ids[name] = uuid.New()
		f.exec(`INSERT INTO platform.party (id, username, display_name, email, affiliation, state, created_at, updated_at)
			VALUES ($1, $2, $2, $2 || '@example.org', '', 'active', $3, $3)`, f.ids[name], name, noon)
	}
	projects := project.New(f.pool, door, now)
	if r, err := projects.Create(f.as("ada"), on(f.project, 0), project.Content{Slug: "tides", Name: "Tides"}); err != nil || r.Rejection != "" {
		t.Fatal(r.Rejection, err)
	}
	for i, m := range []struct {
		name string
		role project.Role
	}{{"bob", project.Maintainer}, {"cyd", project.Member}, {"vic", project.Viewer}} {
		r, err := projects.SetMember(f.as("ada"), on(f.project, int64(i)+1), f.ids[m.name], m.role)
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

// as is the context of a request of a party.
func (f *fixture) as(name string) context.Context {
	return access.With(f.t.Context(), access.Principal{Party: f.ids[name]})
}

// on is a command on something at a revision, under a key of its own.
func on(id uuid.UUID, revision int64) command.Command {
	return command.Command{Operation: "test", ID: id, Key: uuid.New(), Expected: revision}
}

func (f *fixture) making() pipeline.Content {
	return pipeline.Content{Project: f.project, Name: "Greeting", Description: "Says hello.", Definition: one(echo("greet", "hello"))}
}

func (f *fixture) create() uuid.UUID {
	f.t.Helper()
	id := uuid.New()
	r, _, err := f.Create(f.as("ada"), on(id, 0), f.making())
	answered(f.t, "creating", r.Outcome, err, 201, 1, "")
	return id
}

// answered compares what became of a command.
func answered(t *testing.T, what string, o command.Outcome, err error, status int, version int64, reason command.Rejection) {
	t.Helper()
	if err != nil || o.Status != status || o.Version != version || o.Rejection != reason {
		t.Errorf("%s: %d %q at version %d, %v; want %d %q at %d", what, o.Status, o.Rejection, o.Version, err, status, reason, version)
	}
}

// clause: E-40, E-41
func TestCreate(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	sent := on(uuid.New(), 0)
	want := pipeline.Pipeline{
		ID: sent.ID, Project: f.project, Name: "Greeting", Description: "Says hello.", State: pipeline.Draft, Latest: 1, Revision: 1,
		CreatedBy: f.ids["cyd"], CreatedAt: noon, UpdatedAt: noon, Definition: one(echo("greet", "hello")),
	}
	for range 2 {
		r, _, err := f.Create(f.as("cyd"), sent, f.making())
		answered(t, "by a member", r.Outcome, err, 201, 1, "")
		if d := cmp.Diff(want, r.Value); d != "" {
			t.Errorf("made (-want +got):\n%s", d)
		}
	}
	got, err := f.Get(f.as("vic"), sent.ID)
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("got %v (-want +got):\n%s", err, d)
	}
	if _, err := f.Get(f.as("dan"), sent.ID); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("a stranger gets %v", err)
	}
	other := f.making()
	other.Name = "Another"
	r, _, err := f.Create(f.as("cyd"), sent, other)
	answered(t, "another under the key", r.Outcome, err, 409, 0, "idempotency_key_reuse")
	r, _, err = f.Create(f.as("ada"), on(sent.ID, 0), f.making())
	answered(t, "under a taken id", r.Outcome, err, 409, 0, "already_exists")
	r, _, err = f.Create(f.as("ada"), on(uuid.New(), 1), f.making())
	answered(t, "at a revision", r.Outcome, err, 409, 0, "stale_revision")
	r, _, err = f.Create(f.as("dan"), on(uuid.New(), 0), f.making())
	answered(t, "by a stranger", r.Outcome, err, 404, 0, "not_found")
	if _, _, err := f.Create(f.as("vic"), on(uuid.New(), 0), f.making()); fault.CodeOf(err) != fault.Forbidden {
		t.Errorf("by a viewer: %v", err)
	}
	wrong := f.making()
	wrong.Definition = one(echo("greet", "hello ${who}"))
	sent = on(uuid.New(), 0)
	for range 2 {
		r, refusal, err := f.Create(f.as("ada"), sent, wrong)
		answered(t, "of a wrong definition", r.Outcome, err, 422, 0, "definition_invalid")
		if refusal.Detail != "step greet refers to the parameter who, which is not declared" {
			t.Errorf("detail %q", refusal.Detail)
		}
	}
	for name, change := range map[string]func(*pipeline.Content){
		"no name":              func(m *pipeline.Content) { m.Name = "" },
		"a longer name":        func(m *pipeline.Content) { m.Name = strings.Repeat("é", 121) },
		"a longer description": func(m *pipeline.Content) { m.Description = strings.Repeat("é", 1001) },
		"no steps":             func(m *pipeline.Content) { m.Definition.Steps = nil },
	} {
		m := f.making()
		change(&m)
		if _, _, err := f.Create(f.as("ada"), on(uuid.New(), 0), m); fault.CodeOf(err) != fault.Invalid {
			t.Errorf("with %s: %v", name, err)
		}
	}
	long := f.making()
	long.Name, long.Description = strings.Repeat("é", 120), strings.Repeat("é", 1000)
	r, _, err = f.Create(f.as("ada"), on(uuid.New(), 0), long)
	answered(t, "with long texts", r.Outcome, err, 201, 1, "")
	f.exec("UPDATE platform.project SET state = 'archived'")
	r, _, err = f.Create(f.as("ada"), on(uuid.New(), 0), f.making())
	answered(t, "in an archived project", r.Outcome, err, 409, 0, "project_archived")
}

// Every command in every state.
//
// clause: E-40
func TestStates(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	name := "Another"
	commands := map[string]func(as string, c command.Command) (command.Outcome, error){
		"revise": func(as string, c command.Command) (command.Outcome, error) {
			o, _, err := f.Revise(f.as(as), c, pipeline.Change{Name: &name})
			return o, err
		},
		"publish": func(as string, c command.Command) (command.Outcome, error) { return f.Publish(f.as(as), c) },
		"retire":  func(as string, c command.Command) (command.Outcome, error) { return f.Retire(f.as(as), c) },
		"delete":  func(as string, c command.Command) (command.Outcome, error) { return f.Delete(f.as(as), c) },
	}
	makings := map[pipeline.State]func() (uuid.UUID, int64){
		pipeline.Draft: func() (uuid.UUID, int64) { return f.create(), 1 },
		pipeline.Published: func() (uuid.UUID, int64) {
			id := f.create()
			o, err := f.Publish(f.as("ada"), on(id, 1))
			answered(t, "publishing", o, err, 200, 2, "")
			return id, 2
		},
		pipeline.Retired: func() (uuid.UUID, int64) {
			id := f.create()
			o, err := f.Publish(f.as("ada"), on(id, 1))
			answered(t, "publishing", o, err, 200, 2, "")
			o, err = f.Retire(f.as("ada"), on(id, 2))
			answered(t, "retiring", o, err, 200, 3, "")
			return id, 3
		},
	}
	for _, c := range []struct {
		command string
		state   pipeline.State
		reason  command.Rejection
		after   pipeline.State
	}{
		{"revise", pipeline.Draft, "", pipeline.Draft},
		{"revise", pipeline.Published, "", pipeline.Published},
		{"revise", pipeline.Retired, "pipeline_retired", pipeline.Retired},
		{"publish", pipeline.Draft, "", pipeline.Published},
		{"publish", pipeline.Published, "nothing_to_publish", pipeline.Published},
		{"publish", pipeline.Retired, "pipeline_retired", pipeline.Retired},
		{"retire", pipeline.Draft, "pipeline_draft", pipeline.Draft},
		{"retire", pipeline.Published, "", pipeline.Retired},
		{"retire", pipeline.Retired, "pipeline_retired", pipeline.Retired},
		{"delete", pipeline.Draft, "", ""},
		{"delete", pipeline.Published, "pipeline_published", pipeline.Published},
		{"delete", pipeline.Retired, "pipeline_retired", pipeline.Retired},
	} {
		what := fmt.Sprintf("%s when %s", c.command, c.state)
		id, revision := makings[c.state]()
		o, err := commands[c.command]("dan", on(id, revision))
		answered(t, what+" by a stranger", o, err, 404, 0, "not_found")
		o, err = commands[c.command]("ada", on(id, revision-1))
		answered(t, what+" at an old revision", o, err, 409, revision, "stale_revision")
		if _, err := commands[c.command]("vic", on(id, revision)); fault.CodeOf(err) != fault.Forbidden {
			t.Errorf("%s by a viewer: %v", what, err)
		}
		as := "cyd"
		if c.command == "publish" || c.command == "retire" {
			if _, err := commands[c.command]("cyd", on(id, revision)); fault.CodeOf(err) != fault.Forbidden {
				t.Errorf("%s by a member: %v", what, err)
			}
			as = "bob"
		}
		status, version := 200, revision+1
		if c.reason != "" {
			status, version = 409, revision
		}
		sent := on(id, revision)
		for range 2 {
			o, err = commands[c.command](as, sent)
			answered(t, what, o, err, status, version, c.reason)
		}
		got, err := f.Get(f.as("ada"), id)
		if c.after == "" {
			if fault.CodeOf(err) != fault.NotFound {
				t.Errorf("%s: %v", what, err)
			}
			continue
		}
		if err != nil || got.State != c.after || got.Revision != version || (got.Published == nil) != (c.after == pipeline.Draft) {
			t.Errorf("after %s: %+v, %v", what, got, err)
		}
	}
	o, err := f.Publish(f.as("ada"), on(uuid.New(), 1))
	answered(t, "publishing nothing", o, err, 404, 0, "not_found")
}

// clause: E-40, E-42
func TestVersions(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.create()
	revise := func(revision int64, text string) {
		t.Helper()
		d := one(echo("greet", text))
		o, _, err := f.Revise(f.as("ada"), on(id, revision), pipeline.Change{Definition: &d})
		answered(t, "revising", o, err, 200, revision+1, "")
	}
	f.now = noon.Add(time.Minute)
	revise(1, "two")
	o, err := f.Publish(f.as("ada"), on(id, 2))
	answered(t, "publishing", o, err, 200, 3, "")
	revise(3, "three")
	wrong := one(echo("greet", "${x}"))
	o, refusal, err := f.Revise(f.as("ada"), on(id, 4), pipeline.Change{Definition: &wrong})
	answered(t, "revising wrongly", o, err, 422, 4, "definition_invalid")
	if refusal.Detail == "" {
		t.Error("there is no detail")
	}
	p, err := f.Get(f.as("ada"), id)
	if err != nil || p.Latest != 3 || p.Published == nil || *p.Published != 2 || p.Definition.Steps[0].Text != "three" {
		t.Errorf("the pipeline is %+v, %v", p, err)
	}
	var got []string
	limit := int64(2)
	for cursor := (*string)(nil); ; {
		at, err := page.Of(&limit, cursor, "versions")
		if err != nil {
			t.Fatal(err)
		}
		all, next, err := f.Versions(f.as("vic"), id, at)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range all {
			got = append(got, fmt.Sprintf("%d %s %v %s", v.Number, v.Definition.Steps[0].Text, v.PublishedAt != nil, v.CreatedAt.Sub(noon)))
		}
		if cursor = next; next == nil {
			break
		}
	}
	if d := cmp.Diff([]string{"3 three false 1m0s", "2 two true 1m0s", "1 hello false 0s"}, got); d != "" {
		t.Errorf("versions (-want +got):\n%s", d)
	}
	p2, _ := page.Of(nil, nil, "versions")
	if _, _, err := f.Versions(f.as("dan"), id, p2); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("a stranger gets %v", err)
	}

	f.exec("UPDATE platform.pipeline SET latest = 999")
	f.exec("INSERT INTO platform.pipeline_version (pipeline_id, number, definition, created_by, created_at) VALUES ($1, 999, '{}', $2, $3)",
		id, f.ids["ada"], noon)
	revise(4, "the last one")
	d := one(echo("greet", "one too many"))
	o, _, err = f.Revise(f.as("ada"), on(id, 5), pipeline.Change{Definition: &d})
	answered(t, "revising once too often", o, err, 409, 5, "version_limit")
	name := "Renamed"
	o, _, err = f.Revise(f.as("ada"), on(id, 5), pipeline.Change{Name: &name})
	answered(t, "renaming", o, err, 200, 6, "")
}

// Of several changes at one revision, one is applied.
//
// clause: E-41
func TestConcurrentChanges(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.create()
	var mu sync.Mutex
	answers := map[string]int{}
	var group sync.WaitGroup
	for n := range 12 {
		group.Go(func() {
			d := one(echo("greet", fmt.Sprint(n)))
			o, _, err := f.Revise(f.as("ada"), on(id, 1), pipeline.Change{Definition: &d})
			mu.Lock()
			defer mu.Unlock()
			answers[fmt.Sprintf("%d %q %d %v", o.Status, o.Rejection, o.Version, err)]++
		})
	}
	group.Wait()
	if d := cmp.Diff(map[string]int{`200 "" 2 <nil>`: 1, `409 "stale_revision" 2 <nil>`: 11}, answers); d != "" {
		t.Errorf("answers (-want +got):\n%s", d)
	}
}

// clause: E-42
func TestLists(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	var all, published []uuid.UUID
	for n := range 5 {
		f.now = f.now.Add(time.Microsecond)
		id := f.create()
		all = append([]uuid.UUID{id}, all...)
		if n%2 == 0 {
			o, err := f.Publish(f.as("ada"), on(id, 1))
			answered(t, "publishing", o, err, 200, 2, "")
			published = append([]uuid.UUID{id}, published...)
		}
	}
	state := pipeline.Published
	for name, c := range map[string]struct {
		as   string
		f    pipeline.Filter
		want []uuid.UUID
	}{
		"all":            {"vic", pipeline.Filter{}, all},
		"of the project": {"ada", pipeline.Filter{Project: &f.project}, all},
		"in a state":     {"ada", pipeline.Filter{State: &state}, published},
		"a stranger's":   {"dan", pipeline.Filter{}, nil},
	} {
		var ids []uuid.UUID
		limit := int64(2)
		for cursor := (*string)(nil); ; {
			p, err := page.Of(&limit, cursor, name)
			if err != nil {
				t.Fatal(err)
			}
			rows, next, err := f.List(f.as(c.as), c.f, p)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range rows {
				ids = append(ids, r.ID)
			}
			if cursor = next; next == nil {
				break
			}
		}
		if d := cmp.Diff(c.want, ids); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	p, _ := page.Of(nil, nil, "")
	if _, _, err := f.List(f.as("dan"), pipeline.Filter{Project: &f.project}, p); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("the project's, by a stranger: %v", err)
	}
}

// A definition comes back as it was sent, and an outcome as the API describes it.
//
// clause: E-16
func TestReplies(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := "eeeeeeee-eeee-4eee-8eee-eeeeeeeeeeee"
	const definition = `{"parameters":[{"default":"world","name":"who"}],"steps":[{"kind":"echo","name":"a","text":"\u003c${who}\u003e"},` +
		`{"kind":"hash","name":"b","rounds":3,"text":""},{"kind":"wait","milliseconds":5,"name":"c"},{"kind":"fail","message":"no","name":"d"}]}`
	body := &platformapi.NewPipelineModel{ProjectID: f.project.String(), Name: "Greeting"}
	if err := json.Unmarshal([]byte(definition), &body.Definition); err != nil {
		t.Fatal(err)
	}
	r, err := f.CreatePipeline(f.as("ada"), platformapi.CreatePipelineRequestObject{
		ID: id, Params: platformapi.CreatePipelineParams{IdempotencyKey: uuid.NewString(), IfMatch: "0"}, Body: body,
	})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	if err := r.VisitCreatePipelineResponse(w); err != nil {
		t.Fatal(err)
	}
	want := `{"created_at":"2026-11-30T12:00:00Z","definition":` + definition + `,"description":"","id":"` + id + `","name":"Greeting","project_id":"` +
		f.project.String() + `","published_version":0,"revision":1,"state":"draft","updated_at":"2026-11-30T12:00:00Z","version":1}`
	if got := strings.TrimSpace(w.Body.String()); w.Code != 201 || got != want || w.Header().Get("ETag") != `"1"` {
		t.Errorf("%d %s (ETag %s)\nwant 201 %s", w.Code, got, w.Header().Get("ETag"), want)
	}
	r2, err := f.RetirePipeline(f.as("ada"), platformapi.RetirePipelineRequestObject{
		ID: id, Params: platformapi.RetirePipelineParams{IdempotencyKey: uuid.NewString(), IfMatch: `"1"`},
	})
	if err != nil {
		t.Fatal(err)
	}
	w = httptest.NewRecorder()
	if err := r2.VisitRetirePipelineResponse(w); err != nil {
		t.Fatal(err)
	}
	want = `{"aggregateId":"` + id + `","rejection":"pipeline_draft","status":"rejected","version":1}`
	if got := strings.TrimSpace(w.Body.String()); w.Code != 409 || got != want {
		t.Errorf("%d %s\nwant 409 %s", w.Code, got, want)
	}
}
