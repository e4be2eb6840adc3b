package worldtest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/key"
)

// reply is what the RPC answers.
type reply struct {
	status int
	header http.Header
	body   string

	OK     *bool  `json:"ok"`
	Result fields `json:"result"`
	Error  *struct {
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// ask sends a request, and holds its reply to the one shape of all (W-02): nothing
// in it tells of keys or of where anything is.
func (s *server) ask(t testing.TB, r *http.Request) (got reply) {
	t.Helper()
	response, body := sent(t, r)
	got.status, got.header, got.body = response.StatusCode, response.Header, string(body)
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(&got); err != nil || d.More() {
		t.Errorf("status %d: this is not of the one shape: %q, %v", got.status, body, err)
	}
	good := got.OK != nil && (*got.OK == (got.status == 200)) && (got.Error == nil) == *got.OK && (got.Result != nil) == *got.OK
	if !good || got.Error != nil && (got.Error.Code == "" || got.Error.Message == "") {
		t.Errorf("status %d: this is not of the one shape: %q", got.status, body)
	}
	if got.header.Get("Content-Type") != "application/json" {
		t.Errorf("its type is %q", got.header.Get("Content-Type"))
	}
	for _, hidden := range []string{s.folder, "/tmp/", ".go:", "goroutine", "SQLSTATE", s.keys[key.Admin], s.keys[key.Agent]} {
		if strings.Contains(got.body, hidden) {
			t.Errorf("a reply tells of %q: %.300q", hidden, got.body)
		}
	}
	return got
}

// sent sends a request on a connection of its own, and reads the reply also where
// that comes before all is sent.
func sent(t testing.TB, r *http.Request) (*http.Response, []byte) {
	t.Helper()
	conn, err := net.Dial("tcp", r.URL.Host)
	ok(t, err)
	defer func() { _ = conn.Close() }()
	r.Close = true
	go func() { _ = r.Write(conn) }() // whose failing shows in the reply
	response, err := http.ReadResponse(bufio.NewReader(conn), r)
	ok(t, err)
	body, err := io.ReadAll(response.Body)
	ok(t, err)
	return response, body
}

// request is one with a key; "" is none.
func (s *server) request(t testing.TB, bearer, body string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url, strings.NewReader(body))
	ok(t, err)
	r.Header.Set("Content-Type", "application/json")
	if bearer != "" {
		r.Header.Set("Authorization", "Bearer "+bearer)
	}
	return r
}

// call calls a method for the owner of the project.
func (s *server) call(t testing.TB, by key.Holder, method string, params fields) reply {
	t.Helper()
	all := fields{"player_id": owner.String(), "project_id": mine}
	for name, value := range params {
		all[name] = value
	}
	body, err := json.Marshal(fields{"method": method, "params": all})
	ok(t, err)
	return s.ask(t, s.request(t, s.keys[by], string(body)))
}

// result is that of a call that must succeed.
func (s *server) result(t testing.TB, by key.Holder, method string, params fields) fields {
	t.Helper()
	got := s.call(t, by, method, params)
	if got.status != 200 {
		t.Fatalf("%s %v: status %d: %.500s", method, params, got.status, got.body)
	}
	return got.Result
}

// refused reports a call that is not refused so.
func (s *server) refused(t testing.TB, by key.Holder, method string, params fields, status int, code string) {
	t.Helper()
	s.call(t, by, method, params).want(t, method, status, code)
}

// want reports another refusal than that.
func (r reply) want(t testing.TB, what string, status int, code string) {
	t.Helper()
	if r.Error == nil || r.status != status || r.Error.Code != code {
		t.Errorf("%.80s: status %d, %.300s; want %d %s", what, r.status, r.body, status, code)
	}
}
