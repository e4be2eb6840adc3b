// Package emit prints catalogs: Go files, schemas, the bundled documents and
// the page a reviewer reads.
//
// Everything it prints was decided in package resolve; the templates show the
// shape of each file. Go is formatted with go/format, lines of hand-shaped
// code stay within 100 columns where a name leaves room for it, and text that
// comes from a document is quoted for the place it lands in.
package emit

import (
	"bytes"
	"embed"
	"fmt"
	"go/format"
	"path"
	"text/template"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/schema"
)

//go:embed templates
var templateFiles embed.FS

var templates = template.Must(template.New("").ParseFS(templateFiles, "templates/*.tmpl"))

// Catalog prints everything of a catalog but its client packages. The names of
// the files are slash-separated and relative to generated/: the Go package
// <catalog>, its schemas/<tool>.json, openapi.json (or one
// <document>.openapi.json each, where there are several) and parity.md.
//
// It fails only if a name or type in the catalog is not Go, which is a fault
// of an earlier stage.
func Catalog(c *ir.Catalog) (map[string][]byte, error) {
	files := map[string][]byte{}
	views := map[string]any{
		"catalog.go":  newCatalogView(c),
		"inputs.go":   newInputsView(c),
		"dispatch.go": newDispatchView(c),
	}
	if c.RPC {
		views["remote.go"] = newRemoteView(c)
	}
	for name, view := range views {
		source, err := goFile(name+".tmpl", view)
		if err != nil {
			return nil, fmt.Errorf("catalog %s: %s: %w", c.Name, name, err)
		}
		files[path.Join(c.Name, name)] = source
	}
	parity, err := page("parity.md.tmpl", newParityView(c))
	if err != nil {
		return nil, fmt.Errorf("catalog %s: parity.md: %w", c.Name, err)
	}
	files[path.Join(c.Name, "parity.md")] = parity
	for _, op := range c.Operations {
		files[path.Join(c.Name, "schemas", op.Tool+".json")] = schema.Tool(c, op)
	}
	for _, d := range c.Documents {
		files[path.Join(c.Name, bundleName(c, d))] = d.Bundle
	}
	return files, nil
}

// bundleName is the file of a document's bundle, in the folder of its catalog.
func bundleName(c *ir.Catalog, d *ir.Document) string {
	if len(c.Documents) > 1 {
		return d.Name + ".openapi.json"
	}
	return "openapi.json"
}

// page runs a template.
func page(name string, view any) ([]byte, error) {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, name, view); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// goFile runs a template and formats what it printed.
func goFile(name string, view any) ([]byte, error) {
	source, err := page(name, view)
	if err != nil {
		return nil, err
	}
	return format.Source(source)
}
