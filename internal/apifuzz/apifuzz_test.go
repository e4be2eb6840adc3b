package apifuzz_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pharos-mcp/pharos/internal/apifuzz"
)

// shop describes a server of things with names.
const shop = `
openapi: 3.1.0
paths:
  /things:
    get:
      operationId: listThings
      parameters:
        - {name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 100}}
      responses:
        "200":
          description: all
          content: {application/json: {schema: {type: object, required: [items], properties: {items: {type: array, items: {$ref: "other.yaml#/Thing"}}}}}}
        default: {$ref: "other.yaml#/Problem"}
  /things/{id}:
    put:
      operationId: makeThing
      parameters:
        - {name: id, in: path, required: true, schema: {$ref: "other.yaml#/ID"}}
        - {name: Idempotency-Key, in: header, required: true, schema: {$ref: "other.yaml#/ID"}}
        - {name: If-Match, in: header, required: true, schema: {type: string, pattern: '^("[0-9]+"|[0-9]+)$'}}
      requestBody:
        required: true
        content: {application/json: {schema: {$ref: "other.yaml#/NewThing"}}}
      responses:
        "201":
          description: made
          headers: {ETag: {required: true, schema: {type: string, pattern: '^"[0-9]+"$'}}}
          content: {application/json: {schema: {$ref: "other.yaml#/Thing"}}}
        "409": {description: not made, content: {application/json: {schema: {type: object}}}}
        default: {$ref: "other.yaml#/Problem"}
`

const other = `
ID: {type: string, pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"}
NewThing:
  type: object
  additionalProperties: false
  required: [name]
  properties:
    name: {type: string, minLength: 1, maxLength: 10, pattern: "^[a-z]+$"}
    size: {type: integer, minimum: 0, maximum: 50}
    colours: {type: array, maxItems: 3, items: {type: string, enum: [red, blue]}}
Thing:
  type: object
  additionalProperties: false
  required: [id, name, revision]
  properties:
    id: {$ref: "#/ID"}
    name: {type: string}
    revision: {type: integer}
Problem:
  description: no
  content:
    application/problem+json:
      schema:
        type: object
        required: [code, title, status]
        properties: {code: {type: string}, title: {type: string}, status: {type: integer}}
`

// server keeps the description but for one fault.
type server struct {
	fault string
	kept  map[string]string // answers by Idempotency-Key
	asked map[string]string // and what they answer
}

type thing struct {
	Name    *string  `json:"name"`
	Size    *int     `json:"size"`
	Colours []string `json:"colours"`
}

var (
	uuid = regexp.MustCompile("^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")
	name = regexp.MustCompile("^[a-z]{1,10}$")
	etag = regexp.MustCompile(`^("[0-9]+"|[0-9]+)$`)
)

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	problem := func(status int) {
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"code":"invalid_request","title":"no","status":%d}`, status)
	}
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodGet {
		if limit := r.URL.Query().Get("limit"); r.URL.Query().Has("limit") && !regexp.MustCompile("^([1-9][0-9]?|100)$").MatchString(limit) {
			problem(400)
			return
		}
		fmt.Fprint(w, `{"items":[]}`)
		return
	}
	id := strings.TrimPrefix(r.URL.Path, "/things/")
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<16))
	var body thing
	var raw map[string]json.RawMessage
	twice := strings.Contains(string(text), ":null,")
	if err != nil || json.Unmarshal(text, &raw) != nil || twice && s.fault != "is lenient" || r.Header.Get("Content-Type") != "application/json" || !s.exact(raw, text, &body, r) ||
		!uuid.MatchString(id) || !uuid.MatchString(r.Header.Get("Idempotency-Key")) || !etag.MatchString(r.Header.Get("If-Match")) {
		problem(400)
		return
	}
	key, request := r.Header.Get("Idempotency-Key"), r.URL.Path+r.Header.Get("If-Match")
	if kept, ok := s.kept[key]; ok && s.fault != "forgets" {
		if s.asked[key] != request {
			w.WriteHeader(409)
			fmt.Fprint(w, "{}")
			return
		}
		w.Header().Set("ETag", `"1"`)
		w.WriteHeader(201)
		fmt.Fprint(w, kept)
		return
	}
	revision, status := 1, 201
	switch {
	case s.fault == "crashes" && body.Size != nil && *body.Size > 40:
		status = 500
	case s.fault == "another status" && len(body.Colours) > 1:
		status = 202
	case s.fault == "forgets":
		revision = len(s.kept) + 1
	}
	answer := fmt.Sprintf(`{"id":%q,"name":%q,"revision":%d}`, id, *body.Name, revision)
	if s.fault == "another member" {
		answer = fmt.Sprintf(`{"id":%q,"name":%q,"revision":1,"secret":true}`, id, *body.Name)
	}
	s.kept[key], s.asked[key] = answer, request
	if s.fault != "no header" {
		w.Header().Set("ETag", fmt.Sprintf(`"%d"`, revision))
	}
	w.WriteHeader(status)
	fmt.Fprint(w, answer)
}

// exact tells whether a body is as the description says.
func (s *server) exact(raw map[string]json.RawMessage, text []byte, body *thing, r *http.Request) bool {
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.DisallowUnknownFields()
	for member, value := range raw {
		if member != strings.ToLower(member) || string(value) == "null" {
			return s.fault == "is lenient" && d.Decode(body) == nil && body.Name != nil && name.MatchString(*body.Name)
		}
	}
	if d.Decode(body) != nil || body.Name == nil || !name.MatchString(*body.Name) || len(body.Colours) > 3 ||
		body.Size != nil && (*body.Size < 0 || *body.Size > 50) || s.fault == "is strict" && *body.Name > "x" {
		return false
	}
	for _, colour := range body.Colours {
		if colour != "red" && colour != "blue" {
			return false
		}
	}
	return r.ContentLength < 1<<16
}

// TestFaults finds one fault at a time, and none where there is none.
func TestFaults(t *testing.T) {
	t.Parallel()
	document, err := apifuzz.Load(fstest.MapFS{
		"shop.yaml": {Data: []byte(shop)}, "other.yaml": {Data: []byte(other)},
	}, "*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for fault, want := range map[string]struct{ kind, sent string }{
		"":               {},
		"crashes":        {"status 500", `"size":`},
		"another status": {"status 202 is not declared", `"colours":["`},
		"another member": {"the body with status 201 is not as declared", `{"name":"`},
		"no header":      {"the header ETag is not as declared", `{"name":"`},
		"forgets":        {"a repeated command has another answer", "PUT"},
		"is lenient":     {"what is not allowed gets status 201 and no problem", "PUT"},
		"is strict":      {"what is allowed is an invalid request", `{"name":"`},
	} {
		h := &server{fault: fault, kept: map[string]string{}, asked: map[string]string{}}
		report, err := apifuzz.Run(apifuzz.Config{
			Document: document, Seed: 1, Requests: 2000, Origin: "http://localhost",
			Actors: []*apifuzz.Actor{{Name: "ada", Weight: 1}},
			Send: func(r *http.Request) (*http.Response, error) {
				w := httptest.NewRecorder()
				if r.Body == nil {
					r.Body = http.NoBody
				}
				h.ServeHTTP(w, r)
				return w.Result(), nil
			},
		})
		switch {
		case err != nil:
			t.Errorf("%q: %v", fault, err)
		case fault == "":
			for _, f := range report.Failures {
				t.Errorf("a server without a fault: %v", f)
			}
			if ops := report.Unreached(); len(ops) > 0 {
				t.Errorf("not reached: %v\n%s", ops, report.Table())
			}
		case len(report.Failures) == 0:
			t.Errorf("%q is not found", fault)
		default:
			f := report.Failures[0]
			if f.Kind != want.kind || !strings.Contains(f.Sent, want.sent) {
				t.Errorf("%q is found as %v\nwant %s of a request with %s", fault, f, want.kind, want.sent)
			}
			if fault == "crashes" && !regexp.MustCompile(`{"name":"[a-z]","size":41}`).MatchString(f.Sent) {
				t.Errorf("the request is not the least: %s", f.Sent)
			}
		}
	}
}

// TestSeed draws the same requests from the same seed.
func TestSeed(t *testing.T) {
	t.Parallel()
	var runs [2]strings.Builder
	for i := range runs {
		document, err := apifuzz.Load(fstest.MapFS{
			"shop.yaml": {Data: []byte(shop)}, "other.yaml": {Data: []byte(other)},
		}, "*.yaml")
		if err != nil {
			t.Fatal(err)
		}
		h := &server{kept: map[string]string{}, asked: map[string]string{}}
		_, err = apifuzz.Run(apifuzz.Config{
			Document: document, Seed: 7, Requests: 200, Origin: "http://localhost",
			Actors: []*apifuzz.Actor{{Name: "ada", Weight: 1}, {Name: "bob", Weight: 2}},
			Send: func(r *http.Request) (*http.Response, error) {
				fmt.Fprintln(&runs[i], r.Method, r.URL, r.Header)
				w := httptest.NewRecorder()
				if r.Body == nil {
					r.Body = http.NoBody
				}
				h.ServeHTTP(w, r)
				return w.Result(), nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if runs[0].String() != runs[1].String() {
		t.Error("two runs of one seed differ")
	}
}
