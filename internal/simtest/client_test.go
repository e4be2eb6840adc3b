package simtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// client is one session over plain HTTP, one request at a time.
type client struct {
	url string
	id  string // of the session
}

// answer is what comes back over HTTP.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// request sends something and gives the answer.
func request(ctx context.Context, method, url, body string, header http.Header) (answer, error) {
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	if header != nil {
		r.Header = header.Clone()
	}
	if host := header.Get("Host"); host != "" {
		r.Host = host
	}
	got, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = got.Body.Close() }()
	text, err := io.ReadAll(got.Body)
	return answer{got.StatusCode, got.Header, text}, err
}

// header is that of a message of MCP.
func (c *client) header() http.Header {
	h := http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}, "Mcp-Protocol-Version": {"2025-11-25"},
	}
	if c.id != "" {
		h.Set("Mcp-Session-Id", c.id)
	}
	return h
}

func (c *client) post(ctx context.Context, body string) (answer, error) {
	return request(ctx, http.MethodPost, c.url+"/mcp", body, c.header())
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
	`"clientInfo":{"name":"test","version":"1"}}}`

// open begins a session.
func open(ctx context.Context, url string) (*client, error) {
	c := &client{url: url}
	got, err := c.post(ctx, initialize)
	if err != nil {
		return nil, err
	}
	if c.id = got.header.Get("Mcp-Session-Id"); got.status != http.StatusOK || c.id == "" {
		return nil, fmt.Errorf("initialize: status %d: %s", got.status, got.body)
	}
	got, err = c.post(ctx, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	if err == nil && got.status != http.StatusAccepted {
		err = fmt.Errorf("initialized: status %d: %s", got.status, got.body)
	}
	return c, err
}

// opened is open for a test.
func opened(t *testing.T, url string) *client {
	t.Helper()
	c, err := open(t.Context(), url)
	ok(t, err)
	return c
}

// result is what a tool gives: text and structured content as they came.
type result struct {
	text       string
	structured json.RawMessage
	code       string // "" where it is no error
	message    string
	wire       []byte // the whole answer
}

// call calls a tool. Only what is no result of a tool is an error.
func (c *client) call(ctx context.Context, tool, arguments string) (result, error) {
	got, err := c.post(ctx, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"`+tool+`","arguments":`+arguments+`}}`)
	if err != nil {
		return result{}, err
	}
	var reply struct {
		Result *struct {
			Content           []struct{ Text string }
			StructuredContent json.RawMessage
			IsError           bool
		}
	}
	err = json.Unmarshal(got.body, &reply)
	if err != nil || got.status != http.StatusOK || reply.Result == nil || len(reply.Result.Content) != 1 {
		return result{wire: got.body}, &protocolError{got.status, string(got.body)}
	}
	r := result{text: reply.Result.Content[0].Text, structured: reply.Result.StructuredContent, wire: got.body}
	if !reply.Result.IsError {
		return r, nil
	}
	var failed struct {
		Error struct{ Code, Message string }
	}
	d := json.NewDecoder(bytes.NewReader(r.structured))
	d.DisallowUnknownFields()
	if err := d.Decode(&failed); err != nil || failed.Error.Code == "" || r.text != failed.Error.Code+": "+failed.Error.Message {
		return r, fmt.Errorf("an error of another form: %s", got.body)
	}
	r.code, r.message = failed.Error.Code, failed.Error.Message
	return r, nil
}

// protocolError is an answer that is no result of a tool.
type protocolError struct {
	status int
	body   string
}

// Error implements error.
func (e *protocolError) Error() string { return fmt.Sprintf("status %d: %s", e.status, e.body) }

// must calls a tool that must succeed.
func (c *client) must(t *testing.T, tool, arguments string) result {
	t.Helper()
	r, err := c.call(t.Context(), tool, arguments)
	ok(t, err)
	if r.code != "" {
		t.Fatalf("%s %s: %s", tool, arguments, r.text)
	}
	return r
}

// refused calls a tool that must fail with a code.
func (c *client) refused(t *testing.T, code, tool, arguments string) {
	t.Helper()
	r, err := c.call(t.Context(), tool, arguments)
	if err != nil || r.code != code {
		t.Errorf("%s %s: %q, %v, want %s", tool, arguments, r.text, err, code)
	}
}

// observed are the parts of a result that tests ask for.
type observed struct {
	Lifecycle   string
	RunID       string `json:"run_id"`
	Tick        int64
	Observation json.RawMessage
	Pending     json.RawMessage
	Reason      string `json:"terminal_reason"`
}

func (r result) read(t *testing.T) (o observed) {
	t.Helper()
	ok(t, json.Unmarshal([]byte(r.text), &o))
	return o
}

// leave ends the session.
func (c *client) leave(t *testing.T) {
	t.Helper()
	got, err := request(t.Context(), http.MethodDelete, c.url+"/mcp", "", c.header())
	if err != nil || got.status != http.StatusNoContent && got.status != http.StatusOK {
		t.Errorf("DELETE: status %d, %v", got.status, err)
	}
}

// listen opens a stream; the function it returns breaks it.
func (c *client) listen(t *testing.T) context.CancelFunc {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url+"/mcp", nil)
	ok(t, err)
	r.Header = c.header()
	got, err := http.DefaultTransport.RoundTrip(r)
	ok(t, err)
	if got.StatusCode != http.StatusOK {
		t.Fatalf("listen: %s", got.Status)
	}
	t.Cleanup(func() { _ = got.Body.Close() })
	return cancel
}

// eventually waits until something is so.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !is(); {
		if time.Now().After(end) {
			t.Fatalf("it does not come: %s", what)
		}
		time.Sleep(5 * time.Millisecond) // between two looks
	}
}
