package manifest

import (
	"encoding/json"
	"regexp"
	"slices"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// rule marks the problems of this package.
const rule = "manifest"

var (
	nameForm = regexp.MustCompile(`^[a-z][a-z0-9]{0,39}$`)
	keyForm  = regexp.MustCompile(`^[A-Z]+ /`)
)

// Parse reads a manifest. Its error is spec.Problems: every fault of the file.
func Parse(file string, data []byte) (*Manifest, error) {
	if twice := duplicates(file, data); len(twice) > 0 {
		return nil, twice
	}
	root, err := spec.ParseJSON(file, data)
	if err != nil {
		return nil, err
	}
	r := &reader{}
	m := &Manifest{File: file, Pos: root.Pos}
	r.object(root, "the manifest", "$schema", "catalogs")
	r.text(root, "$schema")
	catalogs := r.required(root, "catalogs", `"catalogs": {}`)
	r.each(catalogs, "catalogs", func(name string, n *spec.Node, pos spec.Pos) {
		r.name(name, "catalog", pos)
		m.Catalogs = append(m.Catalogs, r.catalog(name, n, pos))
	})
	if len(r.problems) > 0 {
		r.problems.Sort()
		return nil, r.problems
	}
	m.keepSources(data)
	return m, nil
}

func (r *reader) catalog(name string, n *spec.Node, pos spec.Pos) *Catalog {
	c := &Catalog{Name: name, Pos: pos}
	r.object(n, "a catalog", "binding", "input", "result", "rpc", "limits", "documents", "operations")
	r.required(n, "binding", `"binding": "http"`)
	c.Binding = r.oneOf(n, "binding", "http", "handler")
	c.Input = r.oneOf(n, "input", "grouped", "top")
	c.Result = r.oneOf(n, "result", "envelope", "bare")
	c.RPC = r.flag(n, "rpc")
	if l := n.Get("limits"); l != nil {
		r.object(l, "limits", "arguments", "reply", "tool_schema", "catalog_schemas")
		c.Limits = Limits{
			Arguments: r.size(l, "arguments"), Reply: r.size(l, "reply"),
			ToolSchema: r.size(l, "tool_schema"), CatalogSchemas: r.size(l, "catalog_schemas"), Pos: l.Pos,
		}
	}
	documents := r.required(n, "documents", `"documents": {"shop": {"files": ["api/shop.yaml"]}}`)
	r.each(documents, "documents", func(name string, n *spec.Node, pos spec.Pos) {
		r.name(name, "document", pos)
		c.Documents = append(c.Documents, r.document(name, n, pos))
	})
	r.each(n.Get("operations"), "operations", func(name string, n *spec.Node, pos spec.Pos) {
		d := c.Document(name)
		if d == nil {
			r.problem(pos, `operations of "`+name+`", which is no document of catalog "`+c.Name+`"`,
				`add it to "documents", or remove its operations`)
			d = &Document{}
		}
		r.each(n, `the operations of "`+name+`"`, func(key string, n *spec.Node, pos spec.Pos) {
			if !keyForm.MatchString(key) {
				r.problem(pos, `"`+key+`" is no operation`, `write METHOD /path as the document does, e.g. "GET /x/{id}"`)
			}
			d.Decisions = append(d.Decisions, r.decision(key, n, pos))
		})
		slices.SortFunc(d.Decisions, func(a, b *Decision) int { return CompareKeys(a.Key, b.Key) })
	})
	return c
}

func (r *reader) document(name string, n *spec.Node, pos spec.Pos) *Document {
	r.object(n, "a document", "files", "references", "owner", "server")
	d := &Document{Name: name, Pos: pos}
	r.required(n, "files", `"files": ["api/`+name+`.yaml"]`)
	d.Files = r.texts(n, "files")
	if f := n.Get("files"); f != nil && f.Kind == spec.Array && len(f.Items) == 0 {
		r.problem(f.Pos, `"files" is empty`, `write "files": ["api/`+name+`.yaml"]`)
	}
	d.References = r.textMap(n, "references")
	d.Owner = r.text(n, "owner")
	d.Server = r.flag(n, "server")
	return d
}

func (r *reader) decision(key string, n *spec.Node, pos spec.Pos) *Decision {
	r.object(n, "a decision", "tool", "was", "owner", "scope", "effect", "reason", "drop", "alias", "allow_slash",
		"body", "exclude", "undecided")
	d := &Decision{
		Key: key, Pos: pos, places: map[string]spec.Pos{},
		Tool: r.text(n, "tool"), Was: r.texts(n, "was"), Owner: r.text(n, "owner"), Scope: r.text(n, "scope"),
		Effect: r.oneOf(n, "effect", "read", "write", "delete"), Reason: r.text(n, "reason"),
		Drop: r.texts(n, "drop"), Alias: r.textMap(n, "alias"), AllowSlash: r.texts(n, "allow_slash"),
		Body: r.oneOf(n, "body", "raw"), Exclude: r.text(n, "exclude"), Undecided: r.flag(n, "undecided"),
	}
	if n.Kind == spec.Object {
		for _, m := range n.Members {
			d.places[m.Name] = m.Pos
		}
	}
	return d
}

// keepSources remembers how each decision is written.
func (m *Manifest) keepSources(data []byte) {
	var file struct {
		Catalogs map[string]struct {
			Operations map[string]map[string]json.RawMessage `json:"operations"`
		} `json:"catalogs"`
	}
	if json.Unmarshal(data, &file) != nil {
		return // the manifest is YAML: every decision is written anew
	}
	for _, c := range m.Catalogs {
		for _, d := range c.Documents {
			for _, e := range d.Decisions {
				e.source = file.Catalogs[c.Name].Operations[d.Name][e.Key]
			}
		}
	}
}
