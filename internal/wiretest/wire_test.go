package wiretest

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pharos-mcp/pharos/edge"
)

// behaviour is a call, what the upstream must have recorded of it, and what the
// client must have received.
type behaviour struct {
	tool, arguments string
	fault           http.HandlerFunc // nil: the upstream behaves
	sent            []string         // none: nothing was sent
	got             string           // as envelope.String writes it
	says, hides     string           // what the envelope has and has not
}

func respond(status int, mediaType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if mediaType != "" {
			w.Header().Set("Content-Type", mediaType)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// redirect sends a client to where it must not go.
func redirect(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "/api/things/elsewhere")
		w.WriteHeader(status)
	}
}

const (
	refused = "! 0 invalid_arguments"
	asJSON  = "application/json"
	getsX   = `{"path":{"id":"x"}}`
	creates = `{"parameters":{"Idempotency-Key":"k1"},"body":{"title":"t"}}`
	created = "POST /api/things\nContent-Type: application/json\nIdempotency-Key: k1\n\n" + `{"title":"t"}`
)

// calls are the behaviours that one call shows.
var calls = map[string]behaviour{
	"path-encoding": {tool: "get_file", arguments: `{"path":{"name":"a b?c#d%é+;&=@"}}`,
		sent: []string{"GET /api/files/a%20b%3Fc%23d%25%C3%A9%2B%3B%26%3D%40"}, got: `200 "the file a b?c#d%é+;\u0026=@"`},
	"path-dotdot-refused": {tool: "get_file", arguments: `{"path":{"name":".."}}`, got: refused, says: "path.name"},
	"path-traversal": {tool: "get_file", arguments: `{"path":{"name":"../../admin/delete?x="}}`,
		got: refused, says: "nothing was sent"},
	"path-level-param": {tool: "get_shelf", arguments: `{"path":{"shelf":"s1"},"parameters":{"x-trace":"t"}}`,
		sent: []string{"GET /api/shelves/s1\nX-Trace: t"}, got: `200 {"id":"s1"}`},
	"query-array-explode": {tool: "search", arguments: `{"parameters":{"tags":["a","b c","d,e"]}}`,
		sent: []string{"GET /api/search?tags=a&tags=b%20c&tags=d%2Ce"}, got: `200 []`},
	"query-array-csv": {tool: "search", arguments: `{"parameters":{"fields":["a","b c"]}}`,
		sent: []string{"GET /api/search?fields=a,b%20c"}, got: `200 []`},
	"query-deepobject": {tool: "search", arguments: `{"parameters":{"filter":{"color":"a&b","size":2}}}`,
		sent: []string{"GET /api/search?filter%5Bcolor%5D=a%26b&filter%5Bsize%5D=2"}, got: `200 []`},
	"int64-precision": {tool: "create_thing",
		arguments: `{"parameters":{"Idempotency-Key":"k1"},"body":{"title":"t","number":9007199254740993}}`,
		sent: []string{"POST /api/things\nContent-Type: application/json\nIdempotency-Key: k1\n\n" +
			`{"title":"t","number":9007199254740993}`},
		got: `201 {"id":"new","title":"t","number":9007199254740993}`},
	"wrong-type-refused": {tool: "search", arguments: `{"parameters":{"limit":"ten"}}`, got: refused, says: "/parameters/limit: expected an integer"},
	"missing-required-refused": {tool: "create_thing", arguments: `{"body":{"title":"t"}}`,
		got: refused, says: "parameters"},
	"unknown-arg-refused": {tool: "search", arguments: `{"parameters":{"color":"red"}}`, got: refused, says: "color"},
	"command-headers": {tool: "create_thing",
		arguments: `{"parameters":{"Idempotency-Key":"k1","If-Match":"0"},"body":{"title":"t"}}`,
		sent: []string{"POST /api/things\nContent-Type: application/json\nIdempotency-Key: k1\nIf-Match: 0\n\n" +
			`{"title":"t"}`},
		got: `201 {"id":"new","title":"t"}`},
	"header-injection-refused": {tool: "create_thing",
		arguments: `{"parameters":{"Idempotency-Key":"k\r\nX-Admin: 1"},"body":{"title":"t"}}`,
		got:       refused, says: "parameters.Idempotency-Key"},
	"name-collision": {tool: "rename_thing",
		arguments: `{"path":{"id":"p"},"parameters":{"id":7},"body":{"id":true}}`,
		sent:      []string{"PUT /api/things/p?id=7\nContent-Type: application/json\n\n" + `{"id":true}`},
		got:       `200 {"id":"p"}`},
	"array-body": {tool: "import_things", arguments: `{"body":[{"title":"a"},{"title":"b"}]}`,
		sent: []string{"POST /api/batch\nContent-Type: application/json\n\n" + `[{"title":"a"},{"title":"b"}]`}, got: `204`},
	"nullable-null-kept": {tool: "create_thing",
		arguments: `{"parameters":{"Idempotency-Key":"k1"},"body":{"title":"t","note":null}}`,
		sent: []string{"POST /api/things\nContent-Type: application/json\nIdempotency-Key: k1\n\n" +
			`{"title":"t","note":null}`},
		got: `201 {"id":"new","title":"t","note":null}`},
	"nested-body": {tool: "create_thing",
		arguments: `{"parameters":{"Idempotency-Key":"k1"},"body":{"title":"t","box":{"sides":[{"length":1.50,"unit":"cm"},{"length":2}]}}}`,
		sent: []string{"POST /api/things\nContent-Type: application/json\nIdempotency-Key: k1\n\n" +
			`{"title":"t","box":{"sides":[{"length":1.50,"unit":"cm"},{"length":2}]}}`},
		got: `201 {"id":"new","title":"t"}`},
	"optional-omitted": {tool: "search", arguments: `{}`, sent: []string{"GET /api/search"}, got: `200 []`},
	"form-body": {tool: "submit_form", arguments: `{"body":{"name":"a b&c=d","count":3,"tags":["x","y"]}}`,
		sent: []string{"POST /api/forms\nContent-Type: application/x-www-form-urlencoded\n\n" +
			"name=a%20b%26c%3Dd&count=3&tags=x&tags=y"}, got: `204`},
	"plus-json-body": {tool: "change_thing", arguments: `{"path":{"id":"x"},"body":{"note":null}}`,
		sent: []string{"PATCH /api/things/x\nContent-Type: application/merge-patch+json\n\n" + `{"note":null}`},
		got:  `200 {"id":"x","note":null}`},
	"redirect-refused": {tool: "get_thing", arguments: getsX, fault: redirect(302),
		sent: []string{"GET /api/things/x"}, got: "! 302 upstream_302"},
	"redirect307-write-refused": {tool: "create_thing", arguments: creates, fault: redirect(307),
		sent: []string{created}, got: "! 307 upstream_307 ?"},
	"one-attempt-on-503": {tool: "create_thing", arguments: creates, fault: respond(503, "", ""),
		sent: []string{created}, got: "! 503 upstream_503 ?"},
	"503-is-error": {tool: "get_thing", arguments: getsX, fault: respond(503, asJSON, `{"id":"x"}`),
		sent: []string{"GET /api/things/x"}, got: "! 503 upstream_503"},
	"503-body-not-leaked": {tool: "get_thing", arguments: getsX,
		fault: respond(503, "text/html", "<h1>db-17.internal: S3CRET</h1>"),
		sent:  []string{"GET /api/things/x"}, got: "! 503 upstream_503", hides: "S3CRET"},
	"409-outcome-kept-and-flagged": {tool: "create_thing", arguments: creates,
		fault: respond(409, asJSON, `{"aggregateId":"a","version":3,"status":"rejected","rejection":"stale"}`),
		sent:  []string{created}, got: `! 409 {"aggregateId":"a","version":3,"status":"rejected","rejection":"stale"}`},
	"malformed-success-refused": {tool: "get_thing", arguments: getsX, fault: respond(200, asJSON, `{"id":"x"`),
		sent: []string{"GET /api/things/x"}, got: "! 200 invalid_response"},
	"off-contract-success-refused": {tool: "get_thing", arguments: getsX, fault: respond(200, asJSON, `{"id":42}`),
		sent: []string{"GET /api/things/x"}, got: "! 200 invalid_response"},
	"204-is-success": {tool: "delete_thing", arguments: getsX, sent: []string{"DELETE /api/things/x"}, got: `204`},
	"text-response": {tool: "get_file", arguments: `{"path":{"name":"n"}}`,
		sent: []string{"GET /api/files/n"}, got: `200 "the file n"`},
	"binary-response-intact": {tool: "get_picture", arguments: getsX, sent: []string{"GET /api/pictures/x"},
		got: `200 {"media_type":"image/png","base64":"iVBORw0KGgoA//6A"}`},
	"structured-content": {tool: "get_thing", arguments: getsX, sent: []string{"GET /api/things/x"}, got: `200 {"id":"x"}`,
		says: `{"operation_id":"getThing","status":200,"result":{"id":"x"}}`},
	"900KiB-args-refused": {tool: "create_thing", arguments: `{"parameters":{"Idempotency-Key":"k1"},"body":{"title":"` +
		strings.Repeat("t", 900<<10) + `"}}`, got: "! 0 arguments_too_large"},
	"8MiB-bounded": {tool: "get_thing", arguments: getsX,
		fault: respond(200, asJSON, `{"id":"x","title":"`+strings.Repeat("t", 8<<20)+`"}`),
		sent:  []string{"GET /api/things/x"}, got: "! 200 response_too_large", says: "1048576 bytes; ask for less with fields"},
}

// lists are the behaviours that tools/list shows.
var lists = map[string]func(*mcp.Tool) error{
	"auth-header-not-an-argument": func(t *mcp.Tool) error {
		if schema := fmt.Sprint(t.InputSchema); strings.Contains(strings.ToLower(schema), "authorization") {
			return fmt.Errorf("%s takes a credential: %s", t.Name, schema)
		}
		return nil
	},
	"delete-annotated": annotated("delete_thing", mcp.ToolAnnotations{IdempotentHint: true, DestructiveHint: new(true)}),
	"get-annotated":    annotated("get_thing", mcp.ToolAnnotations{IdempotentHint: true, ReadOnlyHint: true, DestructiveHint: new(false)}),
}

func annotated(name string, want mcp.ToolAnnotations) func(*mcp.Tool) error {
	return func(t *mcp.Tool) error {
		if t.Name != name {
			return nil
		}
		got := *t.Annotations
		got.OpenWorldHint = nil // of no matter here
		if diff := gocmp.Diff(want, got); diff != "" {
			return fmt.Errorf("annotations of %s (-want +got):\n%s", name, diff)
		}
		return nil
	}
}

// TestWire holds the behaviours in which generated tools were found to differ.
//
// clause: E-10, E-11, E-12, E-13, E-14, E-15, E-16, E-17, E-18, E-20, E-52, E-54, E-55
func TestWire(t *testing.T) {
	t.Parallel()
	if got := len(calls) + len(lists); got != 37 {
		t.Errorf("%d behaviours, want 37", got)
	}
	for name, b := range calls {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u := newUpstream(t, b.fault)
			server := newEdge(t, u, edge.Config{}, edge.Options{})
			for _, era := range eras {
				b.hold(t, u, connect(t, server, era, "a"), era)
			}
		})
	}
	for name, check := range lists {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newEdge(t, newUpstream(t, nil), edge.Config{}, edge.Options{})
			for _, era := range eras {
				list, err := connect(t, server, era, "a").ListTools(t.Context(), nil)
				if err != nil || len(list.Tools) != 15 {
					t.Fatalf("%s: %v, %v", era, list, err)
				}
				for _, tool := range list.Tools {
					if err := check(tool); err != nil {
						t.Errorf("%s: %v", era, err)
					}
				}
			}
		})
	}
}

// hold makes the call and compares both ends.
func (b behaviour) hold(t *testing.T, u *upstream, session *mcp.ClientSession, era string) {
	t.Helper()
	got, err := call(t, session, b.tool, b.arguments)
	if err != nil {
		t.Fatalf("%s: %v", era, err)
	}
	if diff := gocmp.Diff(b.sent, u.took()); diff != "" {
		t.Errorf("%s: the upstream received (-want +got):\n%s", era, diff)
	}
	if got.String() != b.got {
		t.Errorf("%s: the client received\n     %.900s\nwant %s", era, got, b.got)
	}
	if !strings.Contains(got.all, b.says) {
		t.Errorf("%s: %.900s does not say %q", era, got.all, b.says)
	}
	if b.hides != "" && strings.Contains(got.all, b.hides) {
		t.Errorf("%s: %.900s repeats %q", era, got.all, b.hides)
	}
}
