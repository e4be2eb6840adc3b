package manifest

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// reader takes values out of the tree and collects everything that is wrong.
type reader struct{ problems spec.Problems }

func (r *reader) problem(pos spec.Pos, message, hint string) {
	r.problems = append(r.problems, spec.Problem{Pos: pos, Rule: rule, Message: message, Hint: hint})
}

// object checks that n is an object with no members but the known ones.
func (r *reader) object(n *spec.Node, what string, known ...string) {
	if n == nil {
		return
	}
	if n.Kind != spec.Object {
		r.problem(n.Pos, what+" must be an object", "")
		return
	}
	for _, m := range n.Members {
		if !slices.Contains(known, m.Name) {
			r.problem(m.Pos, `unknown member "`+m.Name+`" in `+what, "known are "+strings.Join(known, ", "))
		}
	}
}

// required reports a member that is missing, and returns it.
func (r *reader) required(n *spec.Node, name, example string) *spec.Node {
	if n.Kind == spec.Object && !n.Has(name) {
		r.problem(n.Pos, `missing "`+name+`"`, "write "+example)
	}
	return n.Get(name)
}

// each calls f with every member of an object.
func (r *reader) each(n *spec.Node, what string, f func(name string, value *spec.Node, pos spec.Pos)) {
	if n == nil {
		return
	}
	if n.Kind != spec.Object {
		r.problem(n.Pos, what+" must be an object", "")
		return
	}
	for _, m := range n.Members {
		f(m.Name, m.Value, m.Pos)
	}
}

// NameRule says what the name of a catalog or a document must be.
const NameRule = "it becomes a Go package: lower-case letters and digits, a letter first, at most 40"

// ValidName reports whether a catalog or a document can have the name.
func ValidName(name string) bool { return nameForm.MatchString(name) }

func (r *reader) name(name, what string, pos spec.Pos) {
	if !ValidName(name) {
		r.problem(pos, what+` name "`+name+`" is not allowed`, NameRule)
	}
}

func (r *reader) text(n *spec.Node, name string) string {
	v := n.Get(name)
	if v == nil {
		return ""
	}
	if v.Kind != spec.String {
		r.problem(v.Pos, `"`+name+`" must be a string`, "")
		return ""
	}
	return v.Text
}

func (r *reader) oneOf(n *spec.Node, name string, allowed ...string) string {
	s := r.text(n, name)
	if v := n.Get(name); v != nil && v.Kind == spec.String && !slices.Contains(allowed, s) {
		r.problem(v.Pos, `"`+name+`" cannot be "`+s+`"`, "it is one of "+strings.Join(allowed, ", "))
	}
	return s
}

func (r *reader) texts(n *spec.Node, name string) []string {
	v := n.Get(name)
	if v == nil {
		return nil
	}
	if v.Kind != spec.Array {
		r.problem(v.Pos, `"`+name+`" must be an array of strings`, "")
		return nil
	}
	var out []string
	for _, item := range v.Items {
		switch {
		case item.Kind != spec.String:
			r.problem(item.Pos, `"`+name+`" must be an array of strings`, "")
		case slices.Contains(out, item.Text):
			r.problem(item.Pos, `"`+item.Text+`" stands twice in "`+name+`"`, "remove one")
		default:
			out = append(out, item.Text)
		}
	}
	return out
}

func (r *reader) textMap(n *spec.Node, name string) map[string]string {
	v := n.Get(name)
	if v == nil {
		return nil
	}
	out := map[string]string{}
	r.each(v, `"`+name+`"`, func(key string, value *spec.Node, _ spec.Pos) {
		if value.Kind != spec.String {
			r.problem(value.Pos, `"`+key+`" in "`+name+`" must be a string`, "")
			return
		}
		out[key] = value.Text
	})
	return out
}

func (r *reader) flag(n *spec.Node, name string) bool {
	v := n.Get(name)
	if v != nil && v.Kind != spec.Bool {
		r.problem(v.Pos, `"`+name+`" must be true or false`, "")
	}
	return n.True(name)
}

func (r *reader) size(n *spec.Node, name string) int {
	v := n.Get(name)
	if v == nil {
		return 0
	}
	size, err := strconv.ParseInt(v.Text, 10, 32)
	if v.Kind != spec.Number || err != nil || size <= 0 {
		r.problem(v.Pos, `"`+name+`" must be a positive number of bytes`, "")
		return 0
	}
	return int(size)
}
