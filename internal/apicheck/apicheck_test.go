package apicheck_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/internal/apicheck"
	"github.com/pharos-mcp/pharos/internal/httpguard"
)

const (
	item = `"path":{"type":"object","additionalProperties":false,"required":["id"],"properties":{"id":{"type":"string","pattern":"^[a-z]+$"}}}`
	page = `"parameters":{"type":"object","additionalProperties":false,"properties":{"limit":{"type":"integer","maximum":100}}}`
	made = `"body":{"type":"object","additionalProperties":false,"required":["name"],"properties":{"name":{"type":"string","minLength":2}}}`
	text = `"body":{"type":"string","maxLength":3}`
)

// catalog has a tool for each kind of request.
func catalog() tool.Catalog {
	c := tool.Catalog{Name: "shop"}
	files := fstest.MapFS{}
	for name, schema := range map[string]string{
		"make_item":  `"required":["path","body"],"properties":{` + item + `,` + page + `,` + made + `}`,
		"write_text": `"required":["body"],"properties":{` + text + `}`,
		"list_items": `"properties":{` + page + `}`,
		"send_file":  `"required":["body"],"properties":{"body":{"type":"object"}}`,
		"stop":       `"properties":{}`,
		"broken":     `"properties":7`,
	} {
		c.Operations = append(c.Operations, tool.Operation{Tool: name})
		files["schemas/"+name+".json"] = &fstest.MapFile{Data: []byte(
			`{"name":"` + name + `","inputSchema":{"type":"object","additionalProperties":false,` + schema + `}}`)}
	}
	c.Operations = append(c.Operations, tool.Operation{Tool: "no_tool", RPCOnly: true})
	c.Schemas = files
	return c
}

// The request objects, as generated servers declare them.
type (
	params struct {
		Limit   *int64  `form:"limit,omitempty" json:"limit,omitempty"`
		Dropped *string `json:"dropped,omitempty"`
	}
	named struct {
		Name string `json:"name"`
	}
	makeItem struct {
		ID     string `json:"id"`
		Params params
		Body   *named
	}
	writeText struct{ Body *string }
	listItems struct{ Params params }
	sendFile  struct{ Body io.Reader }
	sendForm  struct{ Body *multipart.Reader }
	stop      struct{}
)

type handlerFunc func(context.Context, http.ResponseWriter, *http.Request, any) (any, error)

func TestMiddleware(t *testing.T) {
	t.Parallel()
	few, many, word, long := int64(100), int64(101), "abc", "abcd"
	nul, half := "a\x00", "a\xff"
	for name, c := range map[string]struct {
		operation string
		request   any
		body      string
		want      string // "" passes
	}{
		"all is well":             {"MakeItem", makeItem{"a", params{Limit: &few}, &named{}}, `{"name":"ab"}`, ""},
		"a path parameter":        {"MakeItem", makeItem{"A", params{}, &named{}}, `{"name":"ab"}`, "/path/id: expected a string that matches"},
		"a query parameter":       {"MakeItem", makeItem{"a", params{Limit: &many}, &named{}}, `{"name":"ab"}`, "/parameters/limit: "},
		"a dropped parameter":     {"MakeItem", makeItem{"a", params{Dropped: &word}, &named{}}, `{"name":"ab"}`, ""},
		"a member of the body":    {"MakeItem", makeItem{"a", params{}, &named{}}, `{"name":"a"}`, "/body/name: "},
		"an unknown member":       {"MakeItem", makeItem{"a", params{}, &named{}}, `{"name":"ab","nmae":1}`, `/body: `},
		"a member in other case":  {"MakeItem", makeItem{"a", params{}, &named{}}, `{"name":"ab","Name":"ab"}`, `/body: `},
		"a member twice":          {"MakeItem", makeItem{"a", params{}, &named{}}, `{"name":"ab","name":"ab"}`, `/body`},
		"what follows the body":   {"MakeItem", makeItem{"a", params{}, &named{}}, `{"name":"ab"},"path":{"id":"a"}`, "/body: "},
		"no body":                 {"MakeItem", makeItem{"a", params{}, nil}, ``, `missing "body"`},
		"text":                    {"WriteText", writeText{&word}, `abc`, ""},
		"a long text":             {"WriteText", writeText{&long}, `abcd`, "/body: "},
		"a text that reads as 7":  {"WriteText", writeText{new(string)}, `7`, ""},
		"parameters alone":        {"ListItems", listItems{params{Limit: &many}}, ``, "/parameters/limit: "},
		"nothing at all":          {"Stop", stop{}, ``, ""},
		"a stream":                {"SendFile", sendFile{strings.NewReader("x")}, `x`, ""},
		"a multipart form":        {"SendFile", sendForm{nil}, `x`, ""},
		"an operation of no tool": {"Other", makeItem{"A", params{}, nil}, ``, ""},
		"NUL in the path":         {"Other", makeItem{"\x00", params{}, nil}, ``, "/path: "},
		"NUL in a parameter":      {"Other", makeItem{"a", params{Dropped: &nul}, nil}, ``, "/parameters: "},
		"no UTF-8 in a parameter": {"Other", makeItem{"a", params{Dropped: &half}, nil}, ``, "/parameters: "},
		"NUL in the body":         {"Other", makeItem{"a", params{}, &named{}}, `{"name":"a\u0000"}`, "/body: "},
		"an escaped backslash":    {"Other", makeItem{"a", params{}, &named{}}, `{"name":"a\\u0000"}`, ""},
		"no UTF-8 in the body":    {"Other", makeItem{"a", params{}, &named{}}, "{\"name\":\"a\xff\"}", "/body: "},
		"half a pair":             {"Other", makeItem{"a", params{}, &named{}}, `{"name":"\ud83d\n"}`, "/body: "},
		"the other half":          {"Other", makeItem{"a", params{}, &named{}}, `{"name":"\ude00\ud83d"}`, "/body: "},
		"half a pair at the end":  {"Other", makeItem{"a", params{}, &named{}}, `{"name":"\ud83d"}`, "/body: "},
		"a whole pair":            {"Other", makeItem{"a", params{}, &named{}}, `{"name":"\ud83d\ude00\u0001"}`, ""},
		"NUL in a text":           {"Other", writeText{&nul}, "\x00", "/body: "},
		"a plain text":            {"Other", writeText{&word}, "abc", ""},
		"a method of the RPC":     {"NoTool", makeItem{"A", params{}, nil}, ``, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reached := false
			next := handlerFunc(func(context.Context, http.ResponseWriter, *http.Request, any) (any, error) {
				reached = true
				return nil, nil
			})
			door := httpguard.New(httpguard.Options{Body: 1000}, http.HandlerFunc(
				func(w http.ResponseWriter, r *http.Request) {
					_, _ = io.Copy(io.Discard, r.Body) // as the decoder does
					_, err := apicheck.Middleware[handlerFunc](catalog())(next, c.operation)(r.Context(), w, r, c.request)
					if c.want == "" && err != nil || c.want != "" && fault.CodeOf(err) != fault.Invalid ||
						err != nil && !strings.Contains(err.Error(), c.want) {
						t.Errorf("error %v, want %q", err, c.want)
					}
					if reached != (err == nil) {
						t.Errorf("handled: %v after the error %v", reached, err)
					}
				}))
			r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(c.body))
			r.Host = "localhost"
			door.ServeHTTP(httptest.NewRecorder(), r)
		})
	}
}

// TestNumbers: a number of the query is spelt as in JSON.
func TestNumbers(t *testing.T) {
	t.Parallel()
	limit := int64(0)
	for query, want := range map[string]string{
		"limit=0": "", "": "", "other=00": "", "limit=00": "/parameters/limit: ", "limit=%2B0": "/parameters/limit: ",
		"limit=-00": "/parameters/limit: ",
	} {
		next := handlerFunc(func(context.Context, http.ResponseWriter, *http.Request, any) (any, error) { return nil, nil })
		r := httptest.NewRequest(http.MethodGet, "/?"+query, nil)
		_, err := apicheck.Middleware[handlerFunc](catalog())(next, "ListItems")(t.Context(), nil, r, listItems{params{Limit: &limit}})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: error %v, want %q", query, err, want)
		}
	}
}

// TestForm decides by what the decoder made of a form.
func TestForm(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader("name=a"))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if err := r.ParseForm(); err != nil {
		t.Fatal(err)
	}
	_, err := apicheck.Middleware[handlerFunc](catalog())(nil, "MakeItem")(
		t.Context(), nil, r, makeItem{"a", params{}, &named{"a"}})
	if err == nil || !strings.Contains(err.Error(), "/body/name: ") {
		t.Errorf("error %v", err)
	}
}

// TestFaultsOfOurOwn are no faults of the caller.
func TestFaultsOfOurOwn(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	for operation, request := range map[string]any{
		"MakeItem": makeItem{"a", params{}, &named{}}, // no guard in front
		"Broken":   stop{},
	} {
		_, err := apicheck.Middleware[handlerFunc](catalog())(nil, operation)(t.Context(), nil, r, request)
		if err == nil || fault.CodeOf(err) != fault.Internal {
			t.Errorf("%s: error %v", operation, err)
		}
	}
}

type paramError struct {
	ParamName string
}

func (e *paramError) Error() string { return "secret" }

func TestUndecodable(t *testing.T) {
	t.Parallel()
	decode := func(text string, into any) error {
		err := json.NewDecoder(bytes.NewReader([]byte(text))).Decode(into)
		return fmt.Errorf("can't decode JSON body: %w", err)
	}
	var body struct {
		Inner struct {
			Name string `json:"name"`
		} `json:"inner"`
	}
	for want, err := range map[string]error{
		"/body/inner/name: it is not as the API describes it":             decode(`{"inner":{"name":7}}`, &body),
		"/body: it is not as the API describes it":                        decode(`[]`, &body),
		"/body: expected JSON":                                            decode(`{"a"`, &body),
		"/parameters/limit: it is missing or not as the API describes it": fmt.Errorf("x: %w", &paramError{ParamName: "limit"}),
		"the request is not as the API describes it":                      errors.New("secret"),
	} {
		f := apicheck.Undecodable(err)
		if f.Code != fault.Invalid || f.Message != want {
			t.Errorf("%v: %v, want %s", err, f, want)
		}
	}
	for _, text := range []string{"", "{]"} {
		if f := apicheck.Undecodable(decode(text, &body)); f.Message != "/body: expected JSON" {
			t.Errorf("%q: %v", text, f)
		}
	}
}
