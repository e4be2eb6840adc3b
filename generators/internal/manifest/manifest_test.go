package manifest

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// sample has every member there is, in canonical form but for one decision
// that its author spread over lines.
const sample = `{
  "$schema": "generated/manifest.schema.json",
  "catalogs": {
    "platform": {
      "binding": "http",
      "input": "grouped",
      "result": "envelope",
      "limits": {"arguments": 65536, "reply": 1048576, "tool_schema": 65536, "catalog_schemas": 8388608},
      "documents": {
        "platform": {"files": ["api/*.yaml"], "references": {"https://x.test/a": "api/a.yaml"}, "owner": "shop", "server": true}
      },
      "operations": {
        "platform": {
          "GET /a/{id}": {"tool": "get_a", "was": ["fetch_a"], "owner": "b", "scope": "b:read", "effect": "read", "drop": ["X-Api-Key"], "alias": {"filter[name]": "filter_name"}, "allow_slash": ["id"]},
          "POST /a/{id}": {
            "scope": "shop:write", "effect": "write",
            "tool": "change_a", "body": "raw"
          },
          "GET /b": {"exclude": "not-offered", "undecided": true},
          "POST /b": {"tool": "check_b", "scope": "shop:read", "effect": "read", "reason": "changes <nothing>"}
        }
      }
    }
  }
}
`

func TestFormat(t *testing.T) {
	t.Parallel()
	m := parse(t, sample)
	t.Run("keeps what nobody changed", func(t *testing.T) {
		t.Parallel()
		if diff := cmp.Diff(sample, string(parse(t, sample).Format())); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	})
	t.Run("writes the same whatever the order of the source", func(t *testing.T) {
		t.Parallel()
		var v any
		if err := json.Unmarshal([]byte(sample), &v); err != nil {
			t.Fatal(err)
		}
		sorted, err := json.Marshal(v) // by name, on one line
		if err != nil {
			t.Fatal(err)
		}
		var formats []string
		for _, source := range []string{sample, string(sorted)} {
			m := parse(t, source)
			for _, d := range m.Catalogs[0].Documents[0].Decisions {
				d.Changed()
			}
			formats = append(formats, string(m.Format()))
		}
		if diff := cmp.Diff(formats[0], formats[1]); diff != "" {
			t.Errorf("-from sample +from sorted:\n%s", diff)
		}
		if again := string(parse(t, formats[0]).Format()); again != formats[0] {
			t.Errorf("formatting twice differs:\n%s", cmp.Diff(formats[0], again))
		}
	})
	t.Run("writes a changed decision on one line", func(t *testing.T) {
		t.Parallel()
		m := parse(t, sample)
		d := m.Catalogs[0].Documents[0].Decision("POST /a/{id}")
		d.Undecided = true
		d.Changed()
		want := `"POST /a/{id}": {"tool": "change_a", "scope": "shop:write", "effect": "write", "body": "raw", "undecided": true},`
		if got := string(m.Format()); !strings.Contains(got, want) {
			t.Errorf("no line %s in\n%s", want, got)
		}
	})
	if d := m.Catalogs[0].Documents[0].Decision("GET /a/{id}"); d.Pos != (spec.Pos{File: "manifest.json", Line: 14, Col: 11}) {
		t.Errorf("decision stands at %v", d.Pos)
	}
}

// clause: E-01
func TestParseReportsEverythingAtOnce(t *testing.T) {
	t.Parallel()
	const source = `{
  "catalog": {},
  "catalogs": {
    "Shop": {"binding": "rpc", "limits": {"reply": "1"}, "documents": {"a": {"file": "x"}}, "operations": {
      "a": {"get /x": {"tool": 1, "was": ["a", "a"], "effect": "read"}, "GET /y": {"effect": "reads", "undecided": "yes"}},
      "b": {"GET /z": []}
    }}
  }
}`
	_, err := Parse("manifest.json", []byte(source))
	want := []string{
		`2:3: unknown member "catalog" in the manifest`,
		`4:5: catalog name "Shop" is not allowed`,
		`4:25: "binding" cannot be "rpc"`,
		`4:52: "reply" must be a positive number of bytes`,
		`4:77: missing "files"`,
		`4:78: unknown member "file" in a document`,
		`5:13: "get /x" is no operation`,
		`5:32: "tool" must be a string`,
		`5:48: "a" stands twice in "was"`,
		`5:94: "effect" cannot be "reads"`,
		`5:116: "undecided" must be true or false`,
		`6:7: operations of "b", which is no document of catalog "Shop"`,
		`6:23: a decision must be an object`,
	}
	var got []string
	for _, p := range err.(spec.Problems) {
		got = append(got, strings.TrimPrefix(p.Pos.String(), "manifest.json:")+": "+p.Message)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// clause: E-01
func TestParseRefusesASecondDecision(t *testing.T) {
	t.Parallel()
	source := strings.Replace(sample, `"GET /b":`, `"GET /a/{id}": {"exclude": "session"}, "GET /b":`, 1)
	_, err := Parse("manifest.json", []byte(source))
	if err == nil || !strings.Contains(err.Error(), "GET /a/{id}") {
		t.Errorf("a second decision on one operation: %v", err)
	}
}

// What reads a manifest differently from a JSON parser is no manifest: a reviewer
// and a tool would see other decisions.
//
// clause: E-01
func TestParseTakesOnlyJSON(t *testing.T) {
	t.Parallel()
	for _, source := range []string{
		"catalogs: {}\n",
		`{"catalogs": {},}`,
		"{\"catalogs\": {} # none\n}",
		`{catalogs: {}}`,
		`{"catalogs": {}} {}`,
	} {
		_, err := Parse("manifest.json", []byte(source))
		if err == nil || !strings.Contains(err.Error(), "not valid JSON") {
			t.Errorf("%s: %v", source, err)
		}
	}
}

func TestSchemaAcceptsWhatParseAccepts(t *testing.T) {
	t.Parallel()
	compiler := jsonschema.NewCompiler()
	compiler.Draft = jsonschema.Draft2020
	if err := compiler.AddResource("manifest", bytes.NewReader(Schema)); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("manifest")
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal([]byte(sample), &v); err != nil {
		t.Fatal(err)
	}
	if err := compiled.Validate(v); err != nil {
		t.Errorf("%#v", err)
	}
	if err := compiled.Validate(map[string]any{"catalogs": map[string]any{"a": 1}}); err == nil {
		t.Error("a catalog that is a number is valid")
	}
}

func parse(t *testing.T, source string) *Manifest {
	t.Helper()
	m, err := Parse("manifest.json", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// FuzzParse holds that no input breaks the parser, and that whatever it
// accepts has a canonical form that it accepts too.
func FuzzParse(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte(`{"catalogs": {}}`))
	f.Add([]byte(`{"catalogs": {"a": {"binding": "http", "documents": {"a": {"files": []}}, "operations": {"a": {"GET /": {}}}}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Parse("manifest.json", data)
		if err != nil {
			return
		}
		first := m.Format()
		again, err := Parse("manifest.json", first)
		if err != nil {
			t.Fatalf("the canonical form is refused: %v\n%s", err, first)
		}
		if second := again.Format(); !bytes.Equal(first, second) {
			t.Errorf("formatting twice differs:\n%s\n%s", first, second)
		}
	})
}
