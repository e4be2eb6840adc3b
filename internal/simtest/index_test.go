package simtest

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// reasons are those of the runs in an index; "" is for a run that goes on.
func reasons(t *testing.T, database string) map[string]string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	ok(t, err)
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	found, err := conn.Query(t.Context(), "SELECT id, COALESCE(end_reason, '') FROM simulator.run")
	ok(t, err)
	all := map[string]string{}
	var id, reason string
	_, err = pgx.ForEachRow(found, []any{&id, &reason}, func() error { all[id] = reason; return nil })
	ok(t, err)
	return all
}

// TestIndex: where there is a database, it knows every run and how it ended; one
// that has lost everything gets it again from the files.
//
// clause: S-30
func TestIndex(t *testing.T) {
	t.Parallel()
	database := pgtest.URL(t, "simulator")
	file := filepath.Join(t.TempDir(), "config.json")
	text, err := json.Marshal(map[string]any{
		"simulator": map[string]any{"listen": "127.0.0.1:0", "runs": "runs"}, "database": map[string]any{"url": database},
	})
	ok(t, err)
	ok(t, os.WriteFile(file, text, 0o600))
	p := serve(t, file)
	c := opened(t, p.url)
	first := c.must(t, "start_episode", begin).read(t).RunID
	eventually(t, "the run in the index", func() bool { _, known := reasons(t, database)[first]; return known })
	second := c.must(t, "start_episode", begin).read(t).RunID
	eventually(t, "the end in the index", func() bool { return reasons(t, database)[first] == "aborted:replaced" })
	p.stop(t)
	want := map[string]string{first: "aborted:replaced", second: "aborted"}
	if diff := cmp.Diff(want, reasons(t, database)); diff != "" {
		t.Error(diff)
	}
	empty := pgtest.URL(t)
	command := exec.Command(program(t), "sim", "-config", file, "index", "-json")
	text, err = json.Marshal(map[string]any{"simulator": map[string]any{"runs": "runs"}, "database": map[string]any{"url": empty}})
	ok(t, err)
	ok(t, os.WriteFile(file, text, 0o600))
	out, err := command.CombinedOutput()
	if err != nil || string(out) != "{\"runs\":2}\n" {
		t.Errorf("sim index: %v, %s", err, out)
	}
	if diff := cmp.Diff(want, reasons(t, empty)); diff != "" {
		t.Errorf("made again: %s", diff)
	}
}
