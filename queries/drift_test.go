package queries_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestDrift sees that what sqlc wrote is compared both ways: a file that is
// changed, one that is missing and one that nothing makes are named each.
//
// clause: E-07
func TestDrift(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(folder string) error{
		"platformdb/ticket.sql.go": func(folder string) error {
			return os.WriteFile(filepath.Join(folder, "platformdb", "ticket.sql.go"), []byte("package platformdb\n"), 0o600)
		},
		"Only in generated/brokerdb: db.go": func(folder string) error {
			return os.Remove(filepath.Join(folder, "brokerdb", "db.go"))
		},
		"Only in committed/brokerdb: stray.sql.go": func(folder string) error {
			return os.WriteFile(filepath.Join(folder, "brokerdb", "stray.sql.go"), []byte("package brokerdb\n"), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			for _, part := range []string{".ci/queries", "sqlc.yaml", "go.mod", "go.sum", "queries", "generated/platformdb", "generated/brokerdb"} {
				to := filepath.Join(folder, filepath.Dir(part))
				if err := os.MkdirAll(to, 0o700); err != nil {
					t.Fatal(err)
				}
				if out, err := exec.Command("cp", "-r", filepath.Join("..", part), to).CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
			}
			if err := change(filepath.Join(folder, "generated")); err != nil {
				t.Fatal(err)
			}
			check := exec.CommandContext(t.Context(), ".ci/queries", "check")
			check.Dir = folder
			out, err := check.CombinedOutput()
			if err == nil || !strings.Contains(string(out), name) || !strings.Contains(string(out), "run `make generate`") {
				t.Errorf("error %v:\n%s", err, out)
			}
		})
	}
}
