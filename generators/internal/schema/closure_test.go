package schema

import (
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// A document in which every schema leads to every other.
//
// clause: E-50
func TestSchemasBeyondTheBound(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("x", 60_000)
	schemas := strings.ReplaceAll(`{
		"A": {"description":"TEXT","type":"object","properties":{"b":{"$ref":"#/components/schemas/B"}}},
		"B": {"description":"TEXT","type":"object","properties":{
			"c":{"$ref":"#/components/schemas/C"},
			"more":{"allOf":[{"$ref":"#/components/schemas/C"},{"properties":{"z":{}}}]},
			"one":{"oneOf":[{"$ref":"#/components/schemas/D"},{"$ref":"#/components/schemas/E"}]},
			"some":{"anyOf":[{"$ref":"#/components/schemas/F"},{"type":"null"}]}}},
		"C": {"description":"TEXT","type":"object","properties":{"n":{"type":"integer"},"g":{"$ref":"#/components/schemas/G"}}},
		"G": {"type":"object"},
		"D": {"type":"object","properties":{"d":{}},"required":["d"]},
		"E": {"type":"object","properties":{"e":{}},"required":["e"]},
		"F": {"type":"object","properties":{"f":{}},"required":["f"]}
	}`, "TEXT", text)
	op := withBody(t, `{"$ref":"#/components/schemas/A"}`)
	fill(t, schemas, platform, op)
	accepts(t, op,
		[]string{`{"b":{"c":{"n":"any"}}}`, `{"b":{"more":{"n":"any","z":1,"y":2}}}`, `{"b":{"one":{"d":1}}}`},
		[]string{`{"c":1}`, `{"b":{"x":1}}`, `{"b":{"one":{"d":1,"e":1}}}`, `{"b":{"some":{}}}`})
	for _, root := range []*spec.Node{op.Input, op.Output} {
		defs := root.Get("$defs")
		if defs.Get("C") != leftOut || defs.Get("A") == leftOut || defs.Get("B") == leftOut || defs.Get("F") == leftOut {
			t.Errorf("defs of %d bytes", len(defs.AppendJSON(nil)))
		}
	}
}

func TestWhatTheRootNamesIsAlwaysThere(t *testing.T) {
	t.Parallel()
	op := withBody(t, `{"$ref":"#/components/schemas/A"}`)
	fill(t, `{"A":{"type":"integer","description":"`+strings.Repeat("x", maxDefs)+`"}}`, platform, op)
	accepts(t, op, []string{`1`}, []string{`"x"`})
}
