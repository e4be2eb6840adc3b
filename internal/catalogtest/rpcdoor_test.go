package catalogtest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/catalogtest/generated/desk"
	"github.com/pharos-mcp/pharos/internal/catalogtest/generated/deskapi"
)

// fullDesk is a desk whose notes are refused with a code of its own.
type fullDesk struct{ Desk }

// CreateNote implements desk.Handler.
func (d *fullDesk) CreateNote(context.Context, *desk.CreateNoteInput) (note deskapi.NoteModel, err error) {
	return note, &fault.Fault{Code: "full", Message: "the desk is full", RetryAfter: 1500e6}
}

// journal is a log that may be written to and read at the same time.
type journal struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.b.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.b.String()
}

// TestRPCDoor: what is not a call of a method is refused in the RPC's shape, and
// whether the service is well is told to whoever asks.
//
// clause: W-01, W-02
func TestRPCDoor(t *testing.T) {
	t.Parallel()
	log := &journal{}
	var well error
	h, err := edge.NewRPC(edge.Config{}, desk.Catalog(new(fullDesk)), edge.Options{
		Authenticator: named{}, Version: "1.2", Log: slog.New(slog.NewJSONHandler(log, nil)),
		ErrorCodes: map[string]string{
			"forbidden": "permission_denied", "invalid_arguments": "invalid_request", "arguments_too_large": "too_large",
		},
	}, edge.RPC{
		Path: "/v1/rpc", Members: []string{"project_id"}, Statuses: map[string]int{"full": http.StatusServiceUnavailable, "timeout": http.StatusTeapot},
		Health: func(context.Context) error { return well },
	})
	if err != nil {
		t.Fatal(err)
	}
	url := serve(t, h)
	const list = `{"method":"list_notes","params":{"project_id":"p"}}`
	deep := func(n int) string {
		return `{"method":"list_notes","params":{"project_id":"p","tag":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}}`
	}
	for name, c := range map[string]struct {
		method, path, key, body string
		head                    map[string]string
		status                  int
		want                    string
		after                   string
	}{
		"a call":             {"POST", "/v1/rpc", "ann", list, nil, 200, `{"ok":true,"result":{"notes":[]}}`, ""},
		"health":             {"GET", "/health", "", "", nil, 200, `{"status":"ok","version":"1.2"}`, ""},
		"health, posted":     {"POST", "/health", "", "", nil, 405, `{"ok":false,"error":{"code":"invalid_request",`, ""},
		"health, elsewhere":  {"GET", "/health", "", "", map[string]string{"Host": "example.org"}, 403, `{"ok":false,"error":{"code":"permission_denied",`, ""},
		"another path":       {"POST", "/v1/rpc/", "ann", list, nil, 404, `{"ok":false,"error":{"code":"not_found",`, ""},
		"no key":             {"POST", "/v1/rpc", "", list, nil, 401, `{"ok":false,"error":{"code":"unauthenticated",`, ""},
		"a GET":              {"GET", "/v1/rpc", "ann", "", nil, 405, `{"ok":false,"error":{"code":"invalid_request",`, ""},
		"text":               {"POST", "/v1/rpc", "ann", list, map[string]string{"Content-Type": "text/plain"}, 415, `{"ok":false,"error":{"code":"invalid_request",`, ""},
		"another host":       {"POST", "/v1/rpc", "ann", list, map[string]string{"Host": "example.org"}, 403, `{"ok":false,"error":{"code":"permission_denied",`, ""},
		"a page of another":  {"POST", "/v1/rpc", "ann", list, map[string]string{"Origin": "https://example.org"}, 403, `{"ok":false,"error":{"code":"permission_denied",`, ""},
		"a page of nobody":   {"POST", "/v1/rpc", "ann", list, map[string]string{"Origin": "null"}, 403, `{"ok":false,"error":{"code":"permission_denied",`, ""},
		"not allowed":        {"POST", "/v1/rpc", "ann", `{"method":"tidy","params":{"project_id":"p"}}`, nil, 403, `{"ok":false,"error":{"code":"permission_denied",`, ""},
		"a wrong argument":   {"POST", "/v1/rpc", "ann", `{"method":"get_note","params":{}}`, nil, 400, `{"ok":false,"error":{"code":"invalid_request",`, ""},
		"no such method":     {"POST", "/v1/rpc", "ann", `{"method":"x"}`, nil, 400, `{"ok":false,"error":{"code":"invalid_request",`, ""},
		"a code of its own":  {"POST", "/v1/rpc", "ann", `{"method":"create_note","params":{"project_id":"p","title":"t"}}`, nil, 503, `{"ok":false,"error":{"code":"full","message":"the desk is full"}}`, "2"},
		"too large":          {"POST", "/v1/rpc", "ann", `{"method":"` + strings.Repeat("x", 1<<20) + `"}`, nil, 413, `{"ok":false,"error":{"code":"too_large",`, ""},
		"too large inside":   {"POST", "/v1/rpc", "ann", `{"method":"list_notes","params":{"tag":["` + strings.Repeat("x", 16384) + `"]}}`, nil, 413, `{"ok":false,"error":{"code":"too_large",`, ""},
		"10,000 deep":        {"POST", "/v1/rpc", "ann", deep(10_000), nil, 400, `{"ok":false,"error":{"code":"invalid_request",`, ""},
		"deep, within bound": {"POST", "/v1/rpc", "ann", deep(5_000), nil, 400, `{"ok":false,"error":{"code":"invalid_request",`, ""},
		"no JSON":            {"POST", "/v1/rpc", "ann", `{"method":`, nil, 400, `{"ok":false,"error":{"code":"invalid_request",`, ""},
		"twice":              {"POST", "/v1/rpc", "ann", `{"method":"list_notes","method":"tidy"}`, nil, 400, `{"ok":false,"error":{"code":"invalid_request",`, ""},
		"an id too long":     {"POST", "/v1/rpc", "ann", `{"method":"list_notes","requestId":"` + strings.Repeat("i", 129) + `"}`, nil, 400, `{"ok":false,"error":{"code":"invalid_request",`, ""},
	} {
		r, err := http.NewRequestWithContext(t.Context(), c.method, url+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		if c.key != "" {
			r.Header.Set("Authorization", "Bearer "+c.key)
		}
		for name, value := range c.head {
			r.Header.Set(name, value)
		}
		if host := c.head["Host"]; host != "" {
			r.Host = host
		}
		status, head, body := send(t, r)
		if status != c.status || !strings.HasPrefix(body, c.want) || head.Get("Content-Type") != "application/json" ||
			head.Get("Retry-After") != c.after {
			t.Errorf("%s: %d %v %.200s; want %d %s", name, status, head, body, c.status, c.want)
		}
		if (status == http.StatusUnauthorized) != (head.Get("Www-Authenticate") == "Bearer") {
			t.Errorf("%s: challenge %q", name, head.Get("Www-Authenticate"))
		}
	}
	well = errors.New("db-17 is away")
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/health", nil)
	if status, _, body := send(t, r); status != 503 || body != `{"status":"unavailable","version":"1.2"}`+"\n" {
		t.Errorf("an ill service: %d %s", status, body)
	}
	for _, id := range []string{strings.Repeat("i", 128), "of a refusal"} {
		method := map[bool]string{true: "list_notes", false: "tidy"}[len(id) == 128]
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/v1/rpc",
			strings.NewReader(`{"method":"`+method+`","requestId":"`+id+`"}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer ann")
		if _, head, _ := send(t, r); head.Get("X-Request-Id") != id || !strings.Contains(log.String(), `"request":"`+id+`"`) {
			t.Errorf("%.20s: repeated %q, log %s", id, head.Get("X-Request-Id"), log)
		}
	}
	if strings.Contains(log.String(), "Bearer") {
		t.Errorf("a credential stands in the log: %s", log)
	}
}

// send sends a request and reads the reply.
func send(t *testing.T, r *http.Request) (status int, head http.Header, body string) {
	t.Helper()
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reply.Body.Close() }()
	data, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply.StatusCode, reply.Header, string(data)
}
