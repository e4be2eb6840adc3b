package generators

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// TestGenerateIsDeterministic generates from the same values in several
// spellings, orders and folders: every byte of the output has to be the same.
//
// clause: E-06
func TestGenerateIsDeterministic(t *testing.T) {
	t.Parallel()
	source := os.DirFS("testdata/shop")
	first := generate(t, source)
	if len(first) < 15 {
		t.Fatalf("only %d files", len(first))
	}
	if diff := cmp.Diff(first, generate(t, source)); diff != "" {
		t.Errorf("the same again: -first +again:\n%s", diff)
	}
	if diff := cmp.Diff(first, generate(t, respelt(t, source, reversed))); diff != "" {
		t.Errorf("members reversed: -first +reversed:\n%s", diff)
	}
	if diff := cmp.Diff(first, generate(t, respelt(t, source, sorted))); diff != "" {
		t.Errorf("as one line of JSON: -first +sorted:\n%s", diff)
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, source); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first, generate(t, os.DirFS(dir))); diff != "" {
		t.Errorf("in another folder: -first +other:\n%s", diff)
	}
	for name, data := range first {
		if bytes.Contains(data, []byte(dir)) || bytes.Contains(data, []byte("go1.")) {
			t.Errorf("%s tells of the machine that made it", name)
		}
	}
}

func generate(t *testing.T, root fs.FS) Files {
	t.Helper()
	files, err := Generate(Config{Root: root, Module: "example.com/m"})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// respelt writes every file of a module as other JSON with the same value.
func respelt(t *testing.T, root fs.FS, write func(*spec.Node) []byte) fs.FS {
	t.Helper()
	out := fstest.MapFS{}
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) == ".mod" {
			return err
		}
		data, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		node, err := spec.Parse(name, data)
		if err != nil {
			return err
		}
		out[name] = &fstest.MapFile{Data: write(node)}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func sorted(n *spec.Node) []byte { return n.AppendJSON(nil) }

// reversed writes objects by descending name, with white space in between.
func reversed(n *spec.Node) []byte {
	switch n.Kind {
	case spec.Array:
		parts := make([][]byte, len(n.Items))
		for i, item := range n.Items {
			parts[i] = reversed(item)
		}
		return slices.Concat([]byte("[\n "), bytes.Join(parts, []byte(",\n ")), []byte("]"))
	case spec.Object:
		parts := make([][]byte, len(n.Members))
		for i, m := range n.Members {
			name, _ := json.Marshal(m.Name)
			parts[len(parts)-1-i] = slices.Concat(name, []byte(" : "), reversed(m.Value))
		}
		return slices.Concat([]byte("{\n "), bytes.Join(parts, []byte(",\n ")), []byte("}"))
	default:
		return n.AppendJSON(nil)
	}
}
