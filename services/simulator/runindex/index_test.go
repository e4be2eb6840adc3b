package runindex_test

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/simulator/engine"
	"github.com/pharos-mcp/pharos/services/simulator/runindex"
	"github.com/pharos-mcp/pharos/services/simulator/runlog"
)

// write writes the log of a run of so many ticks, and its end where there is a
// reason.
func write(t *testing.T, folder, run, scenario string, seed, ticks int64, reason string) *engine.Episode {
	t.Helper()
	s, known := engine.Find(scenario)
	if !known {
		t.Fatal(scenario)
	}
	e, err := engine.New(s, seed, run)
	if err != nil {
		t.Fatal(err)
	}
	l, err := runlog.Create(folder, run, e)
	if err != nil {
		t.Fatal(err)
	}
	for range ticks {
		if err := l.Tick(e.Step()); err != nil {
			t.Fatal(err)
		}
	}
	if reason != "" {
		if err := l.End(reason); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

// indexed are a few columns of all runs.
type indexed struct {
	ID, Scenario, Map string
	Seed, Mechanics   int64
	Reason            *string
	Tick, Lost        *int64
}

func rows(t *testing.T, pool *pgxpool.Pool) []indexed {
	t.Helper()
	found, err := pool.Query(t.Context(), `SELECT id, scenario_id, map_id, seed, mechanics_version, end_reason, end_tick, buildings_lost
		FROM simulator.run ORDER BY id`)
	if err != nil {
		t.Fatal(err)
	}
	all, err := pgx.CollectRows(found, pgx.RowToStructByPos[indexed])
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// The index has what the logs say, and nothing of files that are none; made
// again from the files alone it is the same.
//
// clause: S-30
func TestIndex(t *testing.T) {
	t.Parallel()
	pool, folder, log := pgtest.Database(t, "simulator"), t.TempDir(), &watched{}
	lost := write(t, folder, "run-1", "stage1-basic@londone", 7, 30, "aborted:displaced").Outcome().BuildingsLost
	write(t, folder, "run-2", "stage5-babel@oldtown", 9007199254740991, 2, "")
	for name, text := range map[string]string{
		"old.jsonl": `{"type":"header","log_version":1,"run_id":"old","scenario_id":"a@b","seed":1,"mechanics_version":0,` +
			`"map_id":"b","map_sha256":"c","constants_sha256":"d"}` +
			"\n" + `{"type":"end","reason":"aborted","tick":4,"casualties":null,"buildings_lost":null}` + "\n",
		"other.jsonl": `{"type":"header","run_id":"run-1"}` + "\n", "empty.jsonl": "", "torn.jsonl": `{"type":"hea`,
		"nul.jsonl":                        `{"type":"header","run_id":"nul","scenario_id":"a\u0000"}` + "\n",
		strings.Repeat("x", 70) + ".jsonl": `{"type":"header","run_id":"` + strings.Repeat("x", 70) + `"}` + "\n",
		"half.jsonl": `{"type":"header","run_id":"half","scenario_id":"a","map_id":"b","map_sha256":"c","constants_sha256":"d"}` +
			"\n" + `{"type":"end","reason":"x","casualties":1}` + "\n",
		"long.jsonl":   `{"type":"header","run_id":"long","scenario_id":"` + strings.Repeat("y", 5000) + `"}` + "\n",
		".begin-run-3": "x", "notes.txt": "x", ".jsonl": "x",
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(folder, "folder.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	x := runindex.New(pool, folder, slog.New(slog.NewTextHandler(log, nil)))
	runs, err := runlog.Runs(folder)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := x.Put(t.Context(), runs); n != 3 || err != nil {
		t.Errorf("%d runs, %v", n, err)
	}
	displaced, aborted, thirty, four := "aborted:displaced", "aborted", int64(30), int64(4)
	want := []indexed{
		{"old", "a@b", "b", 1, 0, &aborted, &four, nil},
		{"run-1", "stage1-basic@londone", "londone", 7, engine.Mechanics, &displaced, &thirty, &lost},
		{"run-2", "stage5-babel@oldtown", "oldtown", 9007199254740991, engine.Mechanics, nil, nil, nil},
	}
	if diff := cmp.Diff(want, rows(t, pool)); diff != "" {
		t.Error(diff)
	}
	for _, sql := range []string{
		"DELETE FROM simulator.run WHERE id = 'old'", "UPDATE simulator.run SET seed = 1, end_reason = 'resolved' WHERE id = 'run-1'",
		`INSERT INTO simulator.run (id, scenario_id, seed, map_id, map_sha256, constants_sha256, mechanics_version, log_version)
			VALUES ('gone', '', 1, '', '', '', 1, 1)`,
	} {
		if _, err := pool.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := x.Rebuild(t.Context()); n != 3 || err == nil {
		t.Errorf("made again: %d runs, and no word of files that are none: %v", n, err)
	}
	if diff := cmp.Diff(want, rows(t, pool)); diff != "" {
		t.Errorf("made again: %s", diff)
	}
	for _, name := range []string{"other", "empty", "torn", "nul", "half", "long"} {
		if !strings.Contains(log.String(), "run="+name+" ") {
			t.Errorf("the log says nothing of %s", name)
		}
	}
}

// A keeper writes what was there before, what changes, and at the end what the
// database could not take in between.
//
// clause: S-30
func TestKeeper(t *testing.T) {
	t.Parallel()
	pool, folder, log := pgtest.Database(t, "simulator"), t.TempDir(), &watched{}
	write(t, folder, "run-1", "stage1-basic@londone", 7, 1, "aborted")
	k := runindex.NewKeeper(runindex.New(pool, folder, slog.New(slog.NewTextHandler(log, nil))))
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan struct{})
	go func() { defer close(stopped); k.Run(ctx) }()
	eventually(t, func() bool { return len(rows(t, pool)) == 1 })
	write(t, folder, "run-2", "stage1-basic@londone", 7, 1, "")
	k.Changed("run-2")
	eventually(t, func() bool { return len(rows(t, pool)) == 2 })
	if _, err := pool.Exec(t.Context(), "ALTER TABLE simulator.run RENAME TO aside"); err != nil {
		t.Fatal(err)
	}
	write(t, folder, "run-3", "stage1-basic@londone", 7, 1, "aborted")
	k.Changed("run-3")
	eventually(t, func() bool { return strings.Contains(log.String(), "level=ERROR") })
	if _, err := pool.Exec(t.Context(), "ALTER TABLE simulator.aside RENAME TO run"); err != nil {
		t.Fatal(err)
	}
	stop()
	<-stopped
	if all := rows(t, pool); len(all) != 3 {
		t.Errorf("%d runs: %v", len(all), all)
	}
}

func eventually(t *testing.T, is func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it does not come")
		}
	}
}

// watched keeps a log.
type watched struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

// String gives everything so far.
func (w *watched) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}
