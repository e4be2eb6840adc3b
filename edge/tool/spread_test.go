package tool_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"testing"

	"github.com/pharos-mcp/pharos/edge/tool"
)

// TestSpread has exploded objects, whose members stand beside the parameters:
// none may pass for another one, whether that was given or not.
//
// clause: E-10
func TestSpread(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ value, want string }{
		{`{"a":1,"free":"x"}`, "fixed=1&a=1&free=x"},
		{`{"sort":"x"}`, ""},
		{`{"limit":"x"}`, ""},
		{`{"fixed":"2"}`, ""},
		{`{"dropped":"x"}`, ""},
		{`{"token":"x"}`, "fixed=1&token=x"}, // a cookie's name is no name of the query
	} {
		for _, first := range []bool{true, false} {
			r := tool.NewRequest(http.MethodGet, base, "/x", "fixed=1")
			if first {
				r.Query("free", tool.Form|tool.Explode, json.RawMessage(tt.value))
			}
			r.Query("sort", tool.Form, (*string)(nil))
			r.Query("limit", tool.DeepObject|tool.Explode, json.RawMessage(`null`))
			r.Query("dropped", tool.Form, nil)
			r.Cookie("token", tool.Form, (*string)(nil))
			if !first {
				r.Query("free", tool.Form|tool.Explode, json.RawMessage(tt.value))
			}
			checkSpread(t, r, tt.value, tt.want, func(r *http.Request) string { return r.URL.RawQuery })
		}
	}
	r := tool.NewRequest(http.MethodGet, base, "/x", "")
	r.Cookie("sid", tool.Form, "1")
	r.Cookie("rest", tool.Form|tool.Explode, json.RawMessage(`{"sid":"2"}`))
	checkSpread(t, r, "a cookie", "", func(r *http.Request) string { return r.Header.Get("Cookie") })

	r = tool.NewRequest(http.MethodGet, base, "/x", "")
	r.Query("one", tool.Form|tool.Explode, json.RawMessage(`{"a":"1"}`))
	r.Query("two", tool.Form|tool.Explode, json.RawMessage(`{"a":"2"}`))
	checkSpread(t, r, "two objects", "", func(r *http.Request) string { return r.URL.RawQuery })
}

func checkSpread(t *testing.T, r *tool.RequestBuilder, what, want string, got func(*http.Request) string) {
	t.Helper()
	request, err := r.Build()
	var argument *tool.ArgumentError
	switch {
	case want == "" && !errors.As(err, &argument):
		t.Errorf("%s: got %v, want a refusal", what, err)
	case want != "" && (err != nil || got(request) != want):
		t.Errorf("%s: got %v, %v, want %q", what, request, err, want)
	}
}

// TestSeparable has items that would arrive as several, or as another item.
//
// clause: E-10, E-52
func TestSeparable(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		in    string
		style tool.Style
		value string
	}{
		{"query", tool.SpaceDelimited, `["a b","c"]`},
		{"query", tool.SpaceDelimited, `{"a":"b c"}`},
		{"query", tool.PipeDelimited, `["a|b"]`},
		{"query", tool.PipeDelimited, `{"a|b":1}`},
		{"query", tool.Form | tool.Reserved, `["a,b"]`},
		{"query", tool.DeepObject, `{"a][b":1}`},
		{"path", tool.Label | tool.Explode, `["a.b","c"]`},
		{"path", tool.Label | tool.Explode, `{"v":1.5}`},
		{"header", tool.Simple, `["a,b"]`},
		{"header", tool.Simple, `[" a","b"]`},
		{"header", tool.Simple, `" a"`},
		{"header", tool.Simple, `"a\t"`},
		{"header", tool.Simple, `" "`},
		{"header", tool.Simple | tool.Explode, `{"a ":1}`},
	} {
		var argument *tool.ArgumentError
		if got, err := send(t, tt.in, "p", tt.style, json.RawMessage(tt.value)); !errors.As(err, &argument) {
			t.Errorf("%s %s style %#x: got %q, %v, want a refusal", tt.in, tt.value, tt.style, got, err)
		}
	}
	for _, tt := range []struct {
		in    string
		style tool.Style
		value string
		want  string
	}{
		{"query", tool.SpaceDelimited, `"a b"`, "p=a%20b"},
		{"query", tool.SpaceDelimited | tool.Explode, `["a b"]`, "p=a%20b"},
		{"query", tool.PipeDelimited, `["a b"]`, "p=a%20b"},
		{"query", tool.Form, `["a,b","c"]`, "p=a%2Cb,c"},
		{"query", tool.Form | tool.Explode | tool.Reserved, `["a,b"]`, "p=a,b"},
		{"path", tool.Label | tool.Explode, `"a.b"`, ".a.b"},
		{"path", tool.Label, `["a.b"]`, ".a.b"},
		{"header", tool.Simple, `"a, b"`, "a, b"},
	} {
		if got, err := send(t, tt.in, "p", tt.style, json.RawMessage(tt.value)); err != nil || got != tt.want {
			t.Errorf("%s %s style %#x: got %q, %v, want %q", tt.in, tt.value, tt.style, got, err, tt.want)
		}
	}
}
