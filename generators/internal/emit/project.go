package emit

import (
	"path"
	"strings"
	"text/template"
)

// ProjectConfig describes a new module that serves one API.
type ProjectConfig struct {
	Module        string // path of the module
	Name          string // what the program is called, for people
	Title         string // of the API, from its document
	Document      string // name of the document
	Catalog       string // name of the catalog, a Go package; "" means the document's
	SpecFile      string // where the document lies in the module, e.g. api/petstore/petstore.json
	PharosVersion string // version of pharos to require
}

var projectTemplates = template.Must(
	template.New("").ParseFS(templateFiles, "templates/project/*.tmpl"),
)

// projectFiles are the files of a new module and the templates they come from.
var projectFiles = map[string]string{
	"go.mod":      "go.mod.tmpl",
	"generate.go": "generate.go.tmpl",
	"main.go":     "main.go.tmpl",
	"edge.json":   "edge.json.tmpl",
	"README.md":   "README.md.tmpl",
	".gitignore":  "gitignore.tmpl",
}

// Project writes the files of a small module around a document and its
// manifest, which are the caller's: everything to decide, generate and run.
// Nothing is accepted in it; its README says that deciding comes first.
func Project(c ProjectConfig) (map[string][]byte, error) {
	view := projectView{
		ProjectConfig: c,
		Heading:       text(strings.TrimSpace(c.Name)),
		About:         comment(strings.Join(strings.Fields(c.Title), " ")),
		Binary:        path.Base(c.Module),
	}
	if view.Catalog == "" {
		view.Catalog = c.Document
	}
	if view.About == "" {
		view.About = c.Document
	}
	view.AboutText = text(view.About)
	files := map[string][]byte{}
	for name, tmpl := range projectFiles {
		var b strings.Builder
		if err := projectTemplates.ExecuteTemplate(&b, tmpl, view); err != nil {
			return nil, err
		}
		files[name] = []byte(b.String())
	}
	return files, nil
}

// projectView is what the templates of a project print.
type projectView struct {
	ProjectConfig
	Heading   string // Markdown
	About     string // title of the API, for a comment
	AboutText string // the same, Markdown
	Binary    string // what go build makes
}
