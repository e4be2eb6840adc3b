package generators

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/manifest"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// change is one difference between the files that belong into the generated
// folder and those that are there.
type change struct {
	path string
	kind string // "changed", "missing" or "unexpected"
	old  []byte
	// foreign marks a file that mcpgen did not write and therefore neither
	// overwrites nor removes.
	foreign   bool
	irregular string // what stands there, if it is no regular file
}

// compare finds the differences, in both directions, by path. Folders of
// others below generated/, such as those of sqlc, are none of its business.
func compare(root fs.FS, files Files) ([]change, error) {
	var changes []change
	b := blockers{root: root, seen: map[string]bool{}}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if blocked, err := b.stand(name); err != nil {
			return nil, err
		} else if blocked {
			continue
		}
		old, err := fs.ReadFile(root, name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			changes = append(changes, change{path: name, kind: "missing"})
		case err != nil:
			return nil, err
		case !bytes.Equal(old, files[name]):
			changes = append(changes, change{path: name, kind: "changed", old: old, foreign: !ours(name, old)})
		}
	}
	if b.seen[outputFolder] {
		return b.found, nil
	}
	folders, err := owned(root, files)
	if err != nil {
		return nil, err
	}
	for _, folder := range folders {
		err := fs.WalkDir(root, folder, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || files[name] != nil {
				return err
			}
			if !entry.Type().IsRegular() {
				b.add(name, entry.Type())
				return nil
			}
			old, err := fs.ReadFile(root, name)
			if err != nil {
				return err
			}
			changes = append(changes, change{path: name, kind: "unexpected", old: old, foreign: !ours(name, old)})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for _, folder := range []string{".", outputFolder} {
		left, err := fs.Glob(root, path.Join(folder, stagedPrefix+"*")) // by a run that was killed
		if err != nil {
			return nil, err
		}
		for _, name := range left {
			changes = append(changes, change{path: name, kind: "unexpected"})
		}
	}
	changes = append(changes, b.found...)
	slices.SortFunc(changes, func(a, b change) int { return strings.Compare(a.path, b.path) })
	return changes, nil
}

// owned lists the folders below generated/ that hold this run's files or
// those of an earlier one: Go files with our header.
func owned(root fs.FS, files Files) ([]string, error) {
	needed := map[string]bool{}
	for name := range files {
		if parts := strings.Split(name, "/"); len(parts) > 2 {
			needed[parts[1]] = true
		}
	}
	entries, err := fs.ReadDir(root, outputFolder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var folders []string
	for _, entry := range entries {
		if !entry.IsDir() {
			continue
		}
		folder := path.Join(outputFolder, entry.Name())
		if needed[entry.Name()] || holdsOurs(root, folder) {
			folders = append(folders, folder)
		}
	}
	return folders, nil
}

func holdsOurs(root fs.FS, folder string) bool {
	names, err := fs.Glob(root, path.Join(folder, "*.go"))
	if err != nil {
		return false
	}
	return slices.ContainsFunc(names, func(name string) bool {
		if info, err := fs.Lstat(root, name); err != nil || !info.Mode().IsRegular() {
			return false
		}
		data, err := fs.ReadFile(root, name)
		return err == nil && ours(name, data)
	})
}

// ours reports whether mcpgen wrote a file: Go says so in its header, the
// other kinds by what they hold.
func ours(name string, data []byte) bool {
	base := path.Base(name)
	switch {
	case strings.HasPrefix(base, stagedPrefix): // left by a run that was killed
		return true
	case strings.HasSuffix(base, ".go"):
		return bytes.HasPrefix(data, []byte(header))
	case name == manifest.SchemaPath:
		return bytes.Contains(data, []byte("mcpgen manifest"))
	case path.Base(path.Dir(name)) == "schemas" && strings.HasSuffix(base, ".json"):
		return bytes.Contains(data, []byte(`"inputSchema"`))
	case base == "openapi.json" || strings.HasSuffix(base, ".openapi.json"):
		return bytes.Contains(data, []byte(`"openapi"`))
	case base == "parity.md":
		return bytes.Contains(data, []byte("mcpgen"))
	default:
		return false
	}
}

// mostShown is how many changed files a check shows the lines of; it names all.
const mostShown = 20

// drift turns differences into what `mcpgen check` reports.
func drift(changes []change, files Files) spec.Problems {
	var problems spec.Problems
	shown := 0
	for _, c := range changes {
		p := spec.Problem{Pos: spec.Pos{File: c.path}, Rule: "E-06", Message: c.kind, Hint: "run mcpgen generate"}
		if c.irregular != "" {
			p.Message += ": " + c.irregular
		}
		switch {
		case c.foreign:
			p.Hint = "mcpgen did not write it: move it elsewhere"
		case shown == mostShown || c.kind != "changed":
		case strings.HasSuffix(c.path, ".md") || strings.Contains(c.path, "/schemas/"):
			shown++
			p.Hint += ":\n" + difference(c.old, files[c.path])
		}
		problems = append(problems, p)
	}
	return problems
}

// refused lists the differences that generation must not settle.
func refused(changes []change) spec.Problems {
	var problems spec.Problems
	for _, c := range changes {
		if !c.foreign {
			continue
		}
		message := fmt.Sprintf("stands in a generated folder (%s), but mcpgen did not write it", c.kind)
		if c.irregular != "" {
			message = c.irregular + " stands where mcpgen writes"
		}
		problems = append(problems, spec.Problem{
			Pos: spec.Pos{File: c.path}, Rule: "E-06", Message: message, Hint: "move it elsewhere; nothing was written",
		})
	}
	return problems
}

// difference shows the lines that changed, at most a screen of them.
func difference(old, wanted []byte) string {
	const most = 24
	a, b := strings.Split(string(old), "\n"), strings.Split(string(wanted), "\n")
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	var lines []string
	for _, line := range a {
		if !slices.Contains(b, line) {
			lines = append(lines, "\t\t- "+line)
		}
	}
	for _, line := range b {
		if !slices.Contains(a, line) {
			lines = append(lines, "\t\t+ "+line)
		}
	}
	if len(lines) > most {
		lines = append(lines[:most], fmt.Sprintf("\t\t… and %s", plural(len(lines)-most, "line")))
	}
	return strings.Join(lines, "\n")
}
