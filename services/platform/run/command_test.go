package run

import (
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/generated/platformapi"
	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/page"
	"github.com/pharos-mcp/pharos/services/platform/pipeline"
)

// answered compares what became of a command.
func answered(t *testing.T, what string, o command.Outcome, err error, status int, version int64, reason command.Rejection) {
	t.Helper()
	if err != nil || o.Status != status || o.Version != version || o.Rejection != reason {
		t.Errorf("%s: %d %q at version %d, %v; want %d %q at %d", what, o.Status, o.Rejection, o.Version, err, status, reason, version)
	}
}

// clause: E-16, E-40, E-41
func TestSubmission(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	fallback := "d"
	id := f.published(pipeline.Definition{
		Parameters: []pipeline.Parameter{{Name: "who"}, {Name: "how", Default: &fallback}},
		Steps:      []pipeline.Step{echo("one", strings.Repeat("${who}", 200)), echo("two", "${how}")},
	})
	good := Submission{id, 1, "short", map[string]string{"who": "x"}}
	with := func(change func(*Submission)) Submission {
		m := good
		change(&m)
		return m
	}
	parameters := func(p map[string]string) Submission { return with(func(m *Submission) { m.Parameters = p }) }
	for name, c := range map[string]struct {
		as     string
		m      Submission
		status int
		reason command.Rejection
		detail string
	}{
		"as the owner":         {"ada", good, 202, "", ""},
		"as a member":          {"cyd", good, 202, "", ""},
		"as a stranger":        {"dan", good, 404, "not_found", ""},
		"of no pipeline":       {"ada", with(func(m *Submission) { m.Pipeline = uuid.New() }), 404, "not_found", ""},
		"of no version":        {"ada", with(func(m *Submission) { m.Version = 2 }), 422, "version_not_published", ""},
		"in no queue":          {"ada", with(func(m *Submission) { m.Queue = "nowhere" }), 422, "queue_unknown", ""},
		"in a draining queue":  {"ada", with(func(m *Submission) { m.Queue = "legacy" }), 409, "queue_closed", ""},
		"without a parameter":  {"ada", parameters(nil), 422, "parameters_invalid", "the parameter who has no default and is missing"},
		"with one too many":    {"ada", parameters(map[string]string{"who": "x", "why": "y"}), 422, "parameters_invalid", "the version declares no parameter why"},
		"with a long text":     {"ada", parameters(map[string]string{"who": strings.Repeat("x", 20)}), 202, "", ""},
		"with a too long text": {"ada", parameters(map[string]string{"who": strings.Repeat("x", 21)}), 422, "parameters_invalid", "they make the text of step one longer than 4000 characters"},
	} {
		sent := on("submitRun", uuid.New(), 0)
		for range 2 { // the answer is the same once more, out of the receipt
			o, detail, err := f.Submit(f.as(c.as), sent, c.m)
			version := int64(0)
			if c.reason == "" {
				version = 1
			}
			answered(t, name, o, err, c.status, version, c.reason)
			if detail != c.detail {
				t.Errorf("%s: detail %q, want %q", name, detail, c.detail)
			}
			if o.Pending != (c.status == 202) {
				t.Errorf("%s: pending %v", name, o.Pending)
			}
		}
	}
	if _, _, err := f.Submit(f.as("vic"), on("submitRun", uuid.New(), 0), good); fault.CodeOf(err) != fault.Forbidden {
		t.Errorf("as a viewer: %v, want it forbidden", err)
	}
	if _, _, err := f.Submit(f.as("ada"), on("submitRun", uuid.New(), 0), parameters(map[string]string{"who": "\x00"})); fault.CodeOf(err) != fault.Invalid {
		t.Errorf("with a NUL: %v, want it invalid", err)
	}
	run := f.submit(id, map[string]string{"who": "x"})
	o, _, err := f.Submit(f.as("ada"), on("submitRun", run, 0), good)
	answered(t, "under a taken id", o, err, 409, 0, "already_exists")
	o, _, err = f.Submit(f.as("ada"), on("submitRun", uuid.New(), 1), good)
	answered(t, "at a revision", o, err, 409, 0, "stale_revision")

	o, err = f.pipelines.Retire(f.as("ada"), on("retirePipeline", id, 2))
	answered(t, "retiring", o, err, 200, 3, "")
	o, _, err = f.Submit(f.as("ada"), on("submitRun", uuid.New(), 0), good)
	answered(t, "of a retired pipeline", o, err, 409, 0, "pipeline_retired")
}

// A queue takes as many runs as may wait, and no more.
func TestQueueFull(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.exec("UPDATE platform.hpc_queue SET queued_runs = 2 WHERE name = 'short'")
	id := f.published(steps(echo("one", "1")))
	first := f.submit(id, nil)
	f.submit(id, nil)
	o, _, err := f.Submit(f.as("ada"), on("submitRun", uuid.New(), 0), Submission{id, 1, "short", nil})
	answered(t, "one more", o, err, 409, 0, "queue_full")
	o, err = f.Cancel(f.as("ada"), on("cancelRun", first, 1))
	answered(t, "cancelling", o, err, 202, 2, "")
	third := f.submit(id, nil)
	o, err = f.Retry(f.as("ada"), on("retryRun", first, 2))
	answered(t, "retrying into a full queue", o, err, 409, 2, "queue_full")
	o, err = f.Cancel(f.as("ada"), on("cancelRun", third, 1))
	answered(t, "cancelling", o, err, 202, 2, "")
	o, err = f.Retry(f.as("ada"), on("retryRun", first, 2))
	answered(t, "retrying", o, err, 202, 3, "")
}

// clause: E-40, E-41
func TestCommands(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.published(steps(echo("one", "1")))
	run := f.submit(id, nil)
	cancel := on("cancelRun", run, 1)
	for _, c := range []struct {
		what, as string
		c        command.Command
		status   int
		version  int64
		reason   command.Rejection
	}{
		{"a stranger", "dan", on("cancelRun", run, 1), 404, 0, "not_found"},
		{"nothing", "ada", on("cancelRun", uuid.New(), 1), 404, 0, "not_found"},
		{"an old revision", "ada", on("cancelRun", run, 0), 409, 1, "stale_revision"},
		{"its submitter", "ada", cancel, 202, 2, ""},
		{"its submitter, repeated", "ada", cancel, 202, 2, ""},
		{"once more", "ada", on("cancelRun", run, 2), 409, 2, "run_finished"},
	} {
		o, err := f.Cancel(f.as(c.as), c.c)
		answered(t, "cancelled by "+c.what, o, err, c.status, c.version, c.reason)
	}
	if d := cmp.Diff([]Kind{Submitted, WasCancelled}, f.kinds(run)); d != "" {
		t.Errorf("what happened (-want +got):\n%s", d)
	}
	for _, as := range []string{"cyd", "vic"} {
		if _, err := f.Retry(f.as(as), on("retryRun", run, 2)); fault.CodeOf(err) != fault.Forbidden {
			t.Errorf("retried by %s, who did not submit it: %v, want it forbidden", as, err)
		}
	}
	o, err := f.Retry(f.as("bob"), on("retryRun", run, 2))
	answered(t, "retried by a maintainer", o, err, 202, 3, "")
	o, err = f.Delete(f.as("ada"), on("deleteRun", run, 3))
	answered(t, "deleted while queued", o, err, 409, 3, "run_unfinished")

	f.exec("UPDATE platform.project SET state = 'archived'")
	o, err = f.Retry(f.as("ada"), on("retryRun", run, 3))
	answered(t, "retried in an archived project", o, err, 409, 0, "project_archived")
	o, err = f.Cancel(f.as("ada"), on("cancelRun", run, 3))
	answered(t, "cancelled in an archived project", o, err, 202, 4, "")
	o, err = f.Delete(f.as("ada"), on("deleteRun", run, 4))
	answered(t, "deleted in an archived project", o, err, 409, 0, "project_archived")
	f.exec("UPDATE platform.project SET state = 'active'")
	remove := on("deleteRun", run, 4)
	for range 2 {
		o, err = f.Delete(f.as("ada"), remove)
		answered(t, "deleted", o, err, 200, 5, "")
	}
	if _, err := f.Get(f.as("ada"), run); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("a deleted run: %v", err)
	}
	left := one[int](f, "SELECT (SELECT count(*) FROM platform.run_event) + (SELECT count(*) FROM platform.run_step)")
	if left != 0 {
		t.Errorf("%d rows are left of a deleted run", left)
	}
}

// Identical commands at one time have one effect, and one answer.
//
// clause: E-41
func TestConcurrentCommands(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.published(steps(echo("one", "1")))
	sent := on("submitRun", uuid.New(), 0)
	var group sync.WaitGroup
	for range 16 {
		group.Go(func() {
			o, _, err := f.Submit(f.as("ada"), sent, Submission{id, 1, "short", nil})
			answered(t, "submitting", o, err, 202, 1, "")
		})
	}
	group.Wait()
	if n := one[int](f, "SELECT (SELECT count(*) FROM platform.run) * 10 + (SELECT count(*) FROM platform.run_event)"); n != 11 {
		t.Errorf("%d runs and events, want one of each", n)
	}
}

// clause: E-42
func TestLists(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	e := f.newExecutor("one")
	good, bad := f.published(steps(echo("one", "1"))), f.published(steps(failing("one", "no")))
	var all, ofBad []uuid.UUID
	for n := range 7 {
		id := good
		if n%3 == 0 {
			id = bad
		}
		run := f.submit(id, nil)
		finish(t, e)
		all = append([]uuid.UUID{run}, all...)
		if id == bad {
			ofBad = append([]uuid.UUID{run}, ofBad...)
		}
		f.time.advance(time.Microsecond)
	}
	walk := func(as string, filter Filter, kind string) (ids []uuid.UUID) {
		t.Helper()
		limit := int64(2)
		for cursor := (*string)(nil); ; {
			p, err := page.Of(&limit, cursor, kind)
			if err != nil {
				t.Fatal(err)
			}
			runs, next, err := f.List(f.as(as), filter, p)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range runs {
				ids = append(ids, r.ID)
			}
			if cursor = next; next == nil {
				return ids
			}
		}
	}
	failed, queued := Failed, Queued
	for name, c := range map[string]struct {
		as     string
		filter Filter
		want   []uuid.UUID
	}{
		"all":                     {"vic", Filter{}, all},
		"of the project":          {"ada", Filter{Project: &f.project}, all},
		"of a pipeline":           {"ada", Filter{Pipeline: &bad}, ofBad},
		"in a state":              {"ada", Filter{State: &failed}, ofBad},
		"of a pipeline, in state": {"ada", Filter{Pipeline: &bad, State: &failed, Project: &f.project}, ofBad},
		"of the other, in state":  {"ada", Filter{Pipeline: &good, State: &failed}, nil},
		"in another state":        {"ada", Filter{State: &queued}, nil},
		"a stranger's":            {"dan", Filter{}, nil},
		"a stranger's, pipeline":  {"dan", Filter{Pipeline: &bad}, nil},
	} {
		if d := cmp.Diff(c.want, walk(c.as, c.filter, name)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	p, _ := page.Of(nil, nil, "")
	if _, _, err := f.List(f.as("dan"), Filter{Project: &f.project}, p); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("the project's, by a stranger: %v", err)
	}
}

// A stranger sees nothing of a run by any way.
func TestStranger(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	run := f.submit(f.published(steps(echo("one", "1"))), nil)
	_, err := f.Get(f.as("dan"), run)
	_, logErr := f.Log(f.as("dan"), run)
	p, _ := page.Of(nil, nil, "")
	_, _, eventsErr := f.Events(f.as("dan"), run, p)
	for _, err := range []error{err, logErr, eventsErr} {
		if fault.CodeOf(err) != fault.NotFound {
			t.Errorf("%v, want not found", err)
		}
	}
}

// The replies as the API describes them.
//
// clause: E-16
func TestReplies(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.published(steps(echo("one", "1")))
	run := "ffffffff-ffff-4fff-8fff-ffffffffffff"
	submit := func(key string, parameters *platformapi.RunParametersModel) (int, string) {
		t.Helper()
		r, err := f.SubmitRun(f.as("ada"), platformapi.SubmitRunRequestObject{
			ID: run, Params: platformapi.SubmitRunParams{IdempotencyKey: key, IfMatch: "0"},
			Body: &platformapi.NewRunModel{PipelineID: id.String(), Version: 1, Queue: "short", Parameters: parameters},
		})
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		if err := r.VisitSubmitRunResponse(w); err != nil {
			t.Fatal(err)
		}
		return w.Code, strings.TrimSpace(w.Body.String())
	}
	const one, two, three = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222", "33333333-3333-4333-8333-333333333333"
	for _, c := range []struct {
		key        string
		parameters *platformapi.RunParametersModel
		status     int
		body       string
	}{
		{two, &platformapi.RunParametersModel{"a": "b"}, 422, `{"aggregateId":"` + run + `","detail":"the version declares no parameter a",` +
			`"rejection":"parameters_invalid","status":"rejected","version":0}`},
		{one, nil, 202, `{"aggregateId":"` + run + `","status":"accepted","version":1}`},
		{three, nil, 409, `{"aggregateId":"` + run + `","rejection":"already_exists","status":"rejected","version":0}`},
		{one, &platformapi.RunParametersModel{"a": "b"}, 409, `{"aggregateId":"` + run + `","rejection":"idempotency_key_reuse","status":"rejected","version":0}`},
	} {
		if status, body := submit(c.key, c.parameters); status != c.status || body != c.body {
			t.Errorf("%d %s\nwant %d %s", status, body, c.status, c.body)
		}
	}
	r, err := f.GetRun(f.as("ada"), platformapi.GetRunRequestObject{ID: run})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	if err := r.VisitGetRunResponse(w); err != nil {
		t.Fatal(err)
	}
	want := `{"attempt":1,"id":"` + run + `","parameters":{},"pipeline_id":"` + id.String() + `","pipeline_version":1,"project_id":"` +
		f.project.String() + `","queue":"short","revision":1,"state":"queued","steps":1,"steps_done":0,"submitted_at":"2026-11-30T12:00:00Z",` +
		`"submitted_by":"` + f.ids["ada"].String() + `"}`
	if got := strings.TrimSpace(w.Body.String()); got != want || w.Header().Get("ETag") != `"1"` {
		t.Errorf("%s (ETag %s)\nwant %s", got, w.Header().Get("ETag"), want)
	}
}
