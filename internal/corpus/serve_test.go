package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestStart(t *testing.T) {
	t.Parallel()
	running, err := start(t.Context(), t.TempDir(), "sh", "-c",
		"echo starting; echo MCP: http://127.0.0.1:1/mcp '(3 tools)'; exec tail -f /dev/null")
	if err != nil {
		t.Fatal(err)
	}
	running.stop()
	if want := "http://127.0.0.1:1/mcp"; running.url != want {
		t.Errorf("url %q, want %q", running.url, want)
	}
	_, err = start(t.Context(), t.TempDir(), "sh", "-c", "echo no such configuration >&2; exit 1")
	if err == nil || !strings.Contains(err.Error(), "no such configuration") {
		t.Errorf("a program that ends: %v", err)
	}
}

// TestList counts tools over more than one page.
func TestList(t *testing.T) {
	t.Parallel()
	s := mcp.NewServer(&mcp.Implementation{Name: "many", Version: "1"}, &mcp.ServerOptions{PageSize: 2})
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		s.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}, nil)
	}
	server := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true}))
	t.Cleanup(server.Close)
	if n, err := list(t.Context(), server.URL); err != nil || n != 5 {
		t.Errorf("listed %d tools, error %v, want 5", n, err)
	}
	if _, err := list(t.Context(), server.URL+"/\x7f"); err == nil {
		t.Error("an address that is none gives no error")
	}
}
