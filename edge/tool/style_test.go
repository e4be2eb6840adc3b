package tool_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/edge/tool"
)

const base = "http://api.test"

// send builds a request with one parameter in one place and returns how it
// stands there.
func send(t *testing.T, in, name string, s tool.Style, value any) (string, error) {
	t.Helper()
	template := "/x"
	if in == "path" {
		template = "/x/{" + name + "}"
	}
	r := tool.NewRequest(http.MethodGet, base, template, "")
	switch in {
	case "path":
		r.Path(name, s, value)
	case "query":
		r.Query(name, s, value)
	case "header":
		r.Header(name, s, value)
	case "cookie":
		r.Cookie(name, s, value)
	}
	request, err := r.Build()
	if err != nil {
		return "", err
	}
	switch in {
	case "path":
		return strings.TrimPrefix(request.URL.EscapedPath(), "/x/"), nil
	case "query":
		return request.URL.RawQuery, nil
	case "header":
		return request.Header.Get(name), nil
	default:
		return request.Header.Get("Cookie"), nil
	}
}

// The values of the style table of OpenAPI 3.1, and more of each kind.
var (
	blank  = json.RawMessage(`""`)
	blue   = json.RawMessage(`"blue"`)
	colors = json.RawMessage(`["blue","black","brown"]`)
	rgb    = json.RawMessage(`{"R":100,"G":200,"B":150}`)
	nobody = json.RawMessage(`null`)
	none   = json.RawMessage(`[]`)
	hollow = json.RawMessage(`{}`)
)

// TestStyles is the table "Style Examples" of OpenAPI 3.1 (4.8.12.3), with the
// corrections of 3.1.1: labels that are not exploded are joined by commas, as in
// RFC 6570, and delimiters are sent encoded (faults I20, I23).
//
// clause: E-10, E-52
func TestStyles(t *testing.T) {
	t.Parallel()
	const refused = "\x00refused"
	type row struct {
		in      string
		style   tool.Style
		explode bool
		// empty string, string, array, object
		empty, primitive, array, object string
	}
	for _, tt := range []row{
		{"path", tool.Matrix, false, refused, ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"},
		{"path", tool.Matrix, true, refused, ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"},
		{"path", tool.Label, false, refused, ".blue", ".blue,black,brown", ".R,100,G,200,B,150"},
		{"path", tool.Label, true, refused, ".blue", ".blue.black.brown", ".R=100.G=200.B=150"},
		{"path", tool.Simple, false, refused, "blue", "blue,black,brown", "R,100,G,200,B,150"},
		{"path", tool.Simple, true, refused, "blue", "blue,black,brown", "R=100,G=200,B=150"},
		{"path", tool.JSON, false, "%22%22", "%22blue%22", "%5B%22blue%22%2C%22black%22%2C%22brown%22%5D",
			"%7B%22R%22%3A100%2C%22G%22%3A200%2C%22B%22%3A150%7D"},

		{"query", tool.Form, false, "color=", "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"},
		{"query", tool.Form, true, "color=", "color=blue", "color=blue&color=black&color=brown", "R=100&G=200&B=150"},
		{"query", tool.SpaceDelimited, false, "color=", "color=blue", "color=blue%20black%20brown",
			"color=R%20100%20G%20200%20B%20150"},
		{"query", tool.SpaceDelimited, true, "color=", "color=blue", "color=blue&color=black&color=brown",
			"R=100&G=200&B=150"},
		{"query", tool.PipeDelimited, false, "color=", "color=blue", "color=blue%7Cblack%7Cbrown",
			"color=R%7C100%7CG%7C200%7CB%7C150"},
		{"query", tool.PipeDelimited, true, "color=", "color=blue", "color=blue&color=black&color=brown",
			"R=100&G=200&B=150"},
		{"query", tool.DeepObject, true, "color=", "color=blue",
			"color%5B0%5D=blue&color%5B1%5D=black&color%5B2%5D=brown",
			"color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"},
		{"query", tool.DeepObject, false, "color=", "color=blue",
			"color%5B0%5D=blue&color%5B1%5D=black&color%5B2%5D=brown",
			"color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150"},
		{"query", tool.JSON, false, "color=%22%22", "color=%22blue%22",
			"color=%5B%22blue%22%2C%22black%22%2C%22brown%22%5D",
			"color=%7B%22R%22%3A100%2C%22G%22%3A200%2C%22B%22%3A150%7D"},

		{"header", tool.Simple, false, "", "blue", "blue,black,brown", "R,100,G,200,B,150"},
		{"header", tool.Simple, true, "", "blue", "blue,black,brown", "R=100,G=200,B=150"},
		{"header", tool.JSON, false, `""`, `"blue"`, `["blue","black","brown"]`, `{"R":100,"G":200,"B":150}`},

		{"cookie", tool.Form, false, "color=", "color=blue", "color=blue,black,brown", "color=R,100,G,200,B,150"},
		{"cookie", tool.Form, true, "color=", "color=blue", "color=blue; color=black; color=brown", "R=100; G=200; B=150"},
		{"cookie", tool.JSON, false, "color=%22%22", "color=%22blue%22",
			"color=%5B%22blue%22%2C%22black%22%2C%22brown%22%5D",
			"color=%7B%22R%22%3A100%2C%22G%22%3A200%2C%22B%22%3A150%7D"},
	} {
		style := tt.style
		if tt.explode {
			style |= tool.Explode
		}
		for _, cell := range []struct {
			kind  string
			value any
			want  string
		}{
			{"empty", blank, tt.empty},
			{"primitive", blue, tt.primitive},
			{"array", colors, tt.array},
			{"object", rgb, tt.object},
			{"typed array", []string{"blue", "black", "brown"}, tt.array},
			{"typed object", struct {
				R int `json:"R"`
				G int `json:"G"`
				B int `json:"B"`
			}{100, 200, 150}, tt.object},
		} {
			got, err := send(t, tt.in, "color", style, cell.value)
			var argument *tool.ArgumentError
			switch {
			case cell.want == refused && !errors.As(err, &argument):
				t.Errorf("%s style %#x %s: got %q, %v, want a refusal", tt.in, style, cell.kind, got, err)
			case cell.want != refused && (err != nil || got != cell.want):
				t.Errorf("%s style %#x %s: got %q, %v, want %q", tt.in, style, cell.kind, got, err, cell.want)
			}
		}
		for _, missing := range []any{nobody, none, hollow, nil, []string(nil), json.RawMessage(nil), (*string)(nil)} {
			if tt.style == tool.JSON && isText(missing) {
				continue // JSON text of an empty array is a value
			}
			got, err := send(t, tt.in, "color", style, missing)
			if tt.in == "path" && err == nil || tt.in != "path" && (err != nil || got != "") {
				t.Errorf("%s style %#x of %v: got %q, %v, want nothing", tt.in, style, missing, got, err)
			}
		}
	}
}

// isText reports whether v is an empty array or object that was given.
func isText(v any) bool {
	raw, ok := v.(json.RawMessage)
	return ok && len(raw) == 2
}

// TestExpansion holds the operators to the examples of RFC 6570 that OpenAPI's
// styles are defined by (sections 3.2.2 to 3.2.9).
func TestExpansion(t *testing.T) {
	t.Parallel()
	const list = `["red","green","blue"]`
	const keys = `{"semi":";","dot":".","comma":","}`
	for _, tt := range []struct {
		in, name string
		style    tool.Style
		value    string
		want     string
	}{
		{"path", "var", tool.Simple, `"value"`, "value"},
		{"path", "hello", tool.Simple, `"Hello World!"`, "Hello%20World%21"},
		{"path", "half", tool.Simple, `"50%"`, "50%25"},
		{"path", "list", tool.Simple, list, "red,green,blue"},
		{"path", "list", tool.Simple | tool.Explode, list, "red,green,blue"},
		{"path", "who", tool.Label, `"fred"`, ".fred"},
		{"path", "half", tool.Label, `"50%"`, ".50%25"},
		{"path", "list", tool.Label, list, ".red,green,blue"},
		{"path", "list", tool.Label | tool.Explode, list, ".red.green.blue"},
		{"path", "who", tool.Matrix, `"fred"`, ";who=fred"},
		{"path", "list", tool.Matrix, list, ";list=red,green,blue"},
		{"path", "list", tool.Matrix | tool.Explode, list, ";list=red;list=green;list=blue"},
		{"query", "who", tool.Form, `"fred"`, "who=fred"},
		{"query", "half", tool.Form, `"50%"`, "half=50%25"},
		{"query", "empty", tool.Form, `""`, "empty="},
		{"query", "list", tool.Form, list, "list=red,green,blue"},
		{"query", "list", tool.Form | tool.Explode, list, "list=red&list=green&list=blue"},
		{"query", "keys", tool.Form, keys, "keys=semi,%3B,dot,.,comma,%2C"},
		{"query", "keys", tool.Form | tool.Explode, keys, "semi=%3B&dot=.&comma=%2C"},
		{"query", "list", tool.Form, `[""]`, "list="},
	} {
		got, err := send(t, tt.in, tt.name, tt.style, json.RawMessage(tt.value))
		if err != nil || got != tt.want {
			t.Errorf("%s %s style %#x: got %q, %v, want %q", tt.in, tt.value, tt.style, got, err, tt.want)
		}
	}
}
