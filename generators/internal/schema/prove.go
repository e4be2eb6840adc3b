package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// Prove compiles everything that was filled in as JSON Schema 2020-12. Each
// shared schema is compiled once, as a resource of its own, and not once for
// every tool that reaches it.
func (b *Builder) Prove() spec.Problems {
	b.complete()
	var proofs []proof
	for v, d := range b.defs {
		proofs = append(proofs, proof{home(v.dir) + d.name, "schema " + v.name, d.node.Pos, printed(v.dir, d.node, nil)})
	}
	for i, r := range b.roots {
		kind := [...]string{input: "input", output: "output"}[r.dir]
		what := fmt.Sprintf("%s schema of %s", kind, r.op.Tool)
		proofs = append(proofs, proof{fmt.Sprintf("mem:///tool/%06d", i), what, r.op.Pos, printed(r.dir, r.node, r.own)})
	}
	slices.SortFunc(proofs, func(a, b proof) int { return strings.Compare(a.url, b.url) })
	compiler := jsonschema.NewCompiler()
	compiler.Draft = jsonschema.Draft2020
	compiler.LoadURL = func(string) (io.ReadCloser, error) { return nil, errors.New("no such schema") }
	for _, p := range proofs {
		if err := compiler.AddResource(p.url, bytes.NewReader(p.text)); err != nil {
			return spec.Problems{p.problem(err)}
		}
	}
	for _, p := range proofs {
		if _, err := compiler.Compile(p.url); err != nil {
			return blame(proofs, p.problem(err))
		}
	}
	return nil
}

// complete converts what the converted schemas refer to, also where no tool
// takes it along.
func (b *Builder) complete() {
	queue := slices.Collect(maps.Values(b.defs))
	for len(queue) > 0 {
		d := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, r := range d.refs {
			if b.defs[r.variant] == nil {
				queue = append(queue, b.def(r.variant))
			}
		}
	}
}

// blame finds every schema that breaks the rules of JSON Schema by itself. The
// compiler stops at the first, and names whichever refers to it; its problem
// stands if none is found.
func blame(proofs []proof, first spec.Problem) spec.Problems {
	meta, err := jsonschema.Compile(jsonschema.Draft2020.URL())
	if err != nil {
		return spec.Problems{first}
	}
	var problems spec.Problems
	for _, p := range proofs {
		d := json.NewDecoder(bytes.NewReader(p.text))
		d.UseNumber()
		var v any
		if err := d.Decode(&v); err != nil {
			continue // it could not have been added
		}
		if err := meta.Validate(v); err != nil {
			problems = append(problems, p.problem(err))
		}
	}
	if len(problems) == 0 {
		return spec.Problems{first}
	}
	problems.Sort()
	return problems
}

// home is where the shared schemas of a direction stand while they are
// compiled.
func home(dir direction) string {
	return [...]string{input: "mem:///input/", output: "mem:///output/"}[dir]
}

// proof is one resource to compile.
type proof struct {
	url  string
	what string
	pos  spec.Pos
	text []byte
}

// problem says why a schema does not compile, by its innermost reason.
func (p proof) problem(err error) spec.Problem {
	reason := err.Error()
	var invalid *jsonschema.ValidationError
	if errors.As(err, &invalid) {
		for len(invalid.Causes) > 0 {
			invalid = invalid.Causes[0]
		}
		reason = invalid.InstanceLocation + ": " + invalid.Message
	}
	return spec.Problem{
		Pos: p.pos, Rule: "schema",
		Message: fmt.Sprintf("%s is no valid JSON Schema: %s", p.what, reason),
	}
}

// printed is a schema whose references to shared schemas are addresses; its own
// defs stay in it.
func printed(dir direction, n *spec.Node, own []spec.Member) []byte {
	w := rewriting{base: home(dir), own: own}
	w.schema(n)
	return w.out
}

// rewriting prints a schema with other references.
type rewriting struct {
	out  []byte
	base string
	own  []spec.Member
}

// schema prints a value that stands where a schema does.
func (w *rewriting) schema(n *spec.Node) {
	if n.Kind != spec.Object {
		w.out = n.AppendJSON(w.out)
		return
	}
	w.out = append(w.out, '{')
	for _, m := range n.Members {
		switch m.Name {
		case "$defs":
			w.name(m.Name)
			w.members(w.own)
		case "$ref":
			w.name(m.Name)
			w.out = spec.NewString(w.address(m.Value.Text)).AppendJSON(w.out)
		case "properties", "patternProperties", "dependentSchemas":
			w.name(m.Name)
			w.members(m.Value.Members)
		case "allOf", "anyOf", "oneOf", "prefixItems":
			w.name(m.Name)
			w.out = append(w.out, '[')
			for i, item := range m.Value.Items {
				if i > 0 {
					w.out = append(w.out, ',')
				}
				w.schema(item)
			}
			w.out = append(w.out, ']')
		case "enum", "const":
			w.name(m.Name)
			w.out = m.Value.AppendJSON(w.out)
		case "default", "title", "description": // any value is right
		default:
			w.name(m.Name)
			w.schema(m.Value)
		}
	}
	w.out = append(w.out, '}')
}

// members prints an object of schemas.
func (w *rewriting) members(list []spec.Member) {
	w.out = append(w.out, '{')
	for _, m := range list {
		w.name(m.Name)
		w.schema(m.Value)
	}
	w.out = append(w.out, '}')
}

// name begins a member.
func (w *rewriting) name(name string) {
	if w.out[len(w.out)-1] != '{' {
		w.out = append(w.out, ',')
	}
	w.out = append(spec.NewString(name).AppendJSON(w.out), ':')
}

func (w *rewriting) address(ref string) string {
	name, _ := strings.CutPrefix(ref, defPrefix)
	if slices.ContainsFunc(w.own, func(m spec.Member) bool { return m.Name == name }) {
		return ref
	}
	return w.base + name
}
