package generators

import (
	"os"
	"path/filepath"
	"testing"
)

// What stands in a folder of ours is removed Go files last: they tell the next
// run, if this one ends early, whose the folder is.
//
// clause: E-06
func TestRemoveEndsWithGoFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var changes []change
	for _, name := range []string{"catalog.go", "dispatch.go", "schemas/a.json"} {
		changes = append(changes, change{path: "generated/old/" + name, kind: "unexpected"})
		if name == "schemas/a.json" {
			continue // the removal ends with an error here
		}
		file := filepath.Join(dir, "generated", "old", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(header), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := write(dir, changes, nil); err == nil {
		t.Fatal("removing a file that is not there gives no error")
	}
	if !holdsOurs(os.DirFS(dir), "generated/old") {
		t.Error("the folder is no longer ours, and the rest of it would stay")
	}
}
