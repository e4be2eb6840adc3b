package playtest

import (
	"bytes"
	"io"
	"net/http"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// bearer shows a token with each request.
type bearer struct {
	token string
	over  http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.over.RoundTrip(r)
}

// connect connects go-sdk's client, in an era of the protocol.
func connect(t *testing.T, url, token, era string) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: url, HTTPClient: &http.Client{Transport: bearer{token, http.DefaultTransport}}, MaxRetries: -1,
	}, &mcp.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// call calls a tool and gives its structured result, and its text.
func call(t *testing.T, session *mcp.ClientSession, tool string, arguments any) (result map[string]any, text string, failed bool) {
	t.Helper()
	got, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	content, ok := got.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("%s: %T", tool, got.Content[0])
	}
	result, _ = got.StructuredContent.(map[string]any)
	return result, content.Text, got.IsError
}

// must is call for what must be right.
func must(t *testing.T, session *mcp.ClientSession, tool string, arguments any) map[string]any {
	t.Helper()
	result, text, failed := call(t, session, tool, arguments)
	if failed {
		t.Fatalf("%s: %s", tool, text)
	}
	return result
}

// initialize is the first message of a session in the earlier era.
const initialize = `{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
	`"clientInfo":{"name":"test","version":"1"}}}`

// reply is an answer over plain HTTP.
type reply struct {
	Status    int
	Challenge []string
	Body      string
	header    http.Header
}

// send sends a message, or nothing, with headers.
func send(t *testing.T, method, url, body string, header http.Header) reply {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewBufferString(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header.Clone()
	if r.Header == nil {
		r.Header = http.Header{}
	}
	if body != "" && r.Header.Get("Content-Type") == "" {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
	}
	got, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = got.Body.Close() }()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{got.StatusCode, got.Header["Www-Authenticate"], string(text), got.Header}
}
