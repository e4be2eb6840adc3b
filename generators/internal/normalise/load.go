package normalise

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// Config names the files of one document.
type Config struct {
	Name       string            // as the manifest calls the document
	Files      []string          // globs relative to the root of the file system
	References map[string]string // URLs that a $ref may name → local files
}

// Load reads, assembles and normalises one document. Files that have no version
// of their own are parts that the others refer to; several files with one are
// taken together as one document.
//
// What hinders the whole document (files that are missing, an unknown version,
// no operations) is an error of type spec.Problems, all problems at once. What
// hinders one operation is its Unsupported.
func Load(fsys fs.FS, c Config) (*Document, error) {
	l := &loader{
		source:  spec.NewSource(fsys, c.References),
		doc:     &Document{Name: c.Name, Schemas: map[string]*spec.Node{}},
		files:   map[string]*file{},
		missing: map[string]spec.Pos{},
		remote:  map[string]spec.Pos{},
		outside: map[string]spec.Pos{},
		targets: map[*spec.Node]*target{},
		memo:    map[*spec.Node]*spec.Node{},
		broken:  map[*spec.Node]string{},
		keys:    map[string]spec.Pos{},
		walking: map[*spec.Node]bool{},
	}
	l.documents = l.roots(fsys, c.Files)
	for _, r := range l.documents {
		l.root(r)
	}
	l.convertTargets()
	l.reportFiles()
	if len(l.problems) == 0 && len(l.doc.Operations) == 0 {
		l.reportEmpty()
	}
	if len(l.problems) > 0 {
		l.problems.Sort()
		return nil, l.problems
	}
	l.nameTargets()
	l.cutCycles()
	l.refuseBroken()
	l.checkDeepObjects()
	l.finish()
	return l.doc, nil
}

// loader is the state of one Load.
type loader struct {
	source    *spec.Source
	doc       *Document
	files     map[string]*file
	documents []*file             // the files that are documents of their own, by name
	missing   map[string]spec.Pos // files that are not there → first reference
	remote    map[string]spec.Pos // URLs that are not allowed → first reference
	outside   map[string]spec.Pos // references that leave the module → the first
	targets   map[*spec.Node]*target
	queue     []*target
	memo      map[*spec.Node]*spec.Node // schemas of inlined components, converted
	broken    map[*spec.Node]string     // converted references that lead nowhere → why
	keys      map[string]spec.Pos       // operation keys → place
	walking   map[*spec.Node]bool       // references that a pointer is passing through
	problems  spec.Problems
}

func (l *loader) problem(pos spec.Pos, rule, message, hint string) {
	l.problems = append(l.problems, spec.Problem{Pos: pos, Rule: rule, Message: message, Hint: hint})
}

// roots expands the globs and returns the files that are documents of their own.
func (l *loader) roots(fsys fs.FS, globs []string) []*file {
	var names []string
	for _, glob := range globs {
		matches, err := fs.Glob(fsys, glob)
		if err != nil || len(matches) == 0 {
			l.problem(spec.Pos{File: glob}, "missing-file", "no file has this name", globHint(fsys, glob))
			continue
		}
		names = append(names, matches...)
	}
	slices.Sort(names)
	var roots []*file
	for _, name := range slices.Compact(names) {
		node, err := l.source.File(name)
		if err != nil {
			l.fileProblem(name, err)
			continue
		}
		f := &file{name: name, root: node}
		f.dialect = dialectOf(node)
		l.files[name] = f
		switch {
		case f.dialect == unversioned:
		case f.dialect == unsupported:
			l.problem(versionPos(node), "version", versionMessage(node),
				"OpenAPI 3.0, OpenAPI 3.1 and Swagger 2.0 can be read")
		default:
			roots = append(roots, f)
		}
	}
	if len(roots) == 0 && len(l.problems) == 0 {
		l.problem(spec.Pos{File: strings.Join(globs, ", ")}, "version",
			"no OpenAPI document: nothing here has a member openapi or swagger with a version",
			"name the file that starts with openapi: 3.1.0, openapi: 3.0.3 or swagger: \"2.0\"")
	}
	return roots
}

// globHint says what to write in place of a glob that no file has.
func globHint(fsys fs.FS, glob string) string {
	if clean := path.Clean(glob); clean != glob && fs.ValidPath(clean) {
		return fmt.Sprintf("write it as %q", clean)
	}
	if info, err := fs.Lstat(fsys, glob); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return "it is a link that leads nowhere or out of the module: put a copy of the file there"
	}
	return "give the files of the document relative to the module's root"
}

// fileProblem reports a file that cannot be used.
func (l *loader) fileProblem(name string, err error) {
	if ps, ok := err.(spec.Problems); ok {
		l.problems = append(l.problems, ps...)
		return
	}
	l.problem(spec.Pos{File: name}, "missing-file", err.Error(), "name a file, not a folder: folder/*.yaml")
}

// reportFiles reports the references that left the document: all missing files
// in one problem, each URL in its own.
func (l *loader) reportFiles() {
	if len(l.missing) > 0 {
		first := ""
		for _, name := range sortedKeys(l.missing) {
			if first == "" || before(l.missing[name], l.missing[first]) {
				first = name
			}
		}
		message := fmt.Sprintf("the file %s is missing", first)
		if n := len(l.missing) - 1; n > 0 {
			message += fmt.Sprintf(", and %d more that the document refers to", n)
		}
		l.problem(l.missing[first], "missing-file", message, "add the files beside the document")
	}
	for _, ref := range sortedKeys(l.outside) {
		l.problem(l.outside[ref], "missing-file", fmt.Sprintf("the reference to %s leaves the module", ref),
			"put a copy of the file into the module, and refer to that")
	}
	for _, url := range sortedKeys(l.remote) {
		l.problem(l.remote[url], "remote-reference", fmt.Sprintf("the reference to %s leaves the document", url),
			`keep a copy and name it in the manifest: "references": {"`+url+`": "FILE"}`)
	}
}

func before(a, b spec.Pos) bool {
	if a.File != b.File {
		return a.File < b.File
	}
	if a.Line != b.Line {
		return a.Line < b.Line
	}
	return a.Col < b.Col
}

func (l *loader) reportEmpty() {
	for _, r := range l.documents {
		message := "the document has no operations: there are no methods under paths"
		if hooks := r.root.Get("webhooks"); hooks != nil && len(hooks.Members) > 0 {
			message = fmt.Sprintf("the document has no operations: it describes %d webhooks, which others call, and no paths",
				len(hooks.Members))
		}
		l.problem(r.root.Pos, "no-operations", message, "")
	}
}

// finish orders the document and settles what depends on all operations.
func (l *loader) finish() {
	l.doc.Files = l.source.Files()
	ids := map[string]int{}
	for _, op := range l.doc.Operations {
		ids[op.ID]++
	}
	for _, op := range l.doc.Operations {
		op.UniqueID = op.ID != "" && ids[op.ID] == 1
	}
	slices.SortFunc(l.doc.Operations, func(a, b *Operation) int {
		if c := strings.Compare(keyPath(a.Key), keyPath(b.Key)); c != 0 {
			return c
		}
		return strings.Compare(a.Method, b.Method)
	})
	slices.SortFunc(l.doc.Schemes, func(a, b Scheme) int { return strings.Compare(a.Name, b.Name) })
}

// keyPath is the path of an operation key as the document writes it.
func keyPath(key string) string {
	_, path, _ := strings.Cut(key, " ")
	return path
}
