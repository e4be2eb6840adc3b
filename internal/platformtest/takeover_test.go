package platformtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// stepsOfRun are the steps of the runs of these tests, stepsLog the log that
// they leave.
const (
	stepsOfRun = `{"kind":"echo","name":"one","text":"begun"},{"kind":"wait","name":"two","milliseconds":700},` +
		`{"kind":"echo","name":"three","text":"half"},{"kind":"wait","name":"four","milliseconds":700},` +
		`{"kind":"hash","name":"five","text":"abc","rounds":1}`
	steps    = 5
	stepsLog = "#1.1 one: begun\n#1.2 two: waited 700 ms\n#1.3 three: half\n#1.4 four: waited 700 ms\n" +
		"#1.5 five: ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\n"
)

// submission submits the n-th run of the pipeline of these tests.
func submission(n int) call {
	return call{
		method: "PUT", path: "/runs/" + identifier('a', n), key: identifier('f', n), ifMatch: "0",
		body: fmt.Sprintf(`{"pipeline_id":%q,"version":1,"queue":"short","parameters":{}}`, identifier('d', 1)),
	}
}

// submit makes a project with a pipeline, and submits so many runs of it.
func (c *caller) submit(t *testing.T, url string, runs int) {
	t.Helper()
	pipeline := "/pipelines/" + identifier('d', 1)
	for n, x := range []call{
		{method: "PUT", path: "/projects/" + identifier('b', 1), ifMatch: "0", body: `{"slug":"tides","name":"Tides"}`},
		{method: "PUT", path: pipeline, ifMatch: "0", body: newPipeline("steps", stepsOfRun)},
		{method: "POST", path: pipeline + "/publish", ifMatch: "1"},
	} {
		x.key = identifier('c', n)
		status := http.StatusCreated
		if x.method == "POST" {
			status = http.StatusOK
		}
		c.must(t, url, x, status)
	}
	for n := range runs {
		c.must(t, url, submission(n), http.StatusAccepted)
	}
}

// await looks until something holds.
func await(t *testing.T, limit time.Duration, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); !holds(); {
		if time.Now().After(end) {
			t.Fatalf("not within %s: %s", limit, what)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// checkRuns holds what the runs left against what they must have left: every
// step once, whoever executed it.
func (c *caller) checkRuns(t *testing.T, url string, pool *pgxpool.Pool, runs int) {
	t.Helper()
	for n := range runs {
		run := identifier('a', n)
		if got := c.must(t, url, call{method: "GET", path: "/runs/" + run}, http.StatusOK); !strings.Contains(got.Body, `"state":"succeeded"`) {
			t.Errorf("run %d: %s", n, got.Body)
		}
		if got := c.must(t, url, call{method: "GET", path: "/runs/" + run + "/log"}, http.StatusOK); got.Body != stepsLog {
			t.Errorf("run %d logged %q, want %q", n, got.Body, stepsLog)
		}
		for kind, want := range map[string]int{"step_succeeded": steps, "submitted": 1, "succeeded": 1} {
			got := one[int](t, pool, "SELECT count(*) FROM platform.run_event WHERE run_id = $1 AND kind = $2", run, kind)
			if got != want {
				t.Errorf("run %d has %d events %s, want %d", n, got, kind, want)
			}
		}
	}
	if n := one[int](t, pool, "SELECT count(*) FROM platform.run_step"); n != runs*steps {
		t.Errorf("%d steps of %d runs, want %d of each", n, runs, steps)
	}
	usage := one[string](t, pool, "SELECT started || ' ' || succeeded || ' ' || failed FROM platform.project_usage")
	if want := fmt.Sprintf("%d %d 0", runs, runs); usage != want {
		t.Errorf("the usage of the project is %s, want %s", usage, want)
	}
}

// TestTakeover kills a process that executes runs. Another takes them up after
// the step that was recorded last.
func TestTakeover(t *testing.T) {
	t.Parallel()
	const runs = 4
	database := pgtest.URL(t, "platform")
	pool := pgtest.Pool(t, database)
	victim := serve(t, database, runs)
	ada := newCaller(t, addUser(t, database, "ada"))
	ada.submit(t, victim.url, runs)
	held := func() int { return one[int](t, pool, "SELECT count(*) FROM platform.run WHERE state = 'running'") }
	await(t, 30*time.Second, "all runs are in the middle", func() bool {
		return held() == runs && one[int](t, pool, "SELECT min(steps_done) FROM platform.run") >= 1
	})
	victim.kill()
	left := one[int](t, pool, "SELECT count(*) FROM platform.run_step")
	if held() != runs || left >= runs*steps {
		t.Fatalf("%d runs with %d steps were in the middle, want %d", held(), left, runs)
	}

	survivor := serve(t, database, runs)
	// A lease lasts 30 s after the last sign of life, and is not waited for.
	if !*long {
		tag, err := pool.Exec(t.Context(), "UPDATE platform.executor SET alive_until = now() - interval '1 second' WHERE name LIKE $1",
			fmt.Sprintf("%%/%d", victim.command.Process.Pid))
		if err != nil || tag.RowsAffected() != 1 {
			t.Fatalf("%v, %v", tag, err)
		}
	}
	await(t, time.Minute, "all runs have ended", func() bool {
		return one[int](t, pool, "SELECT count(*) FROM platform.run WHERE finished_at IS NULL") == 0
	})
	ada.checkRuns(t, survivor.url, pool, runs)
	if n := one[int](t, pool, "SELECT count(*) FROM platform.run_event WHERE kind = 'requeued' AND message = 'its executor is gone'"); n != runs {
		t.Errorf("%d runs were taken over, want %d", n, runs)
	}
	if n := one[int](t, pool, "SELECT count(*) FROM platform.executor"); n != 1 {
		t.Errorf("%d executors are known, want the living one", n)
	}
}
