package tool_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/edge/tool"
)

// hostile are spellings of path values and what the upstream may see of them
// in /v1/items/{id}/close: "" means that the value is refused, also where the
// manifest allows slashes unless slash says otherwise.
var hostile = []struct{ value, want, slash string }{
	// Dots.
	{".", "", ""},
	{"..", "", ""},
	{"...", "...", "..."},
	{".a", ".a", ".a"},
	{"..a", "..a", "..a"},
	{"a..", "a..", "a.."},
	{"%2e", "", ""},
	{"%2E%2E", "", ""},
	{".%2e", "", ""},
	{"%2e.", "", ""},
	{"%252e%252e", "", ""},
	{"%25252e%25252e", "", ""},
	{"..;", "", ""},
	{"..;a=b", "", ""},
	{".;a", "", ""},
	{"..%3b", "", ""},
	{"%2e.;x", "", ""},
	{"a..;", "a..%3B", "a..%3B"},
	{";..", "%3B..", "%3B.."},
	{".. ", "..%20", "..%20"},
	{" ..", "%20..", "%20.."},
	{"..\u200b", "..%E2%80%8B", "..%E2%80%8B"},
	// Slashes.
	{"/", "", "%2F"},
	{"//", "", "%2F%2F"},
	{"//evil.test", "", "%2F%2Fevil.test"},
	{"/etc/passwd", "", "%2Fetc%2Fpasswd"},
	{"a/b", "", "a%2Fb"},
	{"a/", "", "a%2F"},
	{"../../admin", "", ""},
	{"../../admin/delete?x=", "", ""},
	{"a/../b", "", ""},
	{"a/..", "", ""},
	{"./a", "", ""},
	{"a/./b", "", ""},
	{`\`, "", "%5C"},
	{`..\..\admin`, "", ""},
	{`a\b`, "", "a%5Cb"},
	{`\\host\share`, "", "%5C%5Chost%5Cshare"},
	{"%2F", "", "%252F"},
	{"%2f..%2f", "", ""},
	{"a%2Fb", "", "a%252Fb"},
	{"%5c", "", "%255c"},
	{"%252F", "", "%25252F"},
	{"%25252F", "", "%2525252F"},
	{"..%2f..%2fadmin", "", ""},
	{"..%5c..", "", ""},
	{"%2525252525252F", "", ""},
	// Overlong UTF-8 and other bytes.
	{"%c0%ae%c0%ae", "", ""},
	{"%c0%af", "", ""},
	{"%C1%9C", "", ""},
	{"%e0%80%af", "", ""},
	{"%f0%80%80%af", "", ""},
	{"\xc0\xae\xc0\xae", "", ""},
	{"\xc0\xaf", "", ""},
	{"\xff\xfe", "", ""},
	{"\xed\xa0\x80", "", ""},
	{"%u002f", "", "%25u002f"},
	{"%U005C", "", "%25U005C"},
	{"%u002e%u002E", "", ""},
	{"%25u002e.", "", ""},
	{"%u0025u002e.", "", ""},
	{"%u000a", "", ""},
	{"%u002", "%25u002", "%25u002"},
	{"%u00e9", "%25u00e9", "%25u00e9"},
	{"%ud800", "%25ud800", "%25ud800"},
	{"%ff", "%25ff", "%25ff"},
	// Control characters.
	{"", "", ""},
	{"\x00", "", ""},
	{"a\x00b", "", ""},
	{"%00", "", ""},
	{"a%00.json", "", ""},
	{"%2500", "", ""},
	{"\r\n", "", ""},
	{"a\r\nHost: evil.test", "", ""},
	{"%0d%0aX-Evil: 1", "", ""},
	{"a\nb", "", ""},
	{"a\tb", "", ""},
	{"\x7f", "", ""},
	{"\u0085", "", ""},
	{"\u009b1m", "", ""},
	{"%c2%85", "", ""},
	// Everything else is data.
	{"?x=1", "%3Fx%3D1", "%3Fx%3D1"},
	{"a?x=1#f", "a%3Fx%3D1%23f", "a%3Fx%3D1%23f"},
	{"#", "%23", "%23"},
	{"a;b=c", "a%3Bb%3Dc", "a%3Bb%3Dc"},
	{"a&b", "a%26b", "a%26b"},
	{"@evil.test", "%40evil.test", "%40evil.test"},
	{":8080", "%3A8080", "%3A8080"},
	{"http:evil.test", "http%3Aevil.test", "http%3Aevil.test"},
	{"{id}", "%7Bid%7D", "%7Bid%7D"},
	{"{other}", "%7Bother%7D", "%7Bother%7D"},
	{"*", "%2A", "%2A"},
	{"~root", "~root", "~root"},
	{"a b", "a%20b", "a%20b"},
	{"a+b", "a%2Bb", "a%2Bb"},
	{"100%", "100%25", "100%25"},
	{"50%25", "50%2525", "50%2525"},
	{"%", "%25", "%25"},
	{"%zz", "%25zz", "%25zz"},
	{"a%20b", "a%2520b", "a%2520b"},
	{"\uff0e\uff0e", "%EF%BC%8E%EF%BC%8E", "%EF%BC%8E%EF%BC%8E"},
	{"\u2025", "%E2%80%A5", "%E2%80%A5"},
	{"\uff0f", "%EF%BC%8F", "%EF%BC%8F"},
	{"\u2215", "%E2%88%95", "%E2%88%95"},
	{"\u2044", "%E2%81%84", "%E2%81%84"},
	{"\uff3c", "%EF%BC%BC", "%EF%BC%BC"},
	{"a\u202eb", "a%E2%80%AEb", "a%E2%80%AEb"},
	{"日本", "%E6%97%A5%E6%9C%AC", "%E6%97%A5%E6%9C%AC"},
	{"\U0001F600", "%F0%9F%98%80", "%F0%9F%98%80"},
	{"\ufffd", "%EF%BF%BD", "%EF%BF%BD"},
}

// TestHostilePath also covers fault I18: a path value that reaches another
// endpoint.
//
// clause: E-11
func TestHostilePath(t *testing.T) {
	t.Parallel()
	for _, tt := range hostile {
		for _, c := range []struct {
			style tool.Style
			want  string
		}{{tool.Simple, tt.want}, {tool.Simple | tool.Slash, tt.slash}} {
			got, err := item(c.style, tt.value)
			var argument *tool.ArgumentError
			switch {
			case c.want == "" && (!errors.As(err, &argument) || argument.Where != "path.id"):
				t.Errorf("%q style %#x: got %q, %v, want a refusal of path.id", tt.value, c.style, got, err)
			case c.want != "" && (err != nil || got != "/v1/items/"+c.want+"/close"):
				t.Errorf("%q style %#x: got %q, %v, want %q", tt.value, c.style, got, err, c.want)
			}
		}
	}
}

// item returns the path of POST /items/{id}/close as a server would see it.
func item(style tool.Style, value any) (string, error) {
	r := tool.NewRequest(http.MethodPost, base+"/v1/", "/items/{id}/close", "")
	r.Path("id", style, value)
	request, err := r.Build()
	if err != nil {
		return "", err
	}
	if request.URL.Scheme+"://"+request.URL.Host != base || request.Host != "api.test" ||
		request.Method != http.MethodPost || request.URL.RawQuery != "" || request.URL.Fragment != "" {
		return "", errors.New("request went elsewhere: " + request.URL.String())
	}
	return request.URL.EscapedPath(), nil
}

// TestHostileParts refuses in arrays, objects and pieces what it refuses alone.
//
// clause: E-11
func TestHostileParts(t *testing.T) {
	t.Parallel()
	for _, value := range []string{
		`["a",".."]`, `[".."]`, `["a","b/c"]`, `["a",""]`, `{"..":"a"}`, `{"a":".."}`, `{"a/b":1}`, `{"a":["/"]}`,
		`null`, `[]`, `{}`, `[null]`,
	} {
		for _, style := range []tool.Style{tool.Simple, tool.Label, tool.Matrix} {
			for _, explode := range []tool.Style{0, tool.Explode} {
				if got, err := item(style|explode, json.RawMessage(value)); err == nil {
					t.Errorf("%s style %#x: got %q, want a refusal", value, style|explode, got)
				}
			}
		}
	}
	// Values that are harmless alone must not make dots together.
	for _, tt := range []struct{ template, a, b string }{
		{"/x/{a}{b}", ".", "."},
		{"/x/.{a}/y", ".", ""},
		{"/x/{a}/y", "..", ""},
	} {
		r := tool.NewRequest(http.MethodGet, base, tt.template, "")
		r.Path("a", tool.Simple, tt.a)
		if tt.b != "" {
			r.Path("b", tool.Simple, tt.b)
		}
		if request, err := r.Build(); err == nil {
			t.Errorf("%s with %q, %q: got %s, want a refusal", tt.template, tt.a, tt.b, request.URL)
		}
	}
	r := tool.NewRequest(http.MethodGet, base, "/x/..", "")
	if request, err := r.Build(); err == nil {
		t.Errorf("template with dots: got %s, want a refusal", request.URL)
	}
	r = tool.NewRequest(http.MethodGet, base, "/x/{id}", "")
	if request, err := r.Build(); err == nil {
		t.Errorf("template without its value: got %s, want an error", request.URL)
	}
}

// TestBase appends to the base, never resolves against it (fault I33).
//
// clause: E-54
func TestBase(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ base, template, query, want string }{
		{"http://h:1/api", "/ping", "", "http://h:1/api/ping"},
		{"http://h:1/api/", "/ping", "", "http://h:1/api/ping"},
		{"http://h:1/api//", "/ping", "", "http://h:1/api/ping"},
		{"http://h:1", "/ping", "", "http://h:1/ping"},
		{"http://h:1/", "ping", "", "http://h:1/ping"},
		{"http://h:1/api", "/", "", "http://h:1/api/"},
		{"http://h:1/a%20b", "/ping", "v=1%202", "http://h:1/a%20b/ping?v=1%202"},
		{"http://h:1/api", "//evil.test/ping", "", "http://h:1/api//evil.test/ping"},
		{"http://[::1]:8080/api", "/ping/", "", "http://[::1]:8080/api/ping/"},
	} {
		request, err := tool.NewRequest(http.MethodGet, tt.base, tt.template, tt.query).Build()
		if err != nil || request.URL.String() != tt.want {
			t.Errorf("%s + %s: got %v, %v, want %s", tt.base, tt.template, request, err, tt.want)
		}
	}
}

// FuzzPath proves that no value changes the template, the origin or the query:
// in the server's eyes the path has the same segments but for the value's own,
// which decodes to the value and has no slash or dots.
func FuzzPath(f *testing.F) {
	for _, tt := range hostile {
		f.Add(tt.value, tt.value)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, style := range []tool.Style{tool.Simple, tool.Label, tool.Matrix, tool.Simple | tool.Slash, tool.JSON} {
			r := tool.NewRequest(http.MethodGet, base+"/v1", "/items/{a}/of.{b}/close", "q=1")
			r.Path("a", style, a)
			r.Path("b", style, []string{b, "x"})
			request, err := r.Build()
			if err != nil {
				var argument *tool.ArgumentError
				if !errors.As(err, &argument) {
					t.Fatalf("%q, %q: error %v", a, b, err)
				}
				continue
			}
			seen, err := url.ParseRequestURI(request.URL.RequestURI())
			if err != nil {
				t.Fatalf("%q, %q: %v", a, b, err)
			}
			parts := strings.Split(seen.EscapedPath(), "/")
			if len(parts) != 6 || parts[0] != "" || parts[1] != "v1" || parts[2] != "items" ||
				!strings.HasPrefix(parts[4], "of.") || parts[5] != "close" {
				t.Fatalf("%q, %q: path %q", a, b, seen.EscapedPath())
			}
			if request.URL.Host != "api.test" || request.Host != "api.test" || seen.RawQuery != "q=1" || seen.Fragment != "" {
				t.Fatalf("%q, %q: request %s", a, b, request.URL)
			}
			value, err := url.PathUnescape(parts[3])
			if err != nil || value == "." || value == ".." || value == "" {
				t.Fatalf("%q, %q: segment %q, %v", a, b, parts[3], err)
			}
			if style == tool.Simple && (value != a || strings.ContainsAny(value, "/\\\r\n\x00")) {
				t.Fatalf("%q arrives as %q", a, value)
			}
		}
	})
}
