package manifest

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Format writes the manifest in its canonical form: two spaces of indentation,
// members in the order of the schema, names sorted, one decision a line. A
// decision that was read and not changed keeps its spelling.
func (m *Manifest) Format() []byte {
	var p printer
	p.open("{")
	p.member("$schema", quote(SchemaPath))
	p.key("catalogs")
	p.open("{")
	for _, c := range m.Catalogs {
		p.key(c.Name)
		p.catalog(c)
	}
	p.close("}")
	p.close("}")
	p.WriteByte('\n')
	return p.Bytes()
}

// printer writes indented JSON, deciding commas and line ends.
type printer struct {
	bytes.Buffer
	depth int
	empty bool // nothing written yet at this depth
}

func (p *printer) open(bracket string) {
	p.WriteString(bracket)
	p.depth++
	p.empty = true
}

func (p *printer) close(bracket string) {
	p.depth--
	if !p.empty {
		p.line()
	}
	p.WriteString(bracket)
	p.empty = false
}

func (p *printer) line() {
	p.WriteByte('\n')
	p.WriteString(strings.Repeat("  ", p.depth))
}

func (p *printer) key(name string) {
	if !p.empty {
		p.WriteByte(',')
	}
	p.empty = false
	p.line()
	p.WriteString(quote(name) + ": ")
}

func (p *printer) member(name, value string) {
	p.key(name)
	p.WriteString(value)
}

func (p *printer) catalog(c *Catalog) {
	p.open("{")
	for _, m := range [][2]string{{"binding", c.Binding}, {"input", c.Input}, {"result", c.Result}} {
		if m[1] != "" {
			p.member(m[0], quote(m[1]))
		}
	}
	if c.RPC {
		p.member("rpc", "true")
	}
	var limits inline
	limits.size("arguments", c.Limits.Arguments)
	limits.size("reply", c.Limits.Reply)
	limits.size("tool_schema", c.Limits.ToolSchema)
	limits.size("catalog_schemas", c.Limits.CatalogSchemas)
	if len(limits.parts) > 0 {
		p.member("limits", limits.String())
	}
	p.key("documents")
	p.open("{")
	for _, d := range c.Documents {
		var l inline
		l.texts("files", d.Files)
		l.textMap("references", d.References)
		l.text("owner", d.Owner)
		l.flag("server", d.Server)
		p.member(d.Name, l.String())
	}
	p.close("}")
	p.key("operations")
	p.open("{")
	for _, d := range c.Documents {
		p.key(d.Name)
		p.open("{")
		for _, e := range d.Decisions {
			p.member(e.Key, e.format())
		}
		p.close("}")
	}
	p.close("}")
	p.close("}")
}

func (d *Decision) format() string {
	if d.source != nil {
		return string(d.source)
	}
	var l inline
	l.text("tool", d.Tool)
	l.texts("was", d.Was)
	l.text("owner", d.Owner)
	l.text("scope", d.Scope)
	l.text("effect", d.Effect)
	l.text("reason", d.Reason)
	l.texts("drop", d.Drop)
	l.textMap("alias", d.Alias)
	l.texts("allow_slash", d.AllowSlash)
	l.text("body", d.Body)
	l.text("exclude", d.Exclude)
	l.flag("undecided", d.Undecided)
	return l.String()
}

// inline collects the members of an object that stands on one line; empty
// values are left out.
type inline struct{ parts []string }

func (l *inline) String() string { return "{" + strings.Join(l.parts, ", ") + "}" }

func (l *inline) add(name, value string) { l.parts = append(l.parts, quote(name)+": "+value) }

func (l *inline) text(name, value string) {
	if value != "" {
		l.add(name, quote(value))
	}
}

func (l *inline) size(name string, value int) {
	if value != 0 {
		l.add(name, strconv.Itoa(value))
	}
}

func (l *inline) flag(name string, value bool) {
	if value {
		l.add(name, "true")
	}
}

func (l *inline) texts(name string, values []string) {
	if len(values) == 0 {
		return
	}
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = quote(v)
	}
	l.add(name, "["+strings.Join(quoted, ", ")+"]")
}

func (l *inline) textMap(name string, values map[string]string) {
	if len(values) == 0 {
		return
	}
	var members inline
	for _, key := range slices.Sorted(maps.Keys(values)) {
		members.add(key, quote(values[key]))
	}
	l.add(name, members.String())
}

func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always encodes
	return strings.TrimSuffix(b.String(), "\n")
}
