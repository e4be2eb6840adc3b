package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

// TestRun runs each archive of testdata as a tree of its own; the archive's
// comment is what run must print.
func TestRun(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives in testdata: %v", err)
	}
	for _, name := range archives {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			tree, err := txtar.FS(a)
			if err != nil {
				t.Fatal(err)
			}
			root := t.TempDir()
			if err := os.CopyFS(root, fs.FS(tree)); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			code := run([]string{root}, &out, &out)
			if diff := cmp.Diff(string(a.Comment), out.String()); diff != "" {
				t.Errorf("output (-want +got):\n%s", diff)
			}
			wantCode := 1
			if filepath.Base(name) == "covered.txtar" {
				wantCode = 0
			}
			if code != wantCode {
				t.Errorf("exit code %d, want %d", code, wantCode)
			}
		})
	}
}

func TestRunRefusesTwoRoots(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if code := run([]string{"a", "b"}, &out, &out); code != 2 {
		t.Errorf("exit code %d, want 2", code)
	}
}
