package emit

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// parityView is what parity.md.tmpl prints: the page a reviewer reads in a
// pull request (E-51). All text in it is Markdown already.
type parityView struct {
	Name      string
	Totals    string
	Documents []parityDocument
}

// parityDocument is the part of the page on one document.
type parityDocument struct {
	Name     string
	Rows     []string // table rows: one an operation
	Tools    []section
	Types    []section
	Excluded []string // table rows
}

// section is a heading with lines below it.
type section struct {
	Heading string
	Lines   []string
}

func newParityView(c *ir.Catalog) parityView {
	v := parityView{Name: text(c.Name), Totals: totals(c)}
	for _, d := range c.Documents {
		pd := parityDocument{Name: code(d.Name)}
		var ops []*ir.Operation
		for _, op := range c.Operations {
			if op.Document == d.Name {
				ops = append(ops, op)
			}
		}
		slices.SortStableFunc(ops, func(a, b *ir.Operation) int { return strings.Compare(a.Key, b.Key) })
		types := collectTypes(ops)
		for _, op := range ops {
			pd.Rows = append(pd.Rows, row(
				code(op.Key), tool(op), code(op.Scope), op.Effect, yes(op.Idempotent()), changes(op), text(op.Reason),
			))
			pd.Tools = append(pd.Tools, types.section(c, op))
		}
		pd.Types = types.sections()
		for _, e := range c.Excluded {
			if e.Document == d.Name {
				pd.Excluded = append(pd.Excluded, row(code(e.Key), text(e.Reason)))
			}
		}
		slices.Sort(pd.Excluded)
		v.Documents = append(v.Documents, pd)
	}
	return v
}

// row prints one row of a table.
func row(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |" }

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func tool(op *ir.Operation) string {
	if op.RPCOnly {
		return code(op.Tool) + " (RPC only)"
	}
	return code(op.Tool)
}

// totals counts the catalog in one sentence.
func totals(c *ir.Catalog) string {
	count := map[string]int{}
	for _, op := range c.Operations {
		if op.RPCOnly {
			count["rpc"]++
			continue
		}
		count["tool"]++
		count[op.Effect]++
	}
	s := fmt.Sprintf("%s: %s, %s, %s.", plural(count["tool"], "tool"),
		plural(count["read"], "read"), plural(count["write"], "write"), plural(count["delete"], "deletion"))
	if count["rpc"] > 0 {
		s += " " + plural(count["rpc"], "method") + " for RPC only."
	}
	return s + " " + plural(len(c.Excluded), "operation") + " excluded."
}

func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// changes says what the tool does otherwise than the document.
func changes(op *ir.Operation) string {
	var words []string
	for i := range op.Parameters {
		p := &op.Parameters[i]
		switch {
		case p.Dropped:
			words = append(words, "drops "+code(p.Name))
			continue
		case p.Injected:
			words = append(words, code(p.Key)+" is injected")
		}
		if p.Key != p.Name {
			words = append(words, code(p.Name)+" is "+code(p.Key))
		}
		if p.AllowSlash {
			words = append(words, code(p.Key)+" may hold slashes")
		}
	}
	if b := op.Body; b != nil && b.Raw {
		words = append(words, "raw body")
	}
	if len(op.Was) > 0 {
		words = append(words, "was "+codes(op.Was))
	}
	if op.Deprecated {
		words = append(words, "deprecated")
	}
	return strings.Join(words, "; ")
}

// typeSet are the shared schemas of a document's tools.
type typeSet struct {
	// texts are the shapes that stand under a name. More than one means that
	// tools see the schema differently, as an input and as an output say.
	texts map[string]map[string]bool
	lines map[*spec.Node]string // by schema: its shape, lines joined
}

func collectTypes(ops []*ir.Operation) *typeSet {
	t := &typeSet{texts: map[string]map[string]bool{}, lines: map[*spec.Node]string{}}
	for _, op := range ops {
		for _, root := range []*spec.Node{op.Input, op.Output} {
			defs := root.Get("$defs")
			if defs == nil {
				continue
			}
			for _, m := range defs.Members {
				if t.texts[m.Name] == nil {
					t.texts[m.Name] = map[string]bool{}
				}
				t.texts[m.Name][t.shape(m.Value)] = true
			}
		}
	}
	return t
}

// shape prints a schema once.
func (t *typeSet) shape(schema *spec.Node) string {
	if s, ok := t.lines[schema]; ok {
		return s
	}
	first := summary(schema)
	if d := description(schema); d != "" {
		first += ": " + d
	}
	s := strings.Join(inside([]string{first}, 0, schema), "\n")
	t.lines[schema] = s
	return s
}

// ofOneReply matches the names that package schema gives to the schemas of
// single replies.
var ofOneReply = regexp.MustCompile(`^Reply([1-5](\d\d|XX)|Default)_*$`)

// shared reports whether a name means one thing in the whole document. The
// schemas of single replies usually do not, and are shown with their tools.
func (t *typeSet) shared(name string) bool { return len(t.texts[name]) == 1 }

// sections prints the shared schemas by name.
func (t *typeSet) sections() []section {
	var list []section
	for name, texts := range t.texts {
		if len(texts) > 1 && ofOneReply.MatchString(name) {
			continue
		}
		for i, s := range keys(texts) {
			heading := code(name)
			if i > 0 {
				heading += fmt.Sprintf(", form %d", i+1)
			}
			list = append(list, section{Heading: heading, Lines: spaced(strings.Split(s, "\n"))})
		}
	}
	slices.SortFunc(list, func(a, b section) int { return cmp.Compare(a.Heading, b.Heading) })
	return list
}

// section prints one tool: its name, what a model is told of it, and what goes
// in and comes out.
func (t *typeSet) section(c *ir.Catalog, op *ir.Operation) section {
	s := section{Heading: tool(op)}
	head := code(op.Key)
	if op.ID != "" && op.ID != op.Tool {
		head += ", id " + code(op.ID)
	}
	head += ", schemas " + code(digest(op))
	if op.Title != "" {
		head += ": " + text(op.Title)
	}
	s.Lines = append(s.Lines, head)
	if lines := quoted(op.Description); len(lines) > 0 {
		s.Lines = append(append(s.Lines, ""), lines...)
	}
	s.Lines = append(s.Lines, "")
	s.Lines = append(s.Lines, inputLines(c, op)...)
	for _, r := range op.Replies {
		s.Lines = append(s.Lines, t.reply(op, r)...)
	}
	if s.Lines[len(s.Lines)-1] == "" {
		s.Lines = s.Lines[:len(s.Lines)-1]
	}
	return s
}

// inputLines lists the arguments of a tool with where each goes.
func inputLines(c *ir.Catalog, op *ir.Operation) []string {
	if op.Input == nil {
		return nil
	}
	where := map[string]string{}
	for i := range op.Parameters {
		if p := &op.Parameters[i]; !p.Dropped {
			where[p.Key] = p.In + " "
		}
	}
	var lines []string
	print := func(group *spec.Node, in func(string) string) {
		required := names(group.Get("required"))
		properties := group.Get("properties")
		if properties == nil {
			return
		}
		for _, m := range properties.Members {
			note := ""
			if required[m.Name] {
				note = ", required"
			}
			lines = member(lines, 0, in(m.Name), note, m.Value)
		}
	}
	if c.Input == "top" {
		print(op.Input, func(name string) string { return cmp.Or(where[name], "body ") + code(name) })
		return lines
	}
	properties := op.Input.Get("properties")
	print(properties.Get("path"), func(name string) string { return "path " + code(name) })
	print(properties.Get("parameters"), func(name string) string { return where[name] + code(name) })
	if body := properties.Get("body"); body != nil && op.Body != nil {
		note := ""
		if op.Body.Required {
			note = ", required"
		}
		lines = member(lines, 0, "body "+code(op.Body.MediaType), note, body)
	}
	return lines
}

// reply lists one reply; the schema is shown here unless it stands among the
// shared ones.
func (t *typeSet) reply(op *ir.Operation, r ir.Reply) []string {
	name := "reply " + code(r.Status)
	if r.MediaType != "" {
		name += " " + code(r.MediaType)
	}
	note := ""
	if r.Outcome {
		note = ", a recorded outcome"
	}
	def := op.Output.Get("$defs").Get(r.Def)
	switch {
	case r.Def == "":
		return []string{"- " + name + note}
	case def == nil || t.shared(r.Def):
		return []string{"- " + name + " " + code(r.Def) + note}
	default:
		return member(nil, 0, name, note, def)
	}
}

// digest is a short mark of all that a tool's schemas say, shared schemas
// included: it changes when anything they reach does.
func digest(op *ir.Operation) string {
	h := sha256.New()
	h.Write(op.Input.AppendJSON(nil))
	h.Write(op.Output.AppendJSON(nil))
	return hex.EncodeToString(h.Sum(nil)[:4])
}

// spaced puts an empty line between a paragraph and the list below it.
func spaced(lines []string) []string {
	if len(lines) < 2 {
		return lines
	}
	return slices.Insert(lines, 1, "")
}
