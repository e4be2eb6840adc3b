package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type greeting struct {
	Text string `json:"text"`
}

// TestRun lists and calls the one tool of a server that wants a token.
func TestRun(t *testing.T) {
	t.Parallel()
	s := mcp.NewServer(&mcp.Implementation{Name: "greeter", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "greet"},
		func(_ context.Context, _ *mcp.CallToolRequest, in greeting) (*mcp.CallToolResult, greeting, error) {
			return nil, greeting{Text: "hello " + in.Text}, nil
		})
	sdk := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer let-me-in" {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		sdk.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)

	for _, protocol := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			listed := ok(t, "-protocol", protocol, "-token", "let-me-in", server.URL)
			if len(listed.Tools) != 1 || listed.Tools[0].Name != "greet" || listed.Protocol != protocol {
				t.Errorf("listed %+v", listed)
			}
			called := ok(t, "-protocol", protocol, "-token", "let-me-in", server.URL, "greet", `{"text":"you"}`)
			if diff := cmp.Diff(any(map[string]any{"text": "hello you"}), called.Result.StructuredContent); diff != "" {
				t.Errorf("result (-want +got):\n%s", diff)
			}
		})
	}
	t.Run("without the token", func(t *testing.T) {
		t.Parallel()
		var out bytes.Buffer
		if code := run(t.Context(), []string{server.URL}, &out, &out); code != 1 {
			t.Errorf("exit code %d, want 1:\n%s", code, out.String())
		}
	})
}

func ok(t *testing.T, args ...string) answer {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(t.Context(), args, &out, &errs); code != 0 {
		t.Fatalf("exit code %d:\n%s", code, errs.String())
	}
	var a answer
	if err := json.Unmarshal(out.Bytes(), &a); err != nil {
		t.Fatal(err)
	}
	return a
}
