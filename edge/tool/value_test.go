package tool_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/tool"
)

func ptr[T any](v T) *T { return &v }

// TestValues has every Go type of a generated parameter and the spellings that
// must survive.
//
// clause: E-52
func TestValues(t *testing.T) {
	t.Parallel()
	type level string
	for name, tt := range map[string]struct {
		value any
		want  string
	}{
		"string":                 {"a", "a"},
		"pointer":                {ptr("a"), "a"},
		"pointer to empty":       {ptr(""), ""},
		"bool":                   {true, "true"},
		"bool pointer":           {ptr(false), "false"},
		"int64":                  {int64(9007199254740993), "9007199254740993"},
		"int64 pointer":          {ptr(int64(-9223372036854775808)), "-9223372036854775808"},
		"number":                 {json.Number("0.10"), "0.10"},
		"number pointer":         {ptr(json.Number("1e21")), "1e21"},
		"raw large":              {json.RawMessage(`9007199254740993`), "9007199254740993"},
		"raw exponent":           {json.RawMessage(`1e21`), "1e21"},
		"raw exponent with sign": {json.RawMessage(`1E+21`), "1E%2B21"},
		"raw trailing zero":      {json.RawMessage(`0.10`), "0.10"},
		"raw minus zero":         {json.RawMessage(`-0`), "-0"},
		"raw bool":               {json.RawMessage(`true`), "true"},
		"raw string":             {json.RawMessage(` "a" `), "a"},
		"raw escapes":            {json.RawMessage(`"\u00e9\ud83d\ude00\/"`), "%C3%A9%F0%9F%98%80%2F"},
		"float64":                {1.5, "1.5"},
		"int32":                  {int32(7), "7"},
		"named string":           {level("high"), "high"},
		"time": {time.Date(2026, 11, 30, 12, 0, 0, 0, time.FixedZone("", 3600)),
			"2026-11-30T12%3A00%3A00%2B01%3A00"},
		"numbers":      {[]int64{1, 9007199254740993}, "1,9007199254740993"},
		"exact":        {[]json.Number{"0.10", "1e21"}, "0.10,1e21"},
		"bools":        {[]bool{true, false}, "true,false"},
		"pointers":     {[]*string{ptr("a"), nil, ptr("b")}, "a,b"},
		"slice ptr":    {&[]string{"a", "b"}, "a,b"},
		"nulls inside": {json.RawMessage(`["a",null,"b"]`), "a,b"},
		"map":          {map[string]any{"b": 1, "a": "<&>"}, "a,%3C%26%3E,b,1"},
		"inner":        {json.RawMessage(`["a", {"b": 0.10}, [1, 2]]`), "a,%7B%22b%22%3A0.10%7D,%5B1%2C2%5D"},
		"utf-8":        {"ü/日本", "%C3%BC%2F%E6%97%A5%E6%9C%AC"},
		"space, plus":  {"a b+c", "a%20b%2Bc"},
		"encoded":      {"%2F", "%252F"},
		"separators":   {"a&b=c#d?e;f", "a%26b%3Dc%23d%3Fe%3Bf"},
		"control":      {"a\r\n\x00b", "a%0D%0A%00b"},
		"comma":        {[]string{"a,b", "c"}, "a%2Cb,c"},
		"unreserved":   {"azAZ09-._~", "azAZ09-._~"},
	} {
		got, err := send(t, "query", "q", tool.Form, tt.value)
		if err != nil || got != "q="+tt.want {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, "q="+tt.want)
		}
	}
	for name, value := range map[string]any{
		"nulls":          json.RawMessage(`[null]`),
		"null members":   json.RawMessage(`{"a":null}`),
		"empty number":   json.Number(""),
		"nil number":     (*json.Number)(nil),
		"nil bool":       (*bool)(nil),
		"nil int":        (*int64)(nil),
		"nil map":        map[string]string(nil),
		"nil of another": (*time.Time)(nil),
	} {
		if got, err := send(t, "query", "q", tool.Form, value); err != nil || got != "" {
			t.Errorf("%s: got %q, %v, want nothing", name, got, err)
		}
	}
	for name, value := range map[string]any{
		"bytes that are not UTF-8":         "\xff",
		"bytes in an array":                []string{"a", "\xc0\xae"},
		"number text that is none":         json.RawMessage(`1x`),
		"an open array":                    json.RawMessage(`[1`),
		"an open object":                   json.RawMessage(`{"a":1`),
		"a value that JSON does not write": func() {},
	} {
		var argument *tool.ArgumentError
		if got, err := send(t, "query", "q", tool.Form, value); !errors.As(err, &argument) {
			t.Errorf("%s: got %q, %v, want a refusal", name, got, err)
		}
	}
}

// TestReserved shows what allowReserved leaves as it is, and what it must not.
func TestReserved(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		style tool.Style
		value any
		want  string
	}{
		{tool.Form, ":/?@!$'()*,;=", "q=%3A%2F%3F%40%21%24%27%28%29%2A%2C%3B%3D"},
		{tool.Form | tool.Reserved, ":/?@!$'()*,;=", "q=:/?@!$'()*,;="},
		{tool.Form | tool.Reserved, "#[]&+", "q=%23%5B%5D%26%2B"},
		{tool.Form | tool.Reserved, "%2F ü", "q=%252F%20%C3%BC"},
		{tool.Form | tool.Reserved | tool.Explode, []string{"a/b", "c&d=e"}, "q=a/b&q=c%26d=e"},
		{tool.DeepObject | tool.Reserved, json.RawMessage(`{"a=b":"c/d"}`), "q%5Ba%3Db%5D=c/d"},
	} {
		if got, err := send(t, "query", "q", tt.style, tt.value); err != nil || got != tt.want {
			t.Errorf("style %#x of %v: got %q, %v, want %q", tt.style, tt.value, got, err, tt.want)
		}
	}
}

// TestDeepObject goes one level deep, with arrays as repeated keys (fault I22).
func TestDeepObject(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		`{"eq":"x"}`:                       "filter[eq]=x",
		`{"a":[1,2.50,null],"b":null}`:     "filter[a]=1&filter[a]=2.50",
		`{"a":[],"b":true}`:                "filter[b]=true",
		`{"b":true,"a":[],"c":"x y","":0}`: "filter[b]=true&filter[c]=x y&filter[]=0",
		`{"a":[]}`:                         "",
		`{"a&b":"c=d","ü":""}`:             "filter[a&b]=c=d&filter[ü]=",
	} {
		r := tool.NewRequest(http.MethodGet, base, "/x", "a=1")
		r.Query("filter", tool.DeepObject|tool.Explode, json.RawMessage(value))
		r.Query("z", tool.Form, "1")
		request, err := r.Build()
		if err != nil {
			t.Fatal(err)
		}
		if want != "" {
			want = "&" + want
		}
		decoded, _ := url.QueryUnescape(request.URL.RawQuery)
		if decoded != "a=1"+want+"&z=1" {
			t.Errorf("%s: got %q, want %q", value, decoded, want)
		}
	}
	for _, value := range []string{`{"a":{"b":1}}`, `{"a":[{"b":1}]}`, `{"a":[[1]]}`} {
		if got, err := send(t, "query", "filter", tool.DeepObject, json.RawMessage(value)); err == nil {
			t.Errorf("%s: got %q, want a refusal", value, got)
		}
	}
}

// TestNames writes names with brackets and in any script in every place that
// can have them.
//
// clause: E-53
func TestNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in, name string
		style    tool.Style
		want     string
	}{
		{"query", "filter[name]", tool.Form, "filter%5Bname%5D=v"},
		{"query", "größe", tool.Form, "gr%C3%B6%C3%9Fe=v"},
		{"query", "a b&c=d", tool.Form, "a%20b%26c%3Dd=v"},
		{"query", "$top", tool.Form, "%24top=v"},
		{"path", "größe", tool.Matrix, ";gr%C3%B6%C3%9Fe=v"},
		{"path", "filter[name]", tool.Simple, "v"},
		{"cookie", "größe", tool.Form, "gr%C3%B6%C3%9Fe=v"},
		{"cookie", "a;b=c", tool.Form, "a%3Bb%3Dc=v"},
		{"cookie", "__Host-x!", tool.Form, "__Host-x!=v"},
		{"header", "X-A_b.c!", tool.Simple, "v"},
	} {
		if got, err := send(t, tt.in, tt.name, tt.style, "v"); err != nil || got != tt.want {
			t.Errorf("%s %s: got %q, %v, want %q", tt.in, tt.name, got, err, tt.want)
		}
	}
	if got, err := send(t, "cookie", "c", tool.Form, "a; d=e\r\nx"); err != nil || got != "c=a%3B%20d%3De%0D%0Ax" {
		t.Errorf("a cookie's value: got %q, %v", got, err)
	}
}

// FuzzQuery proves that a query holds the parameters it was given and no other:
// what a server decodes is what was sent.
//
// clause: E-52
func FuzzQuery(f *testing.F) {
	for _, tt := range hostile {
		f.Add("q", tt.value)
		f.Add(tt.value, "v")
	}
	f.Fuzz(func(t *testing.T, name, value string) {
		if !utf8.ValidString(name) || !utf8.ValidString(value) {
			return
		}
		for _, flags := range []tool.Style{0, tool.Explode, tool.Reserved} {
			got, err := send(t, "query", name, tool.Form|flags, value)
			if err != nil {
				t.Fatal(err)
			}
			if flags == tool.Reserved {
				got = strings.ReplaceAll(got, ";", "%3B") // which url.ParseQuery takes for a fault
			}
			values, err := url.ParseQuery(got)
			if diff := cmp.Diff(url.Values{name: {value}}, values); diff != "" || err != nil {
				t.Fatalf("%q=%q: %q, %v\n%s", name, value, got, err, diff)
			}
		}
	})
}
