package simtest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestFallback: a client that begins with the later revision of the protocol
// falls back to the one with sessions, and plays.
//
// clause: S-07
func TestFallback(t *testing.T) {
	t.Parallel()
	p := serve(t, configure(t, nil))
	for _, era := range []string{"", "2026-07-28", "2025-11-25"} {
		made := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		session, err := made.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: p.url + "/mcp"},
			&mcp.ClientSessionOptions{ProtocolVersion: era})
		if err != nil {
			t.Fatalf("%q: %v", era, err)
		}
		if got := session.InitializeResult(); got.ProtocolVersion != "2025-11-25" || session.ID() == "" ||
			!strings.Contains(got.Instructions, "next_tick") || !strings.Contains(got.Instructions, "CONTROLLER_DISPLACED") {
			t.Errorf("%q: protocol %q, session %q, instructions %q", era, got.ProtocolVersion, session.ID(), got.Instructions)
		}
		list, err := session.ListTools(t.Context(), nil)
		if err != nil || len(list.Tools) != 7 {
			t.Errorf("%q: %v, %v", era, list, err)
		}
		call := func(tool, arguments string) *mcp.CallToolResult {
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
			ok(t, err)
			return result
		}
		if r := call("start_episode", begin); r.IsError {
			t.Errorf("%q: %v", era, r.Content)
		}
		r := call("next_tick", `{"expected_tick":5}`)
		failed, _ := r.StructuredContent.(map[string]any)["error"].(map[string]any)
		if !r.IsError || failed["code"] != "TICK_MISMATCH" {
			t.Errorf("%q: %v", era, r.StructuredContent)
		}
		ok(t, session.Close())
	}
}

// TestLaterRevision: the later revision itself is answered with what a client
// needs to fall back.
//
// clause: S-07
func TestLaterRevision(t *testing.T) {
	t.Parallel()
	p := serve(t, configure(t, nil))
	header := (&client{}).header()
	header.Set("Mcp-Protocol-Version", "2026-07-28")
	header.Set("Mcp-Method", "tools/list")
	got, err := request(t.Context(), "POST", p.url+"/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{`+
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},`+
		`"io.modelcontextprotocol/clientCapabilities":{}}}}`, header)
	ok(t, err)
	var reply struct{ Error struct{ Message string } }
	if err := json.Unmarshal(got.body, &reply); err != nil || got.status != 400 || reply.Error.Message == "" {
		t.Errorf("status %d: %s", got.status, got.body)
	}
}
