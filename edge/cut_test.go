package edge_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/internal/extension"
)

// TestStreamOutOfTime: a reply that has begun is cut with its connection, so
// that nobody takes what there is of it for the whole; the tool's context ends.
//
// clause: P-36
func TestStreamOutOfTime(t *testing.T) {
	t.Parallel()
	catalog := shop()
	catalog.Bare = true
	const limit = 300 * time.Millisecond
	over := make(chan struct{})
	begun := time.Now()
	s, err := edge.New(edge.Config{Timeout: edge.Duration(limit)}, catalog, edge.Options{
		Authenticator: everyone{}, Exchange: &wire{},
		Extension: &extension.Extension{
			Tools: map[string]bool{"tell": true}, Configure: func(*mcp.ServerOptions) {},
			Register: func(server *mcp.Server) {
				server.AddTool(&mcp.Tool{Name: "tell", InputSchema: map[string]any{"type": "object"}},
					func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
						if err := r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: "p", Message: "begun"}); err != nil {
							t.Error(err)
						}
						<-over
						return &mcp.CallToolResult{}, nil
					})
			},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	message := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tell","arguments":{},"_meta":{"progressToken":"p"}}}`
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/mcp", strings.NewReader(message))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = from("", "/mcp", nil).Header
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reply.Body.Close() }()
	body, err := io.ReadAll(reply.Body)
	took := time.Since(begun)
	if reply.StatusCode != 200 || err == nil || !strings.Contains(string(body), "begun") {
		t.Errorf("status %d, %v: %s", reply.StatusCode, err, body)
	}
	if took < limit || took > limit+5*time.Second {
		t.Errorf("it was cut after %v", took)
	}
	close(over)
}
