package generators

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/manifest"
	"github.com/pharos-mcp/pharos/generators/internal/normalise"
	"github.com/pharos-mcp/pharos/generators/internal/resolve"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// initFlags are the flags of init.
type initFlags struct {
	catalog, document, owner, binding string
	project, module, pharos           string
}

// What can stand in a go.mod as it is.
var (
	moduleForm  = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9._~/-]*[A-Za-z0-9_~-])?$`)
	versionForm = regexp.MustCompile(`^v[0-9][A-Za-z0-9.+-]*$`)
)

// check refuses what would be written down and then be wrong.
func (f initFlags) check() error {
	catalog := or(f.catalog, f.document)
	switch {
	case f.binding != "http" && f.binding != "handler":
		return errUsage("binding is http or handler")
	case f.document != "" && !manifest.ValidName(f.document):
		return errUsage(fmt.Sprintf("document %q: %s", f.document, manifest.NameRule))
	case catalog != "" && (!manifest.ValidName(catalog) || !resolve.Package(catalog)):
		return errUsage(fmt.Sprintf("catalog %q: %s, and no word of Go", catalog, manifest.NameRule))
	case f.owner != "" && !resolve.Owner(f.owner):
		return errUsage(fmt.Sprintf("owner %q: it begins scopes: a-z, 0-9, _ and -, a letter first", f.owner))
	case f.module != "" && !moduleForm.MatchString(f.module):
		return errUsage(fmt.Sprintf("module %q is no path of a Go module", f.module))
	case f.pharos != "" && !versionForm.MatchString(f.pharos):
		return errUsage(fmt.Sprintf("pharos %q is no version: write v1.2.3", f.pharos))
	}
	return nil
}

// init proposes a decision for every operation that has none: of the given
// documents, which it adds to the manifest, or of all that the manifest names.
func (c *command) init(args []string) error {
	var flags initFlags
	specs, err := c.parse("init", args, func(f *flag.FlagSet) {
		f.StringVar(&flags.catalog, "catalog", "", "catalog of the document (default: the document's name)")
		f.StringVar(&flags.document, "document", "", "name of the document (default: from its file)")
		f.StringVar(&flags.owner, "owner", "", "owner of its operations (default: the document's name)")
		f.StringVar(&flags.binding, "binding", "http", "http or handler")
		f.StringVar(&flags.project, "project", "", "write a new module into this folder")
		f.StringVar(&flags.module, "module", "", "path of the new module")
		f.StringVar(&flags.pharos, "pharos", "", "version of pharos that the new module requires")
	})
	if err != nil {
		return err
	}
	if err := flags.check(); err != nil {
		return err
	}
	if flags.project != "" {
		return c.initProject(flags, specs)
	}
	unlock, err := lock(c.dir)
	if err != nil {
		return err
	}
	defer unlock()
	m, err := readManifest(c.root())
	if _, statErr := fs.Stat(c.root(), manifestFile); errors.Is(statErr, fs.ErrNotExist) {
		if len(specs) == 0 {
			return errUsage("init needs a document: there is no " + manifestFile + " yet")
		}
		m, err = &manifest.Manifest{File: manifestFile}, nil
	}
	if err != nil {
		return err
	}
	documents := [][]string{specs} // with a name for it, all files are one document
	if flags.document == "" {
		documents = slices.Collect(slices.Chunk(specs, 1))
	}
	if len(specs) == 0 {
		documents = nil
	}
	for _, files := range documents {
		if err := addDocument(c.root(), m, flags, files); err != nil {
			return err
		}
	}
	return c.propose(m)
}

// addDocument gives the document a place in the manifest, if it has none.
func addDocument(root fs.FS, m *manifest.Manifest, flags initFlags, given []string) error {
	var files []string
	var problems spec.Problems
	for _, file := range given {
		file = path.Clean(filepath.ToSlash(file))
		switch {
		case !fs.ValidPath(file):
			problems = append(problems, spec.Problem{
				Pos: spec.Pos{File: file}, Rule: "E-08", Message: "the document is outside the module",
				Hint: "copy it below api/ and name it there",
			})
		case !named(m, file):
			files = append(files, literalGlob(root, file))
		}
	}
	if len(problems) > 0 || len(files) == 0 {
		return problems.Err()
	}
	for _, c := range m.Catalogs {
		if d := c.Document(flags.document); d != nil {
			d.Files = append(d.Files, files...)
			return nil
		}
	}
	name := flags.document
	if name == "" {
		name = unused(m, documentName(files[0]))
	}
	d := &manifest.Document{Name: name, Files: files, Owner: or(flags.owner, name)}
	doc, err := loadDocument(root, d)
	if err != nil {
		return err
	}
	if flags.owner == "" && saysOwners(doc) {
		d.Owner = ""
	}
	catalog := or(flags.catalog, name)
	c := m.Catalog(catalog)
	if c == nil {
		c = &manifest.Catalog{Name: catalog, Binding: flags.binding, Input: "grouped", Result: "envelope"}
		if flags.binding == "handler" {
			c.Input, c.Result = "top", "bare"
		}
		m.Catalogs = append(m.Catalogs, c)
		slices.SortFunc(m.Catalogs, func(a, b *manifest.Catalog) int { return strings.Compare(a.Name, b.Name) })
	}
	c.Documents = append(c.Documents, d)
	slices.SortFunc(c.Documents, func(a, b *manifest.Document) int { return strings.Compare(a.Name, b.Name) })
	return nil
}

// literalGlob is the glob of a file, whose name may look like one.
func literalGlob(root fs.FS, file string) string {
	if _, err := fs.Stat(root, file); err != nil {
		return file
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(file)
}

// named reports whether a document of the manifest has the file.
func named(m *manifest.Manifest, file string) bool {
	for _, c := range m.Catalogs {
		for _, d := range c.Documents {
			for _, pattern := range d.Files {
				if ok, err := path.Match(pattern, file); ok && err == nil {
					return true
				}
			}
		}
	}
	return false
}

// saysOwners reports whether the document assigns owners itself.
func saysOwners(doc *normalise.Document) bool {
	return slices.ContainsFunc(doc.Operations, func(op *normalise.Operation) bool { return op.Owner != "" })
}

// propose fills the gaps of a manifest and writes it.
func (c *command) propose(m *manifest.Manifest) error {
	in := &input{manifest: m, documents: map[string]map[string]*normalise.Document{}, committed: resolve.Committed{}}
	var problems spec.Problems
	added := map[*manifest.Decision]bool{}
	for _, catalog := range m.Catalogs {
		in.documents[catalog.Name] = map[string]*normalise.Document{}
		for _, d := range catalog.Documents {
			doc, err := loadDocument(c.root(), d)
			var found spec.Problems
			if errors.As(err, &found) {
				problems = append(problems, found...)
				continue
			}
			if err != nil {
				return err
			}
			in.documents[catalog.Name][d.Name] = doc
			for _, e := range resolve.Propose(catalog, d, doc) {
				added[e] = true
			}
		}
	}
	if len(problems) > 0 {
		problems.Sort()
		return problems
	}
	in.try(added)
	if err := writeFile(c.dir, manifestFile, m.Format()); err != nil {
		return err
	}
	counts := map[string]int{}
	for e := range added {
		switch {
		case e.IsTool():
			counts["tool"]++
			if resolve.Unfinished(e.Tool) {
				counts["unfinished"]++
			}
		case strings.HasPrefix(e.Exclude, "unsupported: "):
			counts["unsupported"]++
		default:
			counts["excluded"]++
		}
	}
	c.say("init: %s added, all undecided: %s, %d excluded, %d unsupported",
		plural(len(added), "proposal"), plural(counts["tool"], "tool"), counts["excluded"], counts["unsupported"])
	if n := counts["unfinished"]; n > 0 {
		c.say("%d of the names end in _x and a digest, for want of a short one of their own: choose better ones", n)
	}
	if len(added) > 0 {
		c.say("review them in %s, then: mcpgen accept --all | KEY…", manifestFile)
	}
	return nil
}

// documentName makes a name out of the file's, or its folder's where the file
// is called what all are called.
func documentName(file string) string {
	base := strings.TrimSuffix(path.Base(file), path.Ext(file))
	for _, common := range []string{"openapi", "swagger", "spec", "index", "api", "main", "root"} {
		if folder := path.Base(path.Dir(file)); strings.EqualFold(base, common) && folder != "." && folder != "api" {
			base = folder
		}
	}
	var b strings.Builder
	for _, c := range strings.ToLower(base) {
		if c >= 'a' && c <= 'z' || b.Len() > 0 && c >= '0' && c <= '9' {
			b.WriteRune(c)
		}
	}
	name := or(b.String()[:min(b.Len(), 30)], "api")
	if !resolve.Package(name) {
		return name + "api"
	}
	return name
}

// unused is the name, or the first numbered one that no document has.
func unused(m *manifest.Manifest, name string) string {
	taken := map[string]bool{}
	for _, c := range m.Catalogs {
		taken[c.Name] = true
		for _, d := range c.Documents {
			taken[d.Name] = true
		}
	}
	free := name
	for n := 2; taken[free]; n++ {
		free = name + strconv.Itoa(n)
	}
	return free
}
