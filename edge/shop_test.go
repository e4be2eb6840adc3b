package edge_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/tool"
)

// The catalog of a small shop, as mcpgen would write it.

type itemInput struct {
	Path struct {
		ID string `json:"id"`
	} `json:"path"`
	Parameters struct {
		Limit  *int64  `json:"limit"`
		Cursor *string `json:"cursor"`
		Key    *string `json:"Idempotency-Key"`
		Match  *string `json:"If-Match"`
	} `json:"parameters"`
	Body tool.Body[json.RawMessage] `json:"body"`
}

func (in *itemInput) request(method, base, path string) *tool.RequestBuilder {
	r := tool.NewRequest(method, base, path, "")
	if strings.Contains(path, "{id}") {
		r.Path("id", tool.Simple, in.Path.ID)
	}
	r.Query("limit", tool.Form|tool.Explode, in.Parameters.Limit)
	r.Query("cursor", tool.Form|tool.Explode, in.Parameters.Cursor)
	r.Header("Idempotency-Key", tool.Simple, in.Parameters.Key)
	r.Header("If-Match", tool.Simple, in.Parameters.Match)
	if in.Body.Given() {
		r.Body(in.Body.JSON("application/json"))
	}
	return r
}

type (
	getItem    struct{ itemInput }
	listItems  struct{ itemInput }
	createItem struct{ itemInput }
	deleteItem struct{ itemInput }
	checkItem  struct{ itemInput }
	getNote    struct{ itemInput }
	getBlob    struct{ itemInput }
)

func (in *getItem) Request(base string) (*http.Request, error) {
	return in.request(http.MethodGet, base, "/items/{id}").Build()
}

func (in *listItems) Request(base string) (*http.Request, error) {
	return in.request(http.MethodGet, base, "/items").Build()
}

func (in *createItem) Request(base string) (*http.Request, error) {
	return in.request(http.MethodPut, base, "/items/{id}").Build()
}

func (in *deleteItem) Request(base string) (*http.Request, error) {
	return in.request(http.MethodDelete, base, "/items/{id}").Build()
}

func (in *checkItem) Request(base string) (*http.Request, error) {
	return in.request(http.MethodPost, base, "/check").Build()
}

func (in *getNote) Request(base string) (*http.Request, error) {
	return in.request(http.MethodGet, base, "/note").Build()
}

func (in *getBlob) Request(base string) (*http.Request, error) {
	return in.request(http.MethodGet, base, "/blob").Build()
}

const panicID = "77777777-7777-4777-8777-777777777777"

func dispatch(ctx context.Context, x tool.Exchange, op *tool.Operation, arguments []byte) (tool.Result, error) {
	switch op.Tool {
	case "get_item":
		if strings.Contains(string(arguments), panicID) {
			panic("secret of the process")
		}
		return tool.Call(ctx, x, op, arguments, new(getItem))
	case "list_items":
		return tool.Call(ctx, x, op, arguments, new(listItems))
	case "create_item":
		result, err := tool.Call(ctx, x, op, arguments, new(createItem))
		if strings.Contains(string(arguments), panicID) {
			panic("secret of the process")
		}
		return result, err
	case "delete_item":
		return tool.Call(ctx, x, op, arguments, new(deleteItem))
	case "check_item":
		return tool.Call(ctx, x, op, arguments, new(checkItem))
	case "get_note":
		return tool.Call(ctx, x, op, arguments, new(getNote))
	case "get_blob":
		return tool.Call(ctx, x, op, arguments, new(getBlob))
	default:
		return tool.Result{}, fmt.Errorf("%s: %w", op.Tool, tool.ErrUnknown)
	}
}

const (
	pathID = `"path":{"type":"object","additionalProperties":false,"required":["id"],
		"properties":{"id":{"type":"string"}}}`
	paging = `"parameters":{"type":"object","additionalProperties":false,
		"properties":{"limit":{"type":"integer"},"cursor":{"type":"string"}}}`
	command = `"parameters":{"type":"object","additionalProperties":false,"required":["Idempotency-Key"],
		"properties":{"Idempotency-Key":{"type":"string"},"If-Match":{"type":"string"}}}`
	itemBody = `"body":{"type":"object","additionalProperties":false,"required":["name"],
		"properties":{"name":{"type":"string"},"count":{"type":"integer"}}}`
	defs = `"Item":{"type":"object","required":["id"],
		"properties":{"id":{"type":"string"},"count":{"type":"integer"}}},
		"Problem":{"type":"object","required":["code"],
		"properties":{"code":{"type":"string"},"detail":{"type":"string"}}},
		"Free":{"type":"object"},
		"Outcome":{"type":"object","required":["aggregateId","status"],
		"properties":{"aggregateId":{"type":"string"},"version":{"type":"integer"},
		"status":{"type":"string"},"rejection":{"type":"string"}}}`
)

func schemaFile(name, input, required string, results ...string) []byte {
	anyOf := `{"$ref":"#/$defs/` + strings.Join(results, `"},{"$ref":"#/$defs/`) + `"}`
	if len(results) == 0 {
		anyOf = `{"type":"string"},{"type":"object","required":["media_type","base64"],
			"properties":{"media_type":{"type":"string"},"base64":{"type":"string"}}}`
	}
	return fmt.Appendf(nil, `{"name":%q,"description":"What %s does.",
		"inputSchema":{"type":"object","additionalProperties":false,"properties":{%s},"required":[%s]},
		"outputSchema":{"type":"object","additionalProperties":false,"required":["operation_id"],"properties":{
			"operation_id":{"type":"string"},"status":{"type":"integer"},"result":{"anyOf":[%s]},
			"error":{"type":"object","additionalProperties":false,"required":["code","message"],"properties":{
				"code":{"type":"string"},"message":{"type":"string"},"outcome_unknown":{"type":"boolean"}}}},
			"$defs":{%s}}}`, name, name, input, required, anyOf, defs)
}

func shop() tool.Catalog {
	item := tool.Reply{Status: "200", MediaType: "application/json", Schema: "Item"}
	problem := tool.Reply{Status: "404", MediaType: "application/problem+json", Schema: "Problem"}
	free := tool.Reply{Status: "418", MediaType: "application/json", Schema: "Free"}
	outcome := func(status string) tool.Reply {
		return tool.Reply{Status: status, MediaType: "application/json", Schema: "Outcome", Outcome: true}
	}
	return tool.Catalog{
		Name: "shop",
		Documents: []tool.Document{{
			Name: "shop",
			Schemes: []tool.Scheme{
				{Name: "basic", In: "header", Key: "Authorization", Prefix: "Basic "},
				{Name: "crumb", In: "cookie", Key: "crumb"},
				{Name: "header", In: "header", Key: "X-Api-Key"},
				{Name: "query", In: "query", Key: "api key"},
			},
			Security: [][]string{{"header"}, {"query", "crumb"}, {"basic"}},
		}},
		Operations: []tool.Operation{
			{Tool: "check_item", ID: "checkItem", Document: "shop", Scope: "shop:read", Effect: tool.Read, Idempotent: true,
				Replies: []tool.Reply{item}},
			{Tool: "create_item", ID: "createItem", Document: "shop", Scope: "shop:write", Effect: tool.Write,
				Idempotent: true, Replies: []tool.Reply{{Status: "201", MediaType: "application/json", Schema: "Item"},
					problem, free, {Status: "default", MediaType: "application/json", Schema: "Free"}, outcome("200"), outcome("202"), outcome("409"), outcome("422")}},
			{Tool: "delete_item", ID: "deleteItem", Document: "shop", Scope: "shop:write", Effect: tool.Delete,
				Idempotent: true, Replies: []tool.Reply{{Status: "204"},
					{Status: "default", MediaType: "application/problem+json", Schema: "Problem"}}},
			{Tool: "get_blob", ID: "getBlob", Document: "shop", Scope: "shop:read", Effect: tool.Read, Idempotent: true,
				Replies: []tool.Reply{{Status: "200", MediaType: "application/x-protobuf"}}, Security: [][]string{}},
			{Tool: "get_item", ID: "getItem", Document: "shop", Scope: "shop:read", Effect: tool.Read, Idempotent: true,
				Replies: []tool.Reply{item, problem}},
			{Tool: "get_note", ID: "getNote", Document: "shop", Scope: "notes:read", Effect: tool.Read, Idempotent: true,
				Replies: []tool.Reply{{Status: "200", MediaType: "text/markdown"}}},
			{Tool: "list_items", ID: "listItems", Document: "shop", Scope: "shop:read", Effect: tool.Read, Idempotent: true,
				Replies: []tool.Reply{{Status: "2XX", MediaType: "application/json", Schema: "Free"}}},
		},
		Schemas: fstest.MapFS{
			"schemas/check_item.json":  {Data: schemaFile("check_item", itemBody, `"body"`, "Item")},
			"schemas/create_item.json": {Data: schemaFile("create_item", pathID+","+command+","+itemBody, `"path","parameters","body"`, "Item", "Outcome")},
			"schemas/delete_item.json": {Data: schemaFile("delete_item", pathID, `"path"`, "Problem")},
			"schemas/get_blob.json":    {Data: schemaFile("get_blob", paging, ``)},
			"schemas/get_item.json":    {Data: schemaFile("get_item", pathID, `"path"`, "Item")},
			"schemas/get_note.json":    {Data: schemaFile("get_note", paging, ``)},
			"schemas/list_items.json":  {Data: schemaFile("list_items", paging, ``, "Free")},
		},
		Dispatch: dispatch,
	}
}

// bench is an edge in front of an upstream that a test scripts.
type bench struct {
	url      string
	token    string
	upstream string
	sent     atomic.Int64 // requests that the upstream saw
	log      *lockedBuffer
}

const token = "a-token-for-the-tests"

// setup starts an edge over catalog c. The upstream answers with reply.
func setup(t *testing.T, c tool.Catalog, config edge.Config, reply http.HandlerFunc) *bench {
	t.Helper()
	b := &bench{token: token, log: &lockedBuffer{}}
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.sent.Add(1)
		reply(w, r)
	}))
	t.Cleanup(upstream.Close)
	b.upstream = upstream.URL
	u := config.Upstreams["shop"]
	if u.URL == "" {
		u.URL = upstream.URL + "/base"
	}
	if len(c.Documents) > 0 {
		config.Upstreams = map[string]edge.Upstream{"shop": u}
	}
	b.serve(t, c, config)
	return b
}

func (b *bench) serve(t *testing.T, c tool.Catalog, config edge.Config) {
	t.Helper()
	var scopes []string
	for _, op := range c.Operations {
		scopes = append(scopes, op.Scope)
	}
	if len(config.Authentication.Scopes) > 0 {
		scopes = config.Authentication.Scopes
	}
	auth, err := edge.NewDevToken(b.token, scopes)
	if err != nil {
		t.Fatal(err)
	}
	if config.Admission == (edge.Admission{}) {
		config.Admission.CallsPerMinute = -1 // tests are faster than callers
	}
	s, err := edge.New(config, c, edge.Options{
		Authenticator: auth, Log: b.logger(), Version: "test",
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	b.url = server.URL + "/mcp"
}

func (b *bench) logger() *slog.Logger { return slog.New(slog.NewJSONHandler(b.log, nil)) }

// connect is go-sdk's own client, in the era of the given version.
func (b *bench) connect(t *testing.T, version string) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: b.url, HTTPClient: &http.Client{Transport: withToken{b.token}}, MaxRetries: -1,
	}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

type withToken struct{ token string }

func (w withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+w.token)
	return http.DefaultTransport.RoundTrip(r)
}

// eras are the two ways of speaking MCP that clients use.
var eras = []string{"2025-11-25", "2026-07-28"}

// answer is the reply to one message, as it was on the wire.
type answer struct {
	Status int
	Header http.Header
	Body   string
	ID     json.RawMessage `json:"id"`
	Result struct {
		IsError    bool            `json:"isError"`
		Structured json.RawMessage `json:"structuredContent"`
		Content    []struct {
			Type string `json:"type"`
			Text string `json:"text"`
			Data []byte `json:"data"`
			MIME string `json:"mimeType"`
		} `json:"content"`
	} `json:"result"`
	Error *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// call posts one tools/call, without any client in between.
func (b *bench) call(t *testing.T, name, arguments string) answer {
	t.Helper()
	return b.post(t, "2025-11-25", fmt.Sprintf(
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, name, arguments), nil)
}

func (b *bench) post(t *testing.T, version, message string, header http.Header) answer {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url, strings.NewReader(message))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+b.token)
	r.Header.Set("MCP-Protocol-Version", version)
	for name, values := range header {
		r.Header[name] = values
		if name == "Host" {
			r.Host = values[0]
		}
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	a := answer{Status: response.StatusCode, Header: response.Header, Body: string(body)}
	_ = json.Unmarshal(body, &a)
	return a
}

// envelope returns the envelope of an answer after checking that both copies
// are the same bytes.
func (a answer) envelope(t *testing.T) string {
	t.Helper()
	if len(a.Result.Content) != 1 || a.Result.Content[0].Text != string(a.Result.Structured) {
		t.Fatalf("status %d: text and structured content differ: %.600s", a.Status, a.Body)
	}
	return a.Result.Content[0].Text
}

func respond(status int, mediaType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if mediaType != "" {
			w.Header().Set("Content-Type", mediaType)
		}
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// Arguments that pass each tool's schema.
const (
	withID  = `{"path":{"id":"x"}}`
	creates = `{"path":{"id":"x"},"parameters":{"Idempotency-Key":"k","If-Match":"0"},"body":{"name":"n"}}`
)

// lockedBuffer is a log that a test may read while the server writes it.
type lockedBuffer struct {
	mu   sync.Mutex
	data bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.data.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.data.String()
}

// replaced is a file system in which a text of one file is another.
func replaced(files fs.FS, name, old, other string) fs.FS {
	changed := maps.Clone(files.(fstest.MapFS))
	changed[name] = &fstest.MapFile{Data: bytes.Replace(changed[name].Data, []byte(old), []byte(other), 1)}
	return changed
}
