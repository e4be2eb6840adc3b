package resolve

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/manifest"
	"github.com/pharos-mcp/pharos/generators/internal/normalise"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// The input and result that go with each binding.
var (
	inputs  = map[string]string{"http": "grouped", "handler": "top"}
	results = map[string]string{"http": "envelope", "handler": "bare"}
)

// shape checks that a catalog's input and result go with its binding.
func (r *resolver) shape(c *manifest.Catalog) {
	for _, m := range [][3]string{{"input", c.Input, inputs[c.Binding]}, {"result", c.Result, results[c.Binding]}} {
		if m[1] != "" && m[1] != m[2] {
			r.problem(c.Pos, "manifest",
				fmt.Sprintf(`catalog "%s" has %s "%s" with binding "%s"`, c.Name, m[0], m[1], c.Binding),
				fmt.Sprintf(`write "%s": "%s"`, m[0], m[2]))
		}
	}
	if c.RPC && c.Binding != "handler" {
		r.problem(c.Pos, "manifest", fmt.Sprintf(`catalog "%s" has "rpc" with binding "%s"`, c.Name, c.Binding),
			`remove it; a handler's catalog has it`)
	}
}

// support refuses a tool for what no tool can carry.
func (r *resolver) support(b bound) {
	e := b.decision
	if why := unsupportedReason(b.op); why != "" {
		r.problem(b.op.Pos, "E-09", fmt.Sprintf("%s cannot be a tool: %s", describe(b.op), why),
			fmt.Sprintf(`correct the document, or write {"exclude": %s}`, literal("unsupported: "+why)))
	}
	if e.Body != "" && b.op.Body == nil {
		r.problem(e.Place("body"), "E-09", fmt.Sprintf(`"body" on %s, which has none`, describe(b.op)), "remove it")
	} else if e.Body != "" && b.document.Owner == "" {
		r.problem(e.Place("body"), "E-09", fmt.Sprintf(`"body": "%s" on %s, whose document is our own`, e.Body, describe(b.op)),
			"correct the document, so that its types can be generated")
	}
}

// place is how a reason may start; in a manifest it would soon be wrong.
var place = regexp.MustCompile(`^\S+:[0-9]+:[0-9]+: `)

// unsupportedReason says why no tool can carry the operation, without a place.
func unsupportedReason(op *normalise.Operation) string {
	if op.Method == "TRACE" {
		return "TRACE sends back what it was sent, the gateway's credential too"
	}
	return place.ReplaceAllString(op.Unsupported, "")
}

// handler checks what only one of the bindings has. The arguments of a handler
// are one flat object, which must name every member once.
func (r *resolver) handler(b bound) {
	if b.catalog.Binding != "handler" {
		for _, p := range b.op.Parameters {
			if p.Injected {
				r.problem(p.Pos, "E-10", fmt.Sprintf(`%s has x-injected "%s" in an http catalog`, describe(b.op), p.Name),
					"only a handler's mount supplies values: remove x-injected")
			}
		}
		if b.op.Raw {
			r.problem(b.op.Pos, "E-17", describe(b.op)+" has x-raw in an http catalog",
				"only a handler returns stored bytes: remove x-raw")
		}
		return
	}
	keys := map[string]string{}
	for _, p := range b.op.Parameters {
		switch {
		case b.dropped(p):
		case p.In == "header" || p.In == "cookie":
			r.problem(p.Pos, "E-10",
				fmt.Sprintf(`%s takes the %s "%s", which a handler never sees`, describe(b.op), p.In, p.Name),
				fmt.Sprintf(`make it a query parameter or a body member, or add "drop": [%s]`, literal(p.Name)))
		default:
			keys[b.key(p)] = p.In + " parameter"
		}
	}
	if b.op.Body == nil || len(b.op.Body.Contents) == 0 {
		return
	}
	content := b.op.Body.Contents[0]
	if form(content) != "json" {
		r.problem(b.op.Body.Pos, "E-10",
			fmt.Sprintf("%s has a body of %s, which no handler takes", describe(b.op), content.MediaType),
			"describe it as application/json")
		return
	}
	schema := deref(b.doc, content.Schema)
	properties := schema.Get("properties")
	if properties == nil && schema.Str("type") != "object" {
		r.problem(b.op.Body.Pos, "E-10", fmt.Sprintf("the body of %s is no plain object", describe(b.op)),
			"its members stand at the top level of the arguments: give it type object and properties")
		return
	}
	if properties == nil {
		return
	}
	for _, m := range properties.Members {
		if !argument.MatchString(m.Name) {
			r.problem(m.Pos, "E-53", fmt.Sprintf(`body member "%s" of %s cannot be an argument`, m.Name, describe(b.op)),
				"rename it: letters, digits, _, . and -, at most 64")
		}
		if where, ok := keys[m.Name]; ok {
			r.problem(m.Pos, "E-53", fmt.Sprintf(`body member "%s" of %s is also a %s`, m.Name, describe(b.op), where),
				"both would be the same argument: rename one")
		}
	}
}

// deref follows references between the shared schemas.
func deref(doc *normalise.Document, n *spec.Node) *spec.Node {
	for range len(doc.Schemas) + 1 {
		ref := n.Str("$ref")
		if ref == "" {
			return n
		}
		n = doc.Schemas[strings.TrimPrefix(ref, "#/components/schemas/")]
	}
	return n // a circle of references: an empty schema to every rule
}
