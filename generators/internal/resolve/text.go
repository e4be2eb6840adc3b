package resolve

import (
	"fmt"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/normalise"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// texts refuses characters that a reviewer cannot see and a model obeys:
// bidirectional, tag and control characters in the names and descriptions that
// become part of a tool (E-51).
func (r *resolver) texts(all []bound) {
	seen := map[*normalise.Document]map[string]bool{}
	for _, b := range all {
		if seen[b.doc] == nil {
			seen[b.doc] = map[string]bool{}
		}
		s := textScan{doc: b.doc, seen: seen[b.doc], report: func(pos spec.Pos, what string, c rune) {
			r.problem(pos, "E-51", fmt.Sprintf("%s has the character U+%04X", what, c),
				"remove it from the document: reviewers cannot see what it does")
		}}
		s.operation(b.op)
		s.text(b.decision.Place("reason"), "reason of "+b.op.Key, b.decision.Reason, false)
	}
}

// textScan walks everything that an operation shows; each shared schema once.
type textScan struct {
	doc    *normalise.Document
	seen   map[string]bool // schemas
	report func(pos spec.Pos, what string, c rune)
}

func (s *textScan) operation(op *normalise.Operation) {
	s.text(op.Pos, "path of "+op.Key, op.Path, true)
	s.text(op.Pos, "operationId of "+op.Key, op.ID, true)
	s.text(op.Pos, "summary of "+op.Key, op.Summary, false)
	s.text(op.Pos, "description of "+op.Key, op.Description, false)
	for _, p := range op.Parameters {
		s.text(p.Pos, "a parameter name of "+op.Key, p.Name, true)
		s.text(p.Pos, fmt.Sprintf(`description of parameter "%s" of %s`, p.Name, op.Key), p.Description, false)
		s.schema(p.Schema)
	}
	if op.Body != nil {
		s.text(op.Body.Pos, "description of the body of "+op.Key, op.Body.Description, false)
		s.contents(op.Body.Contents)
	}
	for _, reply := range op.Responses {
		s.contents(reply.Contents)
	}
}

func (s *textScan) contents(contents []normalise.Content) {
	if len(contents) > 0 {
		s.schema(contents[0].Schema)
	}
}

// schema checks names, descriptions and values of a schema and of those that
// it refers to. Values and patterns may hold control characters: they are data.
func (s *textScan) schema(n *spec.Node) {
	if n == nil {
		return
	}
	for _, item := range n.Items {
		if item.Kind == spec.String { // of required, for one
			s.text(item.Pos, "a member name", item.Text, true)
		}
		s.schema(item)
	}
	for _, m := range n.Members {
		s.text(m.Pos, "a member name", m.Name, true)
		switch {
		case (m.Name == "properties" || m.Name == "patternProperties") && m.Value.Kind == spec.Object:
			for _, property := range m.Value.Members { // which may be called as a keyword is
				s.text(property.Pos, "a member name", property.Name, true)
				s.schema(property.Value)
			}
		case m.Name == "$ref" && m.Value.Kind == spec.String:
			s.shared(m.Value.Text)
		case m.Name == "pattern" || m.Name == "default" || m.Name == "const" || m.Name == "enum":
			s.values(m.Value)
		case m.Value.Kind == spec.String:
			s.text(m.Value.Pos, m.Name, m.Value.Text, false)
		default:
			s.schema(m.Value)
		}
	}
}

func (s *textScan) values(n *spec.Node) {
	if n.Kind == spec.String {
		if c, ok := hidden(n.Text); ok {
			s.report(n.Pos, "a value", c)
		}
	}
	for _, item := range n.Items {
		s.values(item)
	}
	for _, m := range n.Members {
		s.text(m.Pos, "a member name", m.Name, true)
		s.values(m.Value)
	}
}

func (s *textScan) shared(ref string) {
	name := strings.TrimPrefix(ref, "#/components/schemas/")
	if !s.seen[name] {
		s.seen[name] = true
		s.schema(s.doc.Schemas[name])
	}
}

// text checks one name or description. A description may have line breaks and
// tabs.
func (s *textScan) text(pos spec.Pos, what, text string, name bool) {
	if c, ok := hidden(text); ok {
		s.report(pos, what, c)
		return
	}
	for _, c := range text {
		space := c == '\n' || c == '\r' || c == '\t'
		if (c < 0x20 || c >= 0x7f && c < 0xa0) && (name || !space) {
			s.report(pos, what, c)
			return
		}
	}
}

// hidden finds the first bidirectional or tag character.
func hidden(text string) (rune, bool) {
	for _, c := range text {
		switch {
		case c == 0x061c, c == 0x200e, c == 0x200f,
			c >= 0x202a && c <= 0x202e, c >= 0x2066 && c <= 0x2069,
			c >= 0xe0000 && c <= 0xe007f:
			return c, true
		}
	}
	return 0, false
}
