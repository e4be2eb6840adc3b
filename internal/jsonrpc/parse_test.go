package jsonrpc_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/internal/jsonrpc"
)

const whole = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"get","arguments":{"a":[1,"x"]},` +
	`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`

func TestParse(t *testing.T) {
	t.Parallel()
	m, err := jsonrpc.Parse([]byte(" " + whole + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	got := []string{string(m.ID), string(m.Tool()), string(m.Arguments), string(m.MetaVersion()), string(m.Params)}
	want := []string{"7", "get", `{"a":[1,"x"]}`, "2026-07-28", whole[strings.Index(whole, `{"name"`) : len(whole)-1]}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !m.Is("tools/call") || m.Is("tools/list") || !m.Regular() || !m.PlainMeta() {
		t.Errorf("the message is not taken for what it is: %+v", m)
	}
}

func nested(depth int) string {
	return `{"id":1,"params":` + strings.Repeat("[", depth-1) + strings.Repeat("]", depth-1) + `}`
}

func TestFaults(t *testing.T) {
	t.Parallel()
	many := func(n int) string { return `{"id":1,"params":[0` + strings.Repeat(",0", n-6) + `]}` } // 5 others
	for name, c := range map[string]struct {
		body string
		want jsonrpc.Fault
		id   string
	}{
		"empty":                {"", jsonrpc.NotJSON, ""},
		"no UTF-8":             {"{\"id\":1,\"method\":\"\xff\"}", jsonrpc.NotJSON, "1"},
		"a byte order mark":    {"\ufeff{\"id\":1}", jsonrpc.NotJSON, ""},
		"cut":                  {`{"id":1,"method":"ping"`, jsonrpc.NotJSON, "1"},
		"trailing bytes":       {`{"id":1,"method":"ping"}x`, jsonrpc.NotJSON, "1"},
		"a second message":     {`{"id":1,"method":"ping"}{"id":2}`, jsonrpc.NotJSON, "1"},
		"a NUL at the end":     {"{\"id\":1}\x00", jsonrpc.NotJSON, "1"},
		"a comma too many":     {`{"id":1,}`, jsonrpc.NotJSON, "1"},
		"a raw control":        {"{\"id\":1,\"method\":\"a\nb\"}", jsonrpc.NotJSON, "1"},
		"a leading zero":       {`{"id":1,"params":[01]}`, jsonrpc.NotJSON, "1"},
		"a string":             {`"ping"`, jsonrpc.NotObject, ""},
		"a batch":              {` [{"id":1}]`, jsonrpc.Batch, ""},
		"32 levels":            {nested(32), "", "1"},
		"33 levels":            {nested(33), jsonrpc.TooDeep, "1"},
		"a million levels":     {strings.Repeat("[", 1_000_000), jsonrpc.Batch, ""},
		"deep, id last":        {`{"params":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `,"id":"x"}`, jsonrpc.TooDeep, `"x"`},
		"20000 tokens":         {many(20_000), "", "1"},
		"20001 tokens":         {many(20_001), jsonrpc.TooMany, "1"},
		"a request and reply":  {`{"id":1,"method":"a","result":{}}`, jsonrpc.Both, "1"},
		"a request and error":  {`{"error":{},"id":1,"method":"a"}`, jsonrpc.Both, "1"},
		"a reply":              {`{"id":1,"result":{}}`, "", "1"},
		"a method twice":       {`{"id":1,"method":"a","method":"b"}`, jsonrpc.Twice, "1"},
		"a method escaped":     {`{"id":1,"method":"a","\u006dethod":"b"}`, jsonrpc.Twice, "1"},
		"an id twice":          {`{"id":1,"id":2}`, jsonrpc.Twice, ""},
		"a name twice":         {`{"id":1,"params":{"name":"a","name":"b"}}`, jsonrpc.Twice, "1"},
		"arguments twice":      {`{"params":{"arguments":{},"arguments":{}},"id":1}`, jsonrpc.Twice, "1"},
		"a version twice":      {strings.Replace(whole, `"_meta":{`, `"_meta":{"io.modelcontextprotocol/protocolVersion":"x",`, 1), jsonrpc.Twice, "7"},
		"Method":               {`{"id":1,"Method":"a"}`, jsonrpc.WrongCase, "1"},
		"param\u017f":          {"{\"id\":1,\"param\u017f\":{}}", jsonrpc.WrongCase, "1"},
		"Name":                 {`{"id":1,"params":{"name":"a","Name":"b"}}`, jsonrpc.WrongCase, "1"},
		"Name escaped":         {`{"id":1,"params":{"N\u0061me":"b"}}`, jsonrpc.WrongCase, "1"},
		"_Meta":                {`{"id":1,"params":{"_Meta":{}}}`, jsonrpc.WrongCase, "1"},
		"protocolversion":      {`{"id":1,"params":{"_meta":{"io.modelcontextprotocol/protocolversion":""}}}`, jsonrpc.WrongCase, "1"},
		"a fraction as id":     {`{"id":1.5,"method":"a"}`, jsonrpc.WrongID, ""},
		"a huge id":            {`{"id":9007199254740993,"method":"a"}`, jsonrpc.WrongID, ""},
		"the largest id":       {`{"id":9007199254740991,"method":"a"}`, "", "9007199254740991"},
		"an object as id":      {`{"id":{},"method":"a"}`, jsonrpc.WrongID, ""},
		"no id":                {`{"id":null,"method":"a"}`, "", "null"},
		"half a pair as id":    {`{"id":"\ud800","method":"a"}`, jsonrpc.WrongID, ""},
		"a pair as id":         {`{"id":"\ud83d\ude00","method":"a"}`, "", `"\ud83d\ude00"`},
		"two halves as name":   {`{"id":1,"params":{"name":"\ude00\ud83d"}}`, jsonrpc.HalfPair, "1"},
		"an id in params":      {`{"params":{"id":2},"id":1,"Method":""}`, jsonrpc.WrongCase, "1"},
		"an id in a string":    {`{"x":"\",\"id\":3","id":1,"Method":""}`, jsonrpc.WrongCase, "1"},
		"other names as often": {`{"id":1,"x":1,"x":2,"params":{"y":1,"y":2}}`, "", "1"},
	} {
		m, err := jsonrpc.Parse([]byte(c.body))
		var got jsonrpc.Fault
		errors.As(err, &got)
		if got != c.want || string(m.ID) != c.id {
			t.Errorf("%s: got %q, id %q; want %q, id %q", name, got, m.ID, c.want, c.id)
		}
	}
}

func TestRegular(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		`{"jsonrpc":"2.0","id":1,"method":"a"}`:                                     true,
		`{"jsonrpc":"2.0","id":-1,"method":"a","params":{}}`:                        true,
		`{"jsonrpc":"2.0","id":0,"method":"a","params":{"name":"n"}}`:               true,
		`{"jsonrpc":"2.0","id":"x/1 <","method":"a"}`:                               true,
		`{"jsonrpc":"2.0","id":1,"method":"a","params":{"arguments":{"cursor":1}}}`: true,

		`{"jsonrpc":"2.0","method":"a"}`:                                    false,
		`{"jsonrpc":"2.0","id":null,"method":"a"}`:                          false,
		`{"jsonrpc":"2.0","id":-0,"method":"a"}`:                            false,
		`{"jsonrpc":"2.0","id":1.0,"method":"a"}`:                           false,
		`{"jsonrpc":"2.0","id":1e1,"method":"a"}`:                           false,
		`{"jsonrpc":"2.0","id":1234567890123456,"method":"a"}`:              false,
		`{"jsonrpc":"2.0","id":"é","method":"a"}`:                           false,
		`{"jsonrpc":"2.0","id":"\u0061","method":"a"}`:                      false,
		`{"jsonrpc":"1.0","id":1,"method":"a"}`:                             false,
		`{"jsonrpc":"2\u002e0","id":1,"method":"a"}`:                        false,
		`{"id":1,"method":"a"}`:                                             false,
		`{"jsonrpc":"2.0","id":1}`:                                          false,
		`{"jsonrpc":"2.0","id":1,"method":null}`:                            false,
		`{"jsonrpc":"2.0","id":1,"method":"\u0061"}`:                        false,
		`{"jsonrpc":"2.0","id":1,"result":1}`:                               false,
		`{"jsonrpc":"2.0","id":1,"method":"a","x":1}`:                       false,
		`{"jsonrpc":"2.0","id":1,"method":"a","params":null}`:               false,
		`{"jsonrpc":"2.0","id":1,"method":"a","params":[]}`:                 false,
		`{"jsonrpc":"2.0","id":1,"method":"a","params":{"cursor":""}}`:      false,
		`{"jsonrpc":"2.0","id":1,"method":"a","params":{"name":null}}`:      false,
		`{"jsonrpc":"2.0","id":1,"method":"a","params":{"name":"\u0061"}}`:  false,
		`{"jsonrpc":"2.0","id":1,"method":"a","params":{"arguments":null}}`: false,
		`{"jsonrpc":"2.0","id":1,"method":"a","params":{"arguments":[]}}`:   false,
		`{"jsonrpc":"2.0","id":1,"method":"a","params":{"arguments":"{}"}}`: false,
	} {
		m, err := jsonrpc.Parse([]byte(body))
		if err != nil || m.Regular() != want {
			t.Errorf("%s: regular %v, error %v; want %v", body, m.Regular(), err, want)
		}
	}
	for meta, want := range map[string]bool{
		`{"io.modelcontextprotocol/protocolVersion":"x"}`:                                             true,
		`{"io.modelcontextprotocol/clientInfo":1,"io.modelcontextprotocol/protocolVersion":"x"}`:      true,
		`{"io.modelcontextprotocol/protocolVersion":"x","progressToken":1,"traceparent":"00-a-b-01"}`: true,
		`{"io.modelcontextprotocol/protocolVersion":"x","progressToken":1.5}`:                         false,
		`{"io.modelcontextprotocol/protocolVersion":"x","io.modelcontextprotocol/logLevel":"debug"}`:  false,
		`{"io.modelcontextprotocol/protocolVersion":"\u0078"}`:                                        false,
		`{"io.modelcontextprotocol/protocolVersion":1}`:                                               false,
		`{}`: false, `null`: false, `[]`: false,
	} {
		m, err := jsonrpc.Parse([]byte(`{"params":{"_meta":` + meta + `}}`))
		if err != nil || m.PlainMeta() != want {
			t.Errorf("%s: plain %v, error %v; want %v", meta, m.PlainMeta(), err, want)
		}
	}
	for meta, want := range map[string]bool{
		`{}`: true, `{"progressToken":1}`: true, `{"progressToken":"a-1","note/id":"x"}`: true, `{"n":-7}`: true,

		`null`: false, `[]`: false, `"x"`: false,
		`{"progressToken":1.5}`: false, `{"progressToken":1e999}`: false, `{"progressToken":9007199254740993}`: false,
		`{"progressToken":true}`: false, `{"progressToken":null}`: false, `{"progressToken":{}}`: false,
		`{"progressToken":"\u0061"}`: false, `{"progress\u0054oken":1}`: false, `{"n":"\n"}`: false, `{"n":{"a\u0062":1}}`: false,
		`{"n":[1e1]}`: false, `{"n":{"x":1E1}}`: false, `{"n":-12345678901234}`: true, `{"n":[-123456789012345]}`: false,
		`{"n":"é","place":{"city":"Zürich","at":[47.37, -8.54 ,null,true]} , "x" : "1e999"}`: true, `{"n":{}}`: true, `{"n":[]}`: true,
		`{"io.modelcontextprotocol/protocolVersion":"2025-11-25"}`: false, `{"io.modelcontextprotocol/logLevel":"debug"}`: false,
	} {
		m, err := jsonrpc.Parse([]byte(`{"params":{"_meta":` + meta + `}}`))
		if err != nil || m.QuietMeta() != want {
			t.Errorf("%s: quiet %v, error %v; want %v", meta, m.QuietMeta(), err, want)
		}
	}
	if m, err := jsonrpc.Parse([]byte(`{"params":{}}`)); err != nil || !m.QuietMeta() {
		t.Errorf("no _meta: quiet %v, error %v", m.QuietMeta(), err)
	}
}

func TestParseAllocatesNothing(t *testing.T) {
	bodies := [][]byte{[]byte(whole), []byte(`{"\u0069d":1,"unknown":"\ud83d\ude00","params":{"name":"\u0061"}}`)}
	if n := testing.AllocsPerRun(100, func() {
		for _, body := range bodies {
			if _, err := jsonrpc.Parse(body); err != nil {
				t.Fatal(err)
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// FuzzParse compares with encoding/json: what is accepted is JSON, and its
// slices are what a decoder finds under the same names.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{whole, `{"\u0069d":"\ud83d\ude00","params":{"n\u0061me":"x"}} `, nested(32), `[]`, `{"id":1e2,"id ":-0.0E+1}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := jsonrpc.Parse(body)
		valid := utf8.Valid(body) && json.Valid(body)
		if err == nil && !valid || err == jsonrpc.NotJSON && valid {
			t.Fatalf("error %v, but JSON: %v", err, valid)
		}
		if err != nil {
			return
		}
		var envelope, params, meta map[string]json.RawMessage
		if json.Unmarshal(body, &envelope) != nil {
			t.Fatal("not an object")
		}
		_ = json.Unmarshal(envelope["params"], &params)
		_ = json.Unmarshal(params["_meta"], &meta)
		for name, got := range map[string][2][]byte{
			"id": {envelope["id"], m.ID}, "method": {envelope["method"], m.Method}, "params": {envelope["params"], m.Params},
			"name": {params["name"], m.Name}, "arguments": {params["arguments"], m.Arguments}, "_meta": {params["_meta"], m.Meta},
			"version": {meta["io.modelcontextprotocol/protocolVersion"], m.Version},
		} {
			if !bytes.Equal(got[0], got[1]) {
				t.Errorf("%s is %q, want %q", name, got[1], got[0])
			}
		}
		if id := jsonrpc.ID(body); m.ID != nil && m.ID[0] != 'n' && id != nil && !bytes.Equal(id, m.ID) {
			t.Errorf("the id is %q, want %q", id, m.ID)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	body := []byte(whole)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		_, _ = jsonrpc.Parse(body)
	}
}
