package emit

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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
	text := strings.ReplaceAll(wrapAt(width-len("// "), 0, len("Source: "), words), "\u00a0", " ")
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
	Served     []string // files of the documents that a server is generated for beside the tools
}

// ServedNames are these files for a comment.
func (v catalogView) ServedNames() string { return strings.Join(v.Served, ", ") }

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
	for _, d := range c.Documents {
		if v.Handler && d.Server { // an upstream's tools have schemas of every request
			v.Served = append(v.Served, bundleName(c, d))
		}
	}
	if len(v.Served) > 0 {
		v.Std = append(v.Std, quote("io/fs"))
	}
	if !v.Handler {
		for _, d := range c.Documents {
			v.Documents = append(v.Documents, literal(1, documentFields(d)...)+",")
		}
	}
	for _, op := range c.Operations {
		v.Operations = append(v.Operations, literal(1, operationFields(c, op)...)+",")
	}
	return v
}

func documentFields(d *ir.Document) [][]string {
	schemes := make([]element, len(d.Schemes))
	for i, s := range d.Schemes {
		schemes[i] = element{"Name: " + quote(s.Name)}
		for _, member := range []struct{ name, value string }{
			{"In", s.In}, {"Key", s.Key}, {"Prefix", s.Prefix},
		} {
			if member.value != "" {
				schemes[i] = append(schemes[i], member.name+": "+quote(member.value))
			}
		}
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
	case c.Binding != "http" || op.Security == nil || sameSecurity(c, op):
	case len(op.Security) == 0:
		groups = append(groups, []string{"Security: [][]string{},"})
	default:
		groups = append(groups, list("Security: [][]string", alternatives(op.Security)))
	}
	return groups
}

// sameSecurity reports whether the operation repeats what its document says.
func sameSecurity(c *ir.Catalog, op *ir.Operation) bool {
	i := slices.IndexFunc(c.Documents, func(d *ir.Document) bool { return d.Name == op.Document })
	return i >= 0 && len(op.Security) > 0 && slices.EqualFunc(c.Documents[i].Security, op.Security, slices.Equal[[]string])
}

// effects are the constants of package tool.
var effects = map[string]string{
	"read": "tool.Read", "write": "tool.Write", "delete": "tool.Delete",
}

// replies prints replies as composite literals, those that differ only in
// their status as one: tool.Operations takes them apart again. Of an error
// without a declared code only the status matters at run time.
func replies(replies []ir.Reply) []element {
	type kind struct {
		mediaType, def string
		outcome        bool
	}
	var order []kind
	statuses := map[kind][]string{}
	for _, r := range replies {
		k := kind{r.MediaType, r.Def, r.Outcome}
		if !r.Outcome && r.Def == "" && strings.IndexAny(r.Status, "345") == 0 {
			k.mediaType = ""
		}
		if statuses[k] == nil {
			order = append(order, k)
		}
		statuses[k] = append(statuses[k], r.Status)
	}
	literals := make([]element, len(order))
	for i, k := range order {
		e := element{"Status: " + quote(strings.Join(statuses[k], " "))}
		if k.mediaType != "" {
			e = append(e, "MediaType: "+quote(k.mediaType))
		}
		if k.def != "" {
			e = append(e, "Schema: "+quote(k.def))
		}
		if k.outcome {
			e = append(e, "Outcome: true")
		}
		literals[i] = e
	}
	return literals
}

// alternatives prints lists of security schemes.
func alternatives(security [][]string) []element {
	literals := make([]element, len(security))
	for i, schemes := range security {
		for _, name := range schemes {
			literals[i] = append(literals[i], quote(name))
		}
	}
	return literals
}

// element is a composite literal in a list: what stands between its braces.
type element []string

// list prints a field that is a slice as words to wrap: the brackets stay with
// the first and the last element, and an element too long for a line comes
// apart at its members. No elements, no field.
func list(head string, elements []element) []string {
	if len(elements) == 0 {
		return nil
	}
	const indent, aligned = 3 * tab, 8
	var words []string
	for _, e := range elements {
		if whole := "{" + strings.Join(e, ", ") + "},"; indent+utf8.RuneCountInString(whole)+len("}}") <= width {
			words = append(words, "\t"+whole)
			continue
		}
		for i, member := range e {
			if i == len(e)-1 {
				member += "}"
			}
			if i == 0 {
				words = append(words, "\t{"+member+",")
			} else {
				words = append(words, "\t\t"+member+",")
			}
		}
	}
	last := len(words) - 1
	words[last] = strings.TrimSuffix(words[last], ",") + "},"
	if indent+aligned+len(head)+len(words[0]) > width {
		return append([]string{head + "{"}, words...)
	}
	words[0] = head + "{" + strings.TrimLeft(words[0], "\t")
	return words
}
