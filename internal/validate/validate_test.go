package validate

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/tool"
)

// catalog is one tool with those schemas.
func catalog(t testing.TB, input, output string) tool.Catalog {
	t.Helper()
	data, err := json.Marshal(map[string]any{
		"name": "do_it", "title": "Do it", "description": "Does it.",
		"annotations": map[string]any{"readOnlyHint": true},
		"inputSchema": json.RawMessage(input), "outputSchema": json.RawMessage(output),
	})
	if err != nil {
		t.Fatal(err)
	}
	return tool.Catalog{
		Operations: []tool.Operation{{Tool: "do_it", Replies: []tool.Reply{
			{Status: "200", Schema: "It"}, {Status: "204"}, {Status: "4XX", Schema: "Problem"},
			{Status: "default", Schema: "Other"},
		}}},
		Schemas: fstest.MapFS{"schemas/do_it.json": {Data: data}},
	}
}

const input = `{
	"type": "object", "additionalProperties": false, "required": ["body"],
	"properties": {
		"path": {"type":"object","additionalProperties":false,"properties":{"id":{"type":"string"}}},
		"body": {"$ref":"#/$defs/Body"}
	},
	"$defs": {
		"Body": {"type":"object","additionalProperties":false,"required":["title"],"properties":{
			"title": {"type":"string","minLength":2,"maxLength":5,"pattern":"^[a-z]+$"},
			"count": {"type":"integer","minimum":1,"maximum":9007199254740993},
			"price": {"type":"number","multipleOf":0.01,"exclusiveMinimum":0},
			"level": {"enum":[0,1,"high",null]},
			"kind": {"const":"x"},
			"tags": {"type":"array","items":{"type":"string"},"maxItems":2,"uniqueItems":true},
			"extra": {"type":"object","additionalProperties":{"type":"boolean"}},
			"next": {"$ref":"#/$defs/Body"},
			"any": true,
			"either": {"anyOf":[{"type":"string"},{"$ref":"#/$defs/Body"},{"type":"null"}]},
			"one": {"oneOf":[{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false},
				{"type":"object","properties":{"b":{"type":"string"}},"required":["b"],"additionalProperties":false}]},
			"both": {"allOf":[{"properties":{"a":{"type":"string"}}},{"properties":{"b":{"type":"string"}}}],
				"unevaluatedProperties":false}
		}}
	}
}`

// I32: an object sent as the text of one is refused with the place and what
// was expected.
//
// clause: E-10
func TestArguments(t *testing.T) {
	t.Parallel()
	c := catalog(t, input, `{}`)
	s := New(c)
	body := func(members string) string { return `{"body":{"title":"abc",` + members + `}}` }
	for _, tc := range []struct{ arguments, want string }{
		{`{"body":{"title":"abc"}}`, ""},
		{body(`"count":9007199254740993,"price":0.1,"level":null,"kind":"x","tags":[],"next":{"title":"ab"}`), ""},
		{body(`"count":1.0,"level":1e0,"price":12345678901234567890.12`), ""},
		{body(`"any":{"x":[1]},"extra":{"a":true},"either":null,"one":{"b":""},"both":{"a":"","b":""}`), ""},
		{body(`"either":{"title":"ab"}`), ""},

		{`{"body":"{\"title\":\"t\"}"}`, `/body: expected an object, got a string; send the value itself, not JSON in a string`},
		{`{}`, `missing "body"`},
		{`[]`, `expected an object, got an array`},
		{`{"body":{"title":"abc"},"header":{}}`, `unknown member "header"; known: body, path`},
		{body(`"titel":"x"`), `/body: unknown member "titel"; known: any, both, count, either, extra, kind, level, next, one, price, tags, title`},
		{body(`"count":9007199254740994`), `/body/count: expected a number of at most 9007199254740993`},
		{body(`"count":0.5`), `/body/count: expected an integer, got a number`},
		{body(`"price":0.001`), `/body/price: expected a multiple of 0.01`},
		{body(`"price":0`), `/body/price: expected a number of more than 0`},
		{body(`"level":2`), `/body/level: expected one of 0, 1, "high", null`},
		{body(`"kind":"y"`), `/body/kind: expected "x"`},
		{body(`"tags":["a","a"]`), `/body/tags: expected items that differ from each other`},
		{body(`"tags":["a",1,null]`), `/body/tags: expected at most 2 items; /body/tags/1: expected a string, got a number; /body/tags/2: expected a string, got null`},
		{body(`"extra":{"a~/b":1}`), `/body/extra/a~0~1b: expected a boolean, got a number`},
		{body(`"either":1`), `/body/either: expected null or an object or a string, got a number`},
		{body(`"either":{"title":"x"}`), `/body/either/title: expected at least 2 characters`},
		{body(`"one":{"a":1}`), `/body/one/a: expected a string, got a number`},
		{body(`"one":{}`), `/body/one: missing "a"`},
		{body(`"both":{"a":"","c":1}`), `/body/both: unknown member "c"; known: a, b`},
		{body(`"both":{"a":1,"c":1}`), `/body/both/a: expected a string, got a number`},
		{`{"body":{"title":"A"}}`, `/body/title: expected at least 2 characters; /body/title: expected a string that matches ^[a-z]+$`},
		{`{"body":{"title":"abc","next":{"title":"ab","next":{}}}}`, `/body/next/next: missing "title"`},

		{`{"body":{"title":"abc","title":"abd"}}`, `/body/title: the member stands twice`},
		{`{"body":{"title":"abc","titl\u0065":"abd"}}`, `/body/title: the member stands twice`},
		{`{"body":{"title":"abc"}} x`, `this is not one JSON value in UTF-8`},
		{body(`"any":["\ud83d\ude00","\\ud800"]`), ``},
		{body(`"any":["\ud83d"]`), `/body/any/0: a string holds half of a surrogate pair`},
		{body(`"any":"\ude00\ud83d"`), `/body/any: a string holds half of a surrogate pair`},
		{body(`"any":"\ud83d\n"`), `/body/any: a string holds half of a surrogate pair`},
		{body(`"any":{"\uD83D":1}`), `/body/any: a string holds half of a surrogate pair`},
		{"{\"body\":{\"title\":\"\xff\"}}", `this is not one JSON value in UTF-8`},
		{body(`"count":1e1000000000`), `/body/count: the exponent of the number is beyond 400`},
		{body(`"count":1` + strings.Repeat("0", 1000)), `/body/count: the number has more than 1000 digits`},
	} {
		got := ""
		if err := s.Arguments(&c.Operations[0], []byte(tc.arguments)); err != nil {
			got = err.Error()
		}
		if got != tc.want {
			t.Errorf("%s:\n got %s\nwant %s", tc.arguments, got, tc.want)
		}
	}
}

func TestErrorsAreBounded(t *testing.T) {
	t.Parallel()
	c := catalog(t, `{"type":"object","additionalProperties":{"type":"integer"}}`, `{}`)
	var members []string
	for i := range 100 {
		members = append(members, fmt.Sprintf("%q:%q", fmt.Sprint(strings.Repeat("é", 40000), i), "secret"))
	}
	err := New(c).Arguments(&c.Operations[0], []byte("{"+strings.Join(members, ",")+"}"))
	m, ok := errors.AsType[*Mismatch](err)
	if !ok || len(m.Problems) > maxProblems {
		t.Fatalf("%d problems, want at most %d", len(m.Problems), maxProblems)
	}
	if text := err.Error(); len(text) > maxText+4 || strings.Contains(text, "secret") {
		t.Errorf("the error has %d bytes or quotes a value: %.200s", len(text), text)
	}
	deep := strings.Repeat("[", 600) + strings.Repeat("]", 600)
	if err := New(c).Arguments(&c.Operations[0], []byte(deep)); err == nil || len(err.Error()) > maxText+4 ||
		!strings.Contains(err.Error(), "/0/0") {
		t.Errorf("600 levels: %v", err)
	}
}

// Alternatives within alternatives, in a schema that leads back to itself,
// would double the work at each level.
func TestEffortIsBounded(t *testing.T) {
	t.Parallel()
	c := catalog(t, `{"type":"object","properties":{"e":{"$ref":"#/$defs/E"}},"$defs":{"E":{"anyOf":[
		{"properties":{"k":{"const":"and"},"of":{"$ref":"#/$defs/E"}},"required":["k"]},
		{"properties":{"k":{"const":"or"},"of":{"$ref":"#/$defs/E"}},"required":["k"]},
		{"properties":{"k":{"const":"not"},"of":{"$ref":"#/$defs/E"}},"required":["k"]}
	]}}}`, `{}`)
	s := New(c)
	nest := func(inner string) []byte {
		return []byte(`{"e":` + strings.Repeat(`{"k":"not","of":`, 300) + inner + strings.Repeat(`}`, 300) + `}`)
	}
	if err := s.Arguments(&c.Operations[0], nest(`{"k":"or"}`)); err != nil {
		t.Errorf("a good value: %v", err)
	}
	if err := s.Arguments(&c.Operations[0], nest(`{"k":"xor"}`)); err == nil {
		t.Error("a bad value is accepted")
	}
}

func TestCompiledOnce(t *testing.T) {
	t.Parallel()
	c := catalog(t, input, `{"$defs":{"It":{"type":"object"}}}`)
	s := New(c)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			if err := s.Arguments(&c.Operations[0], []byte(`{"body":{"title":"abc"}}`)); err != nil {
				t.Error(err)
			}
			if _, _, err := s.Reply(&c.Operations[0], 200, []byte(`{}`)); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	first, _ := s.tools["do_it"].compiled()
	if again, _ := s.tools["do_it"].compiled(); again != first {
		t.Error("the schemas were compiled again")
	}
}

func TestFaultsOfTheCatalog(t *testing.T) {
	t.Parallel()
	c := catalog(t, `{"type":7}`, `{}`)
	op := &c.Operations[0]
	var m *Mismatch
	if err := New(c).Arguments(op, []byte(`{}`)); err == nil || errors.As(err, &m) {
		t.Errorf("a schema that does not compile: %v", err)
	}
	c = catalog(t, `{"$ref":"https://example.org/schema"}`, `{}`)
	if err := New(c).Arguments(op, []byte(`{}`)); err == nil || errors.As(err, &m) {
		t.Errorf("a schema that refers elsewhere: %v", err)
	}
	if err := New(c).Arguments(&tool.Operation{Tool: "other"}, []byte(`{}`)); !errors.Is(err, tool.ErrUnknown) {
		t.Errorf("an operation of another catalog: %v", err)
	}
	c.Schemas = fstest.MapFS{}
	if err := New(c).Arguments(op, []byte(`{}`)); err == nil {
		t.Error("a catalog without schema files is accepted")
	}
}

func TestTool(t *testing.T) {
	t.Parallel()
	c := catalog(t, `{"type":"object"}`, `{"$ref":"#/$defs/It","$defs":{"It":{}}}`)
	got, err := New(c).Tool(&c.Operations[0])
	if err != nil {
		t.Fatal(err)
	}
	want := Tool{
		Name: "do_it", Title: "Do it", Description: "Does it.", Annotations: Annotations{ReadOnly: true},
		Input: json.RawMessage(`{"type":"object"}`), Output: json.RawMessage(`{"$ref":"#/$defs/It","$defs":{"It":{}}}`),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tool (-want +got):\n%s", diff)
	}
	if Wrapped(got.Output) {
		t.Error("a result that is the root counts as wrapped")
	}
	c = catalog(t, `{}`, `{"type":"object","properties":{"result":{}}}`)
	if got, _ := New(c).Tool(&c.Operations[0]); !Wrapped(got.Output) {
		t.Error("a result in a member is not recognised")
	}
}
