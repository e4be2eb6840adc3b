package emit

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
)

// runtime is the import path of the run-time half of generated code.
const runtime = "github.com/pharos-mcp/pharos/edge/tool"

// header is what every generated Go file of a catalog starts with.
type header struct {
	Package string
	Sources []string // comment lines
	Std     []string // imports, quoted
	Imports []string // imports that are not the standard library's, quoted
}

// newHeader settles the head of a file. Import paths that are empty are left
// out.
func newHeader(c *ir.Catalog, std, other []string) header {
	h := header{Package: c.Name, Sources: sources(c.Sources)}
	for _, p := range std {
		h.Std = append(h.Std, strconv.Quote(p))
	}
	for _, p := range other {
		h.Imports = append(h.Imports, strconv.Quote(p))
	}
	slices.Sort(h.Std)
	slices.Sort(h.Imports)
	return h
}

// sources names the files a catalog comes from, a few of many.
func sources(files []string) []string {
	const most = 6
	var words []string
	for i, file := range files {
		switch {
		case i == most-1 && len(files) > most:
			words = append(words, fmt.Sprintf("and %d more", len(files)-i))
		case i < most:
			words = append(words, strings.ReplaceAll(comment(file), " ", "\u00a0")+",")
		}
	}
	if len(words) == 0 {
		return nil
	}
	words[len(words)-1] = strings.TrimSuffix(words[len(words)-1], ",")
	text := strings.ReplaceAll(wrap(0, len("// Source: "), words), "\u00a0", " ")
	return strings.Split("Source: "+text, "\n")
}

// clientPath is the import path of a document's client package.
func clientPath(c *ir.Catalog, d *ir.Document) string {
	return path.Join(c.Module, "generated", d.Package)
}

// catalogView is what catalog.go.tmpl prints.
type catalogView struct {
	header
	Name       string
	Handler    bool
	Bare       bool
	Limits     string
	Documents  []string // composite literals, with braces and comma
	Operations []string
}

func newCatalogView(c *ir.Catalog) catalogView {
	v := catalogView{
		header:  newHeader(c, []string{"embed"}, []string{runtime}),
		Name:    quote(c.Name),
		Handler: c.Binding == "handler",
		Bare:    c.Result == "bare",
	}
	var limits []string
	if c.Limits.Arguments > 0 {
		limits = append(limits, fmt.Sprintf("Arguments: %d", c.Limits.Arguments))
	}
	if c.Limits.Reply > 0 {
		limits = append(limits, fmt.Sprintf("Reply: %d", c.Limits.Reply))
	}
	v.Limits = strings.Join(limits, ", ")
	if !v.Handler {
		for _, d := range c.Documents {
			v.Documents = append(v.Documents, literal(documentFields(d)))
		}
	}
	for _, op := range c.Operations {
		v.Operations = append(v.Operations, literal(operationFields(c, op)))
	}
	return v
}

// literal prints the fields of a composite literal one level in, each group on
// lines of its own.
func literal(groups [][]string) string {
	var b strings.Builder
	b.WriteString("{")
	for _, group := range groups {
		if len(group) > 0 {
			b.WriteString("\n\t\t" + wrap(2, 0, group))
		}
	}
	return b.String() + "\n\t},"
}

func documentFields(d *ir.Document) [][]string {
	schemes := make([]string, len(d.Schemes))
	for i, s := range d.Schemes {
		schemes[i] = "{Name: " + quote(s.Name)
		for _, member := range []struct{ name, value string }{
			{"In", s.In}, {"Key", s.Key}, {"Prefix", s.Prefix},
		} {
			if member.value != "" {
				schemes[i] += ", " + member.name + ": " + quote(member.value)
			}
		}
		schemes[i] += "}"
	}
	groups := [][]string{{"Name: " + quote(d.Name) + ","}, list("Schemes: []tool.Scheme", schemes)}
	if len(d.Security) > 0 {
		groups = append(groups, list("Security: [][]string", alternatives(d.Security)))
	}
	return groups
}

func operationFields(c *ir.Catalog, op *ir.Operation) [][]string {
	fields := []string{
		"Tool: " + quote(op.Tool) + ",",
		"ID: " + quote(op.ID) + ",",
		"Document: " + quote(op.Document) + ",",
		"Scope: " + quote(op.Scope) + ",",
		"Effect: " + effects[op.Effect] + ",",
	}
	if op.Idempotent() {
		fields = append(fields, "Idempotent: true,")
	}
	if op.RPCOnly {
		fields = append(fields, "RPCOnly: true,")
	}
	fields = append(fields, list("Replies: []tool.Reply", replies(op.Replies))...)
	groups := [][]string{fields}
	switch {
	case c.Binding != "http" || op.Security == nil:
	case len(op.Security) == 0:
		groups = append(groups, []string{"Security: [][]string{},"})
	default:
		groups = append(groups, list("Security: [][]string", alternatives(op.Security)))
	}
	return groups
}

// effects are the constants of package tool.
var effects = map[string]string{
	"read": "tool.Read", "write": "tool.Write", "delete": "tool.Delete",
}

// replies prints replies as composite literals, those that differ only in
// their status as one: tool.Operations takes them apart again.
func replies(replies []ir.Reply) []string {
	type kind struct {
		mediaType, def string
		outcome        bool
	}
	var order []kind
	statuses := map[kind][]string{}
	for _, r := range replies {
		k := kind{r.MediaType, r.Def, r.Outcome}
		if statuses[k] == nil {
			order = append(order, k)
		}
		statuses[k] = append(statuses[k], r.Status)
	}
	literals := make([]string, len(order))
	for i, k := range order {
		s := "{Status: " + quote(strings.Join(statuses[k], " "))
		if k.mediaType != "" {
			s += ", MediaType: " + quote(k.mediaType)
		}
		if k.def != "" {
			s += ", Schema: " + quote(k.def)
		}
		if k.outcome {
			s += ", Outcome: true"
		}
		literals[i] = s + "}"
	}
	return literals
}

// alternatives prints lists of security schemes.
func alternatives(security [][]string) []string {
	literals := make([]string, len(security))
	for i, schemes := range security {
		names := make([]string, len(schemes))
		for j, name := range schemes {
			names[j] = quote(name)
		}
		literals[i] = "{" + strings.Join(names, ", ") + "}"
	}
	return literals
}

// list prints a field that is a slice as words to wrap: the brackets stay with
// the first and the last element. No elements, no field.
func list(head string, elements []string) []string {
	if len(elements) == 0 {
		return nil
	}
	words := make([]string, len(elements))
	for i, element := range elements {
		words[i] = element + ","
	}
	last := len(words) - 1
	words[last] = strings.TrimSuffix(words[last], ",") + "},"
	const indent, aligned = 2 * tab, 4 // gofmt may align the value with a longer name's
	if indent+len(head)+aligned+len("{")+len(words[0]) > width {
		return append([]string{head + "{"}, words...)
	}
	words[0] = head + "{" + words[0]
	return words
}
