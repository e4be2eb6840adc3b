package normalise_test

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/pharos-mcp/pharos/generators/internal/normalise"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

// TestLoad reads the documents in testdata: the files of each archive but the
// last, which holds what comes of them. Names of documents start with api.
//
// clause: E-09
func TestLoad(t *testing.T) {
	t.Parallel()
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			fsys, want := fstest.MapFS{}, ""
			for _, f := range archive.Files {
				if f.Name == "want" {
					want = string(f.Data)
					continue
				}
				fsys[f.Name] = &fstest.MapFile{Data: f.Data}
			}
			got := load(t, fsys)
			if *update && got != want {
				archive.Files = append(archive.Files[:len(fsys):len(fsys)], txtar.File{Name: "want", Data: []byte(got)})
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			} else if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("want -, got +:\n%s", diff)
			}
		})
	}
}

// load reads the documents api* and writes what comes of them, or the problems.
func load(t *testing.T, fsys fs.FS) string {
	t.Helper()
	d, err := normalise.Load(fsys, normalise.Config{
		Name:       "api",
		Files:      []string{"api*"},
		References: map[string]string{"https://example.com/shared.yaml": "lib/shared.yaml"},
	})
	if err != nil {
		var ps spec.Problems
		if !errors.As(err, &ps) {
			t.Errorf("the error is a %T", err)
		}
		return err.Error() + "\n"
	}
	checkReferences(t, d)
	return dump(d)
}

func TestLoadNothing(t *testing.T) {
	t.Parallel()
	_, err := normalise.Load(fstest.MapFS{}, normalise.Config{Files: []string{"a.yaml", "[", "b*.yaml"}})
	var ps spec.Problems
	if !errors.As(err, &ps) || len(ps) != 3 {
		t.Errorf("got %v, want a problem for each name", err)
	}
}
