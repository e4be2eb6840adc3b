package arch

import (
	"go/build"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

// tree is this module as it lies on disk.
type tree struct {
	mod      *modfile.File
	packages map[string]*build.Package // by folder
}

// load reads go.mod and the imports of every package.
func load(t *testing.T) tree {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	tr := tree{mod: mod, packages: map[string]*build.Package{}}
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if base := d.Name(); name != root && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") ||
			base == "testdata" || base == "node_modules") {
			return fs.SkipDir
		}
		dir, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil && dir != "." {
			return fs.SkipDir // a module of its own
		}
		p, err := build.ImportDir(name, 0)
		if _, none := err.(*build.NoGoError); none {
			return nil
		}
		if err != nil {
			return err
		}
		tr.packages[filepath.ToSlash(dir)] = p
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// target names what an import stands for: a folder of this module, the path of
// a required module, or, for the standard library, "".
func (tr tree) target(imported string) (name string, own bool) {
	if dir, ok := strings.CutPrefix(imported, tr.mod.Module.Mod.Path+"/"); ok {
		return dir, true
	}
	if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
		return "", false
	}
	return imported, false
}

// matches reports whether one of the patterns covers the path: a pattern of
// another module covers its packages, one of this module only itself, unless
// it ends in /....
func matches(patterns []string, name string, own bool) bool {
	for _, p := range patterns {
		prefix, open := strings.CutSuffix(p, "/...")
		if name == prefix || (open || !own) && strings.HasPrefix(name, prefix+"/") {
			return true
		}
	}
	return false
}

// ruleFor returns the rule of a folder: its own, or the closest one that ends
// in /....
func ruleFor(dir string) (rule, bool) {
	if r, ok := policy[dir]; ok {
		return r, true
	}
	for at := dir; at != "."; at = path.Dir(at) {
		if r, ok := policy[at+"/..."]; ok {
			return r, true
		}
	}
	return rule{}, false
}
