package schema

import (
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// output sets the output schema of an operation and the $def of each reply
// whose body is JSON.
func (b *Builder) output(c *ir.Catalog, op *ir.Operation) {
	w := replies{b: b, op: op, taken: map[string]bool{}}
	for i := range op.Replies {
		r := &op.Replies[i]
		r.Def = ""
		switch {
		case w.isResult(r):
			w.result(r)
		case r.Schema != nil && isJSON(r.MediaType):
			w.failure(r)
		}
	}
	op.Output = nil
	switch {
	case c.Result == "bare" && !op.Image && len(w.results) > 0:
		op.Output = w.bare()
	case c.Result != "bare":
		op.Output = w.envelope()
	}
	if op.Output != nil {
		b.attach(op.Output, w.refs, w.own)
		b.roots = append(b.roots, root{op, output, op.Output, w.own})
	}
}

// replies gathers what the replies of one operation contribute.
type replies struct {
	b       *Builder
	op      *ir.Operation
	refs    []reference
	own     []spec.Member // defs of the operation's own
	results []*spec.Node  // the alternatives of result, each once
	taken   map[string]bool
}

// isResult reports whether a reply is a result rather than an error: success,
// a recorded outcome (E-16), or the default where no success is declared.
func (w *replies) isResult(r *ir.Reply) bool {
	if r.Outcome || strings.HasPrefix(r.Status, "2") {
		return true
	}
	if r.Status != "default" {
		return false
	}
	for i := range w.op.Replies {
		if strings.HasPrefix(w.op.Replies[i].Status, "2") {
			return false
		}
	}
	return true
}

// result adds a reply's body to the alternatives of result (E-15).
func (w *replies) result(r *ir.Reply) {
	switch {
	case r.MediaType == "":
	case isJSON(r.MediaType):
		r.Def = w.def(r)
		n := spec.NewObject()
		n.Set("$ref", spec.NewString(defPrefix+r.Def))
		w.add(n)
	case strings.HasPrefix(strings.ToLower(r.MediaType), "text/"):
		n := spec.NewObject()
		n.Set("type", spec.NewString("string"))
		w.add(n)
	default:
		w.add(media(""))
	}
}

func (w *replies) add(n *spec.Node) {
	for _, present := range w.results {
		if present.Equal(n) {
			return
		}
	}
	w.results = append(w.results, n)
}

// def names the $def of a reply's body: the shared schema's where the reply
// is one, else a def of its own, converted.
func (w *replies) def(r *ir.Reply) string {
	if name, target := w.b.target(r.Schema); target != nil && len(r.Schema.Members) == 1 {
		v := variant{name: name, dir: output}
		w.refs = append(w.refs, reference{variant: v})
		return w.b.defName(v)
	}
	s := scope{b: w.b, dir: output, refs: &w.refs}
	return w.define(r, s.schema(r.Schema))
}

// define adds a def under a name of its own, or finds an equal one.
func (w *replies) define(r *ir.Reply, n *spec.Node) string {
	for _, m := range w.own {
		if m.Value.Equal(n) {
			return m.Name
		}
	}
	name := w.b.unique("Reply" + strings.ToUpper(r.Status[:1]) + r.Status[1:])
	for w.taken[name] {
		name = w.b.unique(name + "_")
	}
	w.taken[name] = true
	w.own = append(w.own, spec.Member{Name: name, Value: n, Pos: n.Pos})
	return name
}

// failure describes an error reply as far as it is used: its problem code, if
// it declares one (E-16).
func (w *replies) failure(r *ir.Reply) {
	code := w.code(r.Schema, 0)
	if code == nil {
		return
	}
	s := scope{b: w.b, dir: output, refs: &w.refs}
	properties := spec.NewObject()
	properties.Set("code", s.schema(code))
	n := spec.NewObject()
	n.Set("type", spec.NewString("object"))
	n.Set("properties", properties)
	r.Def = w.define(r, n)
}

// code finds the declared member "code" of an error body, a string.
func (w *replies) code(n *spec.Node, depth int) *spec.Node {
	if n == nil || depth > 20 {
		return nil
	}
	if found := n.Get("properties").Get("code"); found != nil && w.b.isText(found) {
		return found
	}
	if _, target := w.b.target(n); target != nil {
		if found := w.code(target, depth+1); found != nil {
			return found
		}
	}
	var found *spec.Node
	eachInPlace(n, func(keyword string, sub *spec.Node) {
		if found == nil && keyword != "not" && keyword != "if" {
			found = w.code(sub, depth+1)
		}
	})
	return found
}

// isText reports whether a schema admits strings and nothing else.
func (b *Builder) isText(n *spec.Node) bool {
	return n.Kind == spec.Object && b.mayBe(n, "string", 0) && !b.mayBe(n, "object", 0) && !b.mayBe(n, "number", 0)
}

// envelope is the schema of {operation_id, status?, result? | error?} (E-14).
func (w *replies) envelope() *spec.Node {
	member := func(kind string) *spec.Node {
		n := spec.NewObject()
		n.Set("type", spec.NewString(kind))
		return n
	}
	failure := newGroup()
	failure.add("code", member("string"), true)
	failure.add("message", member("string"), true)
	failure.add("outcome_unknown", member("boolean"), false)
	all := newGroup()
	id := spec.NewObject()
	id.Set("const", spec.NewString(w.op.ID))
	all.add("operation_id", id, true)
	all.add("status", member("integer"), false)
	all.add("error", failure.node(), false)
	switch len(w.results) {
	case 0:
	case 1:
		all.add("result", w.results[0], false)
	default:
		n := spec.NewObject()
		n.Set("anyOf", spec.NewArray(w.results...))
		all.add("result", n, false)
	}
	return all.node()
}

// bare is the schema of a handler's result. The root must be an object: a
// result that is none stands in a member "result".
func (w *replies) bare() *spec.Node {
	if len(w.results) == 1 {
		only := w.results[0]
		if name, ok := strings.CutPrefix(only.Str("$ref"), defPrefix); ok && w.isObject(name) {
			only.Set("type", spec.NewString("object"))
			return only
		}
	}
	g := newGroup()
	n := w.results[0]
	if len(w.results) > 1 {
		n = spec.NewObject()
		n.Set("anyOf", spec.NewArray(w.results...))
	}
	g.add("result", n, true)
	return g.node()
}

// isObject reports whether the def of a reply admits objects only.
func (w *replies) isObject(def string) bool {
	for i := range w.op.Replies {
		r := &w.op.Replies[i]
		if r.Def != def {
			continue
		}
		for _, kind := range []string{"array", "string", "number", "boolean", "null"} {
			if w.b.mayBe(r.Schema, kind, 0) {
				return false
			}
		}
	}
	return true
}
