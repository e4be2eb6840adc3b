package validate

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const output = `{"$defs":{
	"It": {"type":"object","required":["id"],"properties":{
		"id": {"type":"integer"},
		"name": {"type":["string","null"]},
		"next": {"$ref":"#/$defs/It"},
		"free": {"type":"object"},
		"none": {"type":"object","properties":{}},
		"map": {"type":"object","additionalProperties":{"properties":{"a":{}}}},
		"open": {"type":"object","properties":{"a":{}},"additionalProperties":true},
		"pattern": {"patternProperties":{"^x-":{"properties":{"a":{}}}}},
		"counts": {"type":"object","additionalProperties":{"type":"integer"}},
		"list": {"type":"array","items":{"properties":{"a":{}}}},
		"pair": {"prefixItems":[{"properties":{"a":{}}}],"items":{"properties":{"b":{}}}},
		"all": {"allOf":[{"properties":{"a":{"properties":{"p":{}}}}},{"properties":{"b":{},"a":{"properties":{"q":{}}}}},{"type":"object"}]},
		"any": {"anyOf":[{"properties":{"k":{"const":1},"a":{}},"required":["k"]},
			{"properties":{"k":{"const":2},"b":{}},"required":["k"]},{"type":"null"}]},
		"condition": {"properties":{"a":{},"b":{}},"anyOf":[{"required":["a"]},{"required":["b"]}]},
		"loose": {"anyOf":[{"type":"object"},{"properties":{"a":{}},"required":["a"]}]},
		"if": {"properties":{"k":{}},"if":{"properties":{"k":{"const":1}}},"then":{"properties":{"a":{}}},"else":{"properties":{"b":{}}}}
	}},
	"Problem": {"properties":{"code":{"type":"string"}}},
	"Other": {"type":"array"}
}}`

// clause: E-17
func TestReply(t *testing.T) {
	t.Parallel()
	c := catalog(t, `{}`, output)
	s := New(c)
	for _, tc := range []struct {
		body    string
		want    string // "" for the body itself
		dropped int
	}{
		{body: `{"id":1}`},
		{body: ` { "name" : null, "id" : 9007199254740993 } `, want: `{ "name" : null, "id" : 9007199254740993 }`},
		{`{"x":1,"id":1.00,"name":"\u00e9","y":[{}]}`, `{"id":1.00,"name":"\u00e9"}`, 2},
		{`{"id":1,"next":{"id":2,"secret":1,"next":{"secret":1,"id":3}}}`, `{"id":1,"next":{"id":2,"next":{"id":3}}}`, 2},
		{body: `{"id":1,"free":{"a":{"b":1}}}`},
		{`{"id":1,"none":{"a":1}}`, `{"id":1,"none":{}}`, 1},
		{`{"id":1,"map":{"k":{"a":1,"b":2}}}`, `{"id":1,"map":{"k":{"a":1}}}`, 1},
		{body: `{"id":1,"open":{"a":1,"b":{"c":1}}}`},
		{`{"id":1,"pattern":{"x-a":{"a":1,"b":1},"y":1}}`, `{"id":1,"pattern":{"x-a":{"a":1}}}`, 2},
		{`{"id":1,"list":[{"a":1},{"b":1},3]}`, `{"id":1,"list":[{"a":1},{},3]}`, 1},
		{`{"id":1,"pair":[{"a":1,"b":1},{"a":1,"b":1}]}`, `{"id":1,"pair":[{"a":1},{"b":1}]}`, 2},
		{`{"id":1,"all":{"a":{"p":1,"q":2,"r":3},"b":{"z":1},"c":1}}`, `{"id":1,"all":{"a":{"p":1,"q":2},"b":{"z":1}}}`, 2},
		{`{"id":1,"any":{"k":1,"a":1,"b":1}}`, `{"id":1,"any":{"k":1,"a":1}}`, 1},
		{`{"id":1,"any":{"k":2,"a":1,"b":1}}`, `{"id":1,"any":{"k":2,"b":1}}`, 1},
		{body: `{"id":1,"any":null}`},
		{`{"id":1,"condition":{"a":1,"c":1}}`, `{"id":1,"condition":{"a":1}}`, 1},
		{body: `{"id":1,"loose":{"a":1,"c":1}}`},
		{`{"id":1,"if":{"k":1,"a":1,"b":1}}`, `{"id":1,"if":{"k":1,"a":1}}`, 1},
		{`{"id":1,"if":{"k":2,"a":1,"b":1}}`, `{"id":1,"if":{"k":2,"b":1}}`, 1},
	} {
		if tc.want == "" {
			tc.want = tc.body
		}
		got, dropped, err := s.Reply(&c.Operations[0], 200, []byte(tc.body))
		if err != nil || string(got) != tc.want || dropped != tc.dropped {
			t.Errorf("%s:\n got %s, %d dropped, %v\nwant %s, %d", tc.body, got, dropped, err, tc.want, tc.dropped)
		}
	}
}

// I11 and I40: null is refused where it is not declared, and a reply off its
// schema is an error that quotes nothing of the reply.
//
// clause: E-17
func TestRepliesThatDoNotFit(t *testing.T) {
	t.Parallel()
	c := catalog(t, `{}`, output)
	s := New(c)
	for _, tc := range []struct{ body, want string }{
		{`{"id":"42"}`, `/id: expected an integer, got a string`},
		{`{"id":null}`, `/id: expected an integer, got null`},
		{`{}`, `missing "id"`},
		{``, `this is not one JSON value in UTF-8`},
		{`{"id":1}{}`, `this is not one JSON value in UTF-8`},
		{`{"id":1,"id":2}`, `/*: the member stands twice`},
		{`{"id":1,"map":{"secret":1},"pattern":{"x-secret":{"a":1}},"list":1}`, `/list: expected an array, got a number`},
		{`{"id":1,"counts":{"secret":"x"}}`, `/counts/*: expected an integer, got a string`},
		{`{"id":1,"any":{"k":"secret"}}`, `/any/k: expected 1`},
	} {
		_, _, err := s.Reply(&c.Operations[0], 200, []byte(tc.body))
		var m *Mismatch
		if !errors.As(err, &m) || err.Error() != tc.want {
			t.Errorf("%s:\n got %v\nwant %s", tc.body, err, tc.want)
		}
	}
}

func TestReplyIsTheDeclaredOne(t *testing.T) {
	t.Parallel()
	c := catalog(t, `{}`, output)
	op := &c.Operations[0]
	for _, tc := range []struct {
		status int
		body   string
		want   string
		err    error
	}{
		{200, `{"id":1,"code":"x"}`, `{"id":1}`, nil},
		{404, `{"id":1,"code":"x"}`, `{"code":"x"}`, nil},
		{500, `[1]`, `[1]`, nil},
		{204, `{}`, ``, ErrUndeclared},
	} {
		got, _, err := New(c).Reply(op, tc.status, []byte(tc.body))
		if string(got) != tc.want || !errors.Is(err, tc.err) {
			t.Errorf("%d: %s, %v; want %s, %v", tc.status, got, err, tc.want, tc.err)
		}
	}
	op.Replies = op.Replies[2:3]
	if _, _, err := New(c).Reply(op, 200, []byte(`{}`)); !errors.Is(err, ErrUndeclared) {
		t.Errorf("200 without a declaration: %v", err)
	}
	c.Bare = true
	op.Replies[0].Status, op.Replies[0].Schema = "201", "It"
	if got, _, err := New(c).Reply(op, 200, []byte(`{"id":1}`)); err != nil || string(got) != `{"id":1}` {
		t.Errorf("a handler's result with status 201: %s, %v", got, err)
	}
}

// FuzzReply holds that a projection is JSON, fits the schema still, keeps only
// what was there and is a fixpoint.
func FuzzReply(f *testing.F) {
	for _, seed := range []string{
		`{"id":1}`, `{"id":1,"next":{"id":2,"x":[]},"any":{"k":1,"b":2}}`, `{"id":1,"all":{"a":{"p":1,"z":2}},"if":{"k":1,"b":1}}`,
		`{"id":-1e2,"map":{"\u0000":{"a":{}}},"list":[[],{}],"loose":{"c":1}}`, `[1]`, `{"id":1,"pattern":{"x-":{"c":1}},"pair":[1,{"a":1}]}`,
	} {
		f.Add([]byte(seed))
	}
	c := catalog(f, `{}`, output)
	s := New(c)
	op := &c.Operations[0]
	f.Fuzz(func(t *testing.T, body []byte) {
		got, dropped, err := s.Reply(op, 200, body)
		if err != nil {
			return
		}
		if dropped == 0 && !bytes.Equal(got, bytes.TrimSpace(body)) {
			t.Fatalf("%q: nothing dropped, and yet %q", body, got)
		}
		again, more, err := s.Reply(op, 200, got)
		if err != nil || more != 0 || !bytes.Equal(again, got) {
			t.Fatalf("%q became %q and that %q, %d dropped, %v", body, got, again, more, err)
		}
		var before, after any
		if json.Unmarshal(body, &before) != nil || json.Unmarshal(got, &after) != nil || !contained(after, before) {
			t.Fatalf("%q became %q, which has more", body, got)
		}
	})
}

// contained reports whether a has nothing that b has not.
func contained(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		for name, v := range a {
			ok = ok && contained(v, b[name])
		}
		return ok
	case []any:
		b, ok := b.([]any)
		ok = ok && len(a) == len(b)
		for i := range a {
			ok = ok && contained(a[i], b[i])
		}
		return ok
	}
	return cmp.Equal(a, b)
}

func TestLargeReply(t *testing.T) {
	t.Parallel()
	c := catalog(t, `{}`, output)
	body := `{"id":1,"list":[` + strings.Repeat(`{"a":"0123456789","b":1},`, 40000) + `{}]}`
	_, dropped, err := New(c).Reply(&c.Operations[0], 200, []byte(body))
	if err != nil || dropped != 40000 {
		t.Errorf("%d dropped, %v", dropped, err)
	}
}
