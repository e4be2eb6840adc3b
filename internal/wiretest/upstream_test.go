package wiretest

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// upstream is a server of the API. It records what it receives, and answers as
// the document says unless it has a fault.
type upstream struct {
	*httptest.Server
	fault http.HandlerFunc

	mu       sync.Mutex
	received []string
	conns    map[net.Conn]http.ConnState // those that are open
}

// newUpstream starts a server below /api. Without a fault it behaves.
func newUpstream(t testing.TB, fault http.HandlerFunc) *upstream {
	t.Helper()
	u := &upstream{fault: fault, conns: map[net.Conn]http.ConnState{}}
	u.Server = httptest.NewUnstartedServer(u)
	u.Config.ConnState = u.connState
	u.Config.ErrorLog = quiet
	u.Start()
	t.Cleanup(u.Close)
	return u
}

func (u *upstream) connState(c net.Conn, state http.ConnState) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if state == http.StateClosed || state == http.StateHijacked {
		delete(u.conns, c)
	} else {
		u.conns[c] = state
	}
}

// open is how many connections are open that no fault has taken over.
func (u *upstream) open() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.conns)
}

// ServeHTTP records the request and answers it.
func (u *upstream) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	u.mu.Lock()
	u.received = append(u.received, seen(r, body))
	u.mu.Unlock()
	if u.fault != nil {
		u.fault(w, r)
		return
	}
	behave(w, r, body)
}

// took returns what was received, and forgets it.
func (u *upstream) took() []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	defer func() { u.received = nil }()
	return u.received
}

// unremarkable are the headers that every request has.
var unremarkable = []string{"Accept", "Content-Length", "User-Agent"}

// seen is a request as it was on the wire: its line, all headers that are not
// the same everywhere, and its body.
func seen(r *http.Request, body []byte) string {
	var b strings.Builder
	b.WriteString(r.Method + " " + r.RequestURI)
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		if !slices.Contains(unremarkable, name) {
			b.WriteString("\n" + name + ": " + strings.Join(r.Header[name], " | "))
		}
	}
	if len(body) > 0 {
		b.WriteString("\n\n" + string(body))
	}
	return b.String()
}

// picture is no text in any encoding.
var picture = []byte("\x89PNG\r\n\x1a\n\x00\xff\xfe\x80")

// behave answers as the document says.
func behave(w http.ResponseWriter, r *http.Request, body []byte) {
	path := strings.TrimPrefix(r.URL.Path, "/api/")
	kind, rest, _ := strings.Cut(path, "/")
	switch {
	case r.Method == http.MethodDelete, kind == "batch", kind == "check", kind == "forms", kind == "uploads",
		kind == "pictures" && r.Method == http.MethodPut:
		w.WriteHeader(http.StatusNoContent)
	case kind == "files":
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(w, "the file "+rest)
	case kind == "pictures":
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write(picture)
	case kind == "search":
		answer(w, http.StatusOK, `[]`)
	case kind == "comments":
		answer(w, http.StatusCreated, string(body))
	case kind == "things" && r.Method == http.MethodPost:
		answer(w, http.StatusCreated, thing("new", body))
	default:
		answer(w, http.StatusOK, thing(rest, body))
	}
}

func answer(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

// thing is a thing with the members that a request's body gives it.
func thing(id string, body []byte) string {
	var given struct {
		Title  json.RawMessage `json:"title,omitempty"`
		Number json.RawMessage `json:"number,omitempty"`
		Note   json.RawMessage `json:"note,omitempty"`
	}
	_ = json.Unmarshal(body, &given)
	text, _ := json.Marshal(given)
	if string(text) == "{}" {
		return fmt.Sprintf(`{"id":%q}`, id)
	}
	return fmt.Sprintf(`{"id":%q,%s`, id, text[1:])
}
