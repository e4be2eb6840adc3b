package wiretest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/tool"
)

var places = map[string]string{
	"I06": "internal/wiretest/faults_test.go TestFaults",
	"I09": "internal/wiretest/faults_test.go TestFaults",
	"I11": "internal/wiretest/wire_test.go nullable-null-kept",
	"I12": "internal/wiretest/faults_test.go TestFaults",
	"I15": "internal/wiretest/faults_test.go TestFaults",
	"I18": "internal/wiretest/wire_test.go path-traversal",
	"I20": "internal/wiretest/wire_test.go query-array-csv",
	"I22": "internal/wiretest/wire_test.go query-deepobject",
	"I23": "internal/wiretest/wire_test.go query-array-explode",
	"I24": "internal/wiretest/wire_test.go command-headers",
	"I25": "internal/wiretest/wire_test.go auth-header-not-an-argument",
	"I26": "internal/wiretest/wire_test.go path-level-param",
	"I27": "internal/wiretest/faults_test.go TestFaults",
	"I29": "internal/wiretest/faults_test.go TestFaults",
	"I30": "internal/wiretest/faults_test.go TestFaults",
	"I31": "internal/wiretest/wire_test.go plus-json-body",
	"I32": "internal/wiretest/faults_test.go TestFaults",
	"I33": "internal/wiretest/faults_test.go TestFaults",
	"I35": "internal/wiretest/faults_test.go TestFaults",
	"I36": "internal/wiretest/faults_test.go TestFaults",
	"I37": "edge/session_test.go TestScopes",
	"I38": "internal/wiretest/wire_test.go 204-is-success",
	"I39": "internal/wiretest/wire_test.go 8MiB-bounded",
	"I40": "edge/outcome_test.go TestReplies",
	"I41": "internal/wiretest/faults_test.go TestFaults",
	"I42": "internal/wiretest/count_test.go TestCount",
	"I43": "internal/wiretest/faults_test.go TestFaults",
	"I45": "edge/session_test.go TestHandshake",
	"I47": "edge/session_test.go TestAnnotations",
}

// TestPlaces: each fault that shows at run time has a test where the table says.
func TestPlaces(t *testing.T) {
	t.Parallel()
	for id, place := range places {
		file, name, _ := strings.Cut(place, " ")
		data, err := os.ReadFile(filepath.Join("../..", file))
		if err != nil {
			t.Fatal(err)
		}
		wanted := [][]byte{[]byte("func " + name + "(t "), []byte(`"` + name + `":`)}
		if name == "TestFaults" {
			wanted = [][]byte{[]byte(`"` + id + `":`), []byte(`t.Run("` + id)}
			data = data[bytes.Index(data, []byte("func TestPlaces")):]
		}
		if !bytes.Contains(data, wanted[0]) && !bytes.Contains(data, wanted[1]) {
			t.Errorf("fault %s: there is no %s in %s", id, name, file)
		}
	}
}

// replies is a comment with ten more inside it.
var replies = strings.Repeat(`{"text":"c","replies":[`, 10) + `{"text":"last"}` + strings.Repeat(`]}`, 10)

// faults are calls that users of other tools have seen go wrong.
var faults = map[string][]behaviour{
	"I06": {{tool: "search", arguments: `{"parameters":{"page_size":5}}`,
		sent: []string{"GET /api/search?page%5Bsize%5D=5"}, got: `200 []`}},
	"I09": {{tool: "add_comment", arguments: `{"body":` + replies + `}`,
		sent: []string{"POST /api/comments\nContent-Type: application/json\n\n" + replies}, got: `201 ` + replies}},
	"I12": {{tool: "check_thing", arguments: `{"body":{"title":"t","kind":3}}`,
		sent: []string{"POST /api/check\nContent-Type: application/json\n\n" + `{"title":"t","kind":3}`}, got: `204`},
		{tool: "check_thing", arguments: `{"body":{"title":"t","kind":"3"}}`, got: refused, says: "/body/kind"}},
	"I15": {{tool: "check_thing", arguments: `{"body":{"title":"t","id":"mine"}}`, got: refused, says: "id"},
		{tool: "get_thing", arguments: getsX, fault: respond(200, asJSON, `{"id":"x","secret":"S3CRET"}`),
			sent: []string{"GET /api/things/x"}, got: `200 {"id":"x"}`, hides: "S3CRET"}},
	"I27": {{tool: "add_comment", arguments: `{"body":{"text":"Test"}}`,
		sent: []string{"POST /api/comments\nContent-Type: application/json\n\n" + `{"text":"Test"}`}, got: `201 {"text":"Test"}`}},
	"I29": {{tool: "search", arguments: `{"parameters":{"theme":"dark; a=b"}}`,
		sent: []string{"GET /api/search\nCookie: theme=dark%3B%20a%3Db"}, got: `200 []`},
		{tool: "upload", arguments: `{"body":{"title":"t","file":{"media_type":"text/plain","base64":"YQ=="}}}`,
			sent: []string{multipart}, got: `204`}},
	"I30": {{tool: "put_picture", arguments: `{"path":{"id":"x"},"body":{"media_type":"application/octet-stream","base64":"AP+A"}}`,
		sent: []string{"PUT /api/pictures/x\nContent-Type: application/octet-stream\n\n\x00\xff\x80"}, got: `204`},
		{tool: "put_picture", arguments: getsX, got: refused, says: "body"},
		{tool: "put_picture", arguments: `{"path":{"id":"x"},"body":{"base64":"no base64!"}}`, got: refused}},
	"I32": {{tool: "create_thing", arguments: `{"parameters":{"Idempotency-Key":"k1"},"body":"{\"title\":\"t\"}"}`,
		got: refused, says: "/body: expected an object, got a string"}},
	"I41": {{tool: "get_thing", arguments: getsX, fault: elsewhere(302),
		sent: []string{"GET /api/things/x"}, got: "! 302 upstream_302", hides: "localhost"},
		{tool: "create_thing", arguments: creates, fault: elsewhere(307),
			sent: []string{created}, got: "! 307 upstream_307 ?", hides: "localhost"}},
}

// boundary is derived from the arguments.
const boundary = "7b75bee2092fb5fc15f1cdd24f11075c66d0709c"

const multipart = "POST /api/uploads\nContent-Type: multipart/form-data; boundary=" + boundary + "\n\n--" + boundary +
	"\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nt\r\n--" + boundary +
	"\r\nContent-Disposition: form-data; name=\"file\"; filename=\"file\"\r\nContent-Type: text/plain\r\n\r\na\r\n--" +
	boundary + "--\r\n"

// elsewhere redirects to another host, which nobody must ever ask.
func elsewhere(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", strings.Replace("http://"+r.Host, "127.0.0.1", "localhost", 1)+"/secret")
		w.WriteHeader(status)
	}
}

// TestFaults holds what was reported of comparable tools and is shown nowhere
// else.
//
// clause: E-10, E-15, E-18, E-52, E-53, E-54, E-56
func TestFaults(t *testing.T) {
	t.Parallel()
	for id, cases := range faults {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			for _, b := range cases {
				u := newUpstream(t, b.fault)
				server := newEdge(t, u, edge.Config{}, edge.Options{})
				for _, era := range eras {
					b.hold(t, u, connect(t, server, era, "a"), era)
				}
			}
		})
	}
	t.Run("I33", basePath)
	t.Run("I35", ownCredential)
	t.Run("I36", ownIdentity)
	t.Run("I43", sameIDs)
}

func basePath(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]string{
		"": "GET /things/x", "/": "GET /things/x", "/api": "GET /api/things/x", "/api/": "GET /api/things/x",
		"/api/v2//": "GET /api/v2/things/x",
	} {
		u := newUpstream(t, nil)
		server := newEdge(t, nil, edge.Config{Upstreams: map[string]edge.Upstream{"wire": {URL: u.URL + base}}}, edge.Options{})
		for _, era := range eras {
			if _, err := call(t, connect(t, server, era, "a"), "get_thing", getsX); err != nil {
				t.Fatal(err)
			}
			if got := u.took(); len(got) != 1 || got[0] != want {
				t.Errorf("base path %q, %s: got %q, want %q", base, era, got, want)
			}
		}
	}
}

// interleave makes 1,000 calls of two callers, each in both eras, whose replies
// must be their own.
func interleave(t *testing.T, server *httptest.Server) {
	var wait sync.WaitGroup
	for _, caller := range []string{"ann", "bob"} {
		for worker := range 10 {
			session := connect(t, server, eras[worker%2], caller)
			wait.Go(func() {
				for n := range 50 {
					id := fmt.Sprintf("%s-%d-%d", caller, worker, n)
					got, err := call(t, session, "get_thing", fmt.Sprintf(`{"path":{"id":%q}}`, id))
					if want := fmt.Sprintf(`200 {"id":%q}`, id); err != nil || got.String() != want {
						t.Errorf("got %s, %v, want %s", got, err, want)
						return
					}
				}
			})
		}
	}
	wait.Wait()
}

func ownCredential(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte("G1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	u := newUpstream(t, nil)
	interleave(t, newEdge(t, u, edge.Config{
		Upstreams: map[string]edge.Upstream{"wire": {Credentials: map[string]string{"bearer": file}}},
		Admission: edge.Admission{CallsPerMinute: -1},
	}, edge.Options{}))
	received := u.took()
	for _, r := range received {
		if strings.Count(r, "Authorization: Bearer G1") != 1 || strings.Contains(r, tokenOf) {
			t.Fatalf("the upstream received %s", r)
		}
	}
	if len(received) != 1000 {
		t.Errorf("%d requests, want 1000", len(received))
	}
}

// An exchange puts the caller's own identity on each call, as an assertion does.
func ownIdentity(t *testing.T) {
	t.Parallel()
	u := newUpstream(t, nil)
	x, err := tool.NewUpstream(map[string]tool.UpstreamConfig{"wire": {
		BaseURL: u.URL + "/api",
		Apply: func(ctx context.Context, r *http.Request, _ *tool.Operation) error {
			r.Header.Set("Authorization", "Assertion "+edge.Caller(ctx).Subject)
			return nil
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Close)
	interleave(t, newEdge(t, nil, edge.Config{Admission: edge.Admission{CallsPerMinute: -1}}, edge.Options{Exchange: x}))
	received := u.took()
	for _, r := range received {
		caller, _, _ := strings.Cut(strings.TrimPrefix(r, "GET /api/things/"), "-")
		if !strings.HasSuffix(r, "\nAuthorization: Assertion "+caller) || strings.Contains(r, tokenOf) {
			t.Fatalf("the upstream received %s", r)
		}
	}
	if len(received) != 1000 {
		t.Errorf("%d requests, want 1000", len(received))
	}
}

// Callers use the same JSON-RPC ids at the same time, without sessions and with
// sessions of their own.
func sameIDs(t *testing.T) {
	t.Parallel()
	for _, sessions := range []*edge.Sessions{nil, {}} {
		u := newUpstream(t, nil)
		server := newEdge(t, u, edge.Config{Admission: edge.Admission{CallsPerMinute: -1}}, edge.Options{Sessions: sessions})
		var wait sync.WaitGroup
		for worker := range 10 {
			session := ""
			if sessions != nil {
				session = connect(t, server, eras[0], "a").ID()
			}
			wait.Go(func() {
				for n := range 25 {
					id := fmt.Sprintf("%d-%d", worker, n)
					if got := post(t, server, session, id); got != fmt.Sprintf(`7 {"id":%q}`, id) {
						t.Errorf("asked for %s and got %s", id, got)
						return
					}
				}
			})
		}
		wait.Wait()
	}
}

// post calls get_thing with the JSON-RPC id 7, and returns the reply's id and
// result.
func post(t *testing.T, server *httptest.Server, session, id string) string {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"get_thing","arguments":{"path":{"id":%q}}}}`, id)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/mcp", strings.NewReader(body))
	if err != nil {
		return err.Error()
	}
	r.Header = http.Header{
		"Content-Type": {asJSON}, "Accept": {"application/json, text/event-stream"}, "Authorization": {"Bearer " + tokenOf + "a"},
		"Mcp-Protocol-Version": {eras[0]},
	}
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return err.Error()
	}
	defer func() { _ = response.Body.Close() }()
	data, _ := io.ReadAll(response.Body)
	var reply struct {
		ID     json.RawMessage `json:"id"`
		Result struct {
			Structured envelope `json:"structuredContent"`
		} `json:"result"`
	}
	if err := json.Unmarshal(data, &reply); err != nil {
		return err.Error() + string(data)
	}
	return string(reply.ID) + " " + string(reply.Result.Structured.Result)
}
