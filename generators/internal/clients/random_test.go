package clients

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/normalise"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// TestRandomSchemas generates from documents of random, mostly senseless
// schemas that refer to each other in every way.
func TestRandomSchemas(t *testing.T) {
	t.Parallel()
	for seed := range uint64(24) {
		g := &guesser{rand.New(rand.NewPCG(seed, 7))}
		doc := &normalise.Document{Name: "random", Schemas: map[string]*spec.Node{}}
		for _, name := range schemaNames {
			doc.Schemas[name] = g.schema(4)
		}
		in := Input{Document: doc, Package: "randomapi", Client: seed%3 > 0, Server: seed%3 == 2}
		for i := range 6 {
			op := &ir.Operation{
				GoName: fmt.Sprintf("Op%d", i), Method: "POST", Path: fmt.Sprintf("/op%d", i), Key: fmt.Sprint("op", i),
				Body: &ir.Body{
					MediaType: "application/json", Form: g.pick("json", "form", "multipart", "text", "binary"), Schema: g.schema(3),
				},
				Replies: []ir.Reply{{Status: "200", MediaType: "application/json", Schema: g.schema(3)}},
			}
			for _, name := range []string{"a", "A", "b"} {
				op.Parameters = append(op.Parameters, ir.Parameter{
					Name: name, Key: name, In: "query", Style: "form",
					Required: g.IntN(2) == 0, JSON: g.IntN(8) == 0, Schema: g.schema(2),
				})
			}
			in.Operations = append(in.Operations, op)
		}
		source, err := Generate(in)
		if err != nil {
			t.Errorf("seed %d: %v", seed, err)
			continue
		}
		if err := Check(in, source); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		for _, op := range in.Operations {
			if op.Body.GoType == "" != op.Body.Free {
				t.Errorf("seed %d: body of %s has type %q, free-form is %v", seed, op.Key, op.Body.GoType, op.Body.Free)
			}
		}
	}
}

var schemaNames = []string{"A", "B", "Aa", "AA", "a", "Client", "A1", "AItem", "AX", "Text", "File", "Op0Body", "Value"}

type guesser struct{ *rand.Rand }

func (g *guesser) pick(words ...string) string { return words[g.IntN(len(words))] }

// schema makes a schema of at most the given depth.
func (g *guesser) schema(depth int) *spec.Node {
	switch n := g.IntN(12); {
	case n == 0:
		return spec.NewBool(g.IntN(2) == 0)
	case n < 4:
		ref := object("$ref", refPrefix+schemaNames[g.IntN(len(schemaNames))])
		if g.IntN(6) == 0 {
			g.keyword(ref, depth)
		}
		return ref
	}
	s := spec.NewObject()
	for range g.IntN(4) {
		g.keyword(s, depth)
	}
	return s
}

func (g *guesser) keyword(s *spec.Node, depth int) {
	if depth == 0 {
		s.Set("type", spec.NewString(g.pick("string", "integer", "number", "boolean", "array", "object", "null", "odd")))
		return
	}
	list := func() *spec.Node {
		n := spec.NewArray()
		for range 1 + g.IntN(3) {
			n.Items = append(n.Items, g.schema(depth-1))
		}
		return n
	}
	switch keyword := g.pick(
		"type", "types", "properties", "required", "items", "additionalProperties", "patternProperties",
		"allOf", "oneOf", "anyOf", "enum", "const", "prefixItems", "format", "title",
	); keyword {
	case "type":
		s.Set("type", spec.NewString(g.pick("string", "integer", "number", "boolean", "array", "object", "null")))
	case "types":
		one, other := g.pick("string", "integer", "array"), g.pick("null", "object", "number")
		s.Set("type", spec.NewArray(spec.NewString(one), spec.NewString(other)))
	case "properties", "patternProperties":
		n := spec.NewObject()
		for range 1 + g.IntN(3) {
			n.Set(g.pick("a", "A", "b", "item", "x-y", "x_y", "@id", "union", "100%"), g.schema(depth-1))
		}
		s.Set(keyword, n)
	case "required":
		s.Set(keyword, spec.NewArray(spec.NewString("a"), spec.NewString("item"), spec.NewString("union")))
	case "items", "additionalProperties":
		s.Set(keyword, g.schema(depth-1))
	case "allOf", "oneOf", "anyOf", "prefixItems":
		s.Set(keyword, list())
	case "enum":
		s.Set(keyword, spec.NewArray(spec.NewString("a"), spec.NewNumber(g.pick("1", "1.5")), &spec.Node{Kind: spec.Null}))
	case "const":
		s.Set(keyword, spec.NewNumber("1"))
	case "format":
		s.Set(keyword, spec.NewString(g.pick("date-time", "binary", "int32")))
	case "title":
		s.Set(keyword, spec.NewString(g.pick("A", "B model", "")))
	}
}
