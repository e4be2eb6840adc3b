package generators

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/emit"
	"github.com/pharos-mcp/pharos/generators/internal/manifest"
)

// initProject writes a whole module that serves one API: the document, a
// manifest of proposals, and what emit.Project gives around them.
func (c *command) initProject(flags initFlags, specs []string) error {
	if len(specs) != 1 {
		return errUsage("init --project takes one document")
	}
	if flags.binding == "handler" {
		return errUsage("a project serves an API over HTTP; for handlers of your own run init in the module that has them")
	}
	version := or(flags.pharos, buildVersion())
	if version == "" {
		return errUsage("this build of mcpgen has no version: say which pharos the module requires with --pharos VERSION")
	}
	dir := flags.project
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(c.dir, dir)
	}
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is not empty: a project needs a folder of its own", flags.project)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	source := specs[0]
	if !filepath.IsAbs(source) {
		source = filepath.Join(c.dir, source)
	}
	base := filepath.Base(source)
	name := or(flags.document, documentName(path.Join(filepath.Base(filepath.Dir(source)), base)))
	root := folder(filepath.Dir(source))
	doc, err := loadDocument(root, &manifest.Document{Name: name, Files: []string{literalGlob(root, base)}})
	if err != nil {
		return err
	}
	files := map[string][]byte{}
	for _, file := range doc.Files {
		data, err := fs.ReadFile(root, file)
		if err != nil {
			return err
		}
		files[path.Join("api", name, file)] = data
	}
	project, err := emit.Project(emit.ProjectConfig{
		Module: or(flags.module, moduleFor(dir)), Name: filepath.Base(dir),
		Title: doc.Title, Document: name, Catalog: flags.catalog, SpecFile: path.Join("api", name, base), PharosVersion: version,
	})
	if err != nil {
		return err
	}
	for file, data := range project {
		files[file] = data
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var changes []change
	for file := range files {
		changes = append(changes, change{path: file, kind: "missing"})
	}
	if err := write(dir, changes, files); err != nil {
		return err
	}
	at := *c
	at.dir = dir
	m := &manifest.Manifest{File: manifestFile}
	flags.document = name
	if err := addDocument(at.root(), m, flags, []string{path.Join("api", name, base)}); err != nil {
		return err
	}
	return at.propose(m)
}

// moduleFor is the path of a module that is called after its folder.
func moduleFor(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	name := strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '_' {
			return c
		}
		return '-'
	}, strings.ToLower(filepath.Base(dir)))
	return "example.com/" + or(strings.Trim(name, ".-"), "api")
}

// buildVersion is the version of pharos that this program was built from, or
// "" if the build does not know it.
func buildVersion() string {
	const module = "github.com/pharos-mcp/pharos"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	version := ""
	if info.Main.Path == module {
		version = info.Main.Version
	}
	for _, dep := range info.Deps {
		if dep.Path == module {
			version = dep.Version
		}
	}
	if version == "(devel)" {
		return ""
	}
	version, _, _ = strings.Cut(version, "+")
	return version
}
