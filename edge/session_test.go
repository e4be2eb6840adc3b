package edge_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pharos-mcp/pharos/edge"
)

// clause: E-14, E-20
func TestClientInBothEras(t *testing.T) {
	t.Parallel()
	b := setup(t, shop(), edge.Config{Instructions: "The shop is closed on Sundays."},
		respond(200, "application/json", `{"id":"x","count":9007199254740993}`))
	for _, era := range eras {
		t.Run(era, func(t *testing.T) {
			t.Parallel()
			session := b.connect(t, era)
			if got := session.InitializeResult().ProtocolVersion; era == "2025-11-25" && got != era {
				t.Errorf("protocol version %q, want %q", got, era)
			}
			for _, part := range []string{"approval", "outcome_unknown", "authorises", "closed on Sundays"} {
				if !strings.Contains(session.InitializeResult().Instructions, part) {
					t.Errorf("instructions do not mention %q: %s", part, session.InitializeResult().Instructions)
				}
			}
			list, err := session.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]string{
				"check_item", "create_item", "delete_item", "get_blob", "get_item", "get_note", "list_items",
			}, names(list)); diff != "" {
				t.Errorf("tools (-want +got):\n%s", diff)
			}
			if era == "2026-07-28" && (list.CacheScope != "private" || list.TTLMs != 0) {
				t.Errorf("list is cacheable as %q for %v ms, want private and 0", list.CacheScope, list.TTLMs)
			}
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{
				Name: "get_item", Arguments: json.RawMessage(withID),
			})
			if err != nil {
				t.Fatal(err)
			}
			text := result.Content[0].(*mcp.TextContent).Text
			if want := `{"operation_id":"getItem","status":200,"result":{"count":9007199254740993,"id":"x"}}`; !sameJSON(text, want) {
				t.Errorf("got %s, want %s", text, want)
			}
			if result.IsError || result.StructuredContent == nil {
				t.Errorf("isError %v, structured content %v", result.IsError, result.StructuredContent)
			}
			if prompts, err := session.ListPrompts(t.Context(), nil); err != nil || len(prompts.Prompts) != 0 {
				t.Errorf("prompts/list: %v, %v; want an empty list", prompts, err)
			}
			if resources, err := session.ListResources(t.Context(), nil); err != nil || len(resources.Resources) != 0 {
				t.Errorf("resources/list: %v, %v; want an empty list", resources, err)
			}
			if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "no_such_tool"}); err == nil {
				t.Error("a tool that does not exist could be called")
			}
		})
	}
}

// sameJSON compares two texts as JSON, numbers by their digits.
func sameJSON(a, b string) bool {
	decode := func(text string) (v any) {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if d.Decode(&v) != nil {
			return text
		}
		return v
	}
	return cmp.Equal(decode(a), decode(b))
}

func names(list *mcp.ListToolsResult) (names []string) {
	for _, t := range list.Tools {
		names = append(names, t.Name)
	}
	return names
}

// clause: E-20
func TestAnnotations(t *testing.T) { // fault I47
	t.Parallel()
	b := setup(t, shop(), edge.Config{}, respond(200, "", ""))
	list, err := b.connect(t, "2025-11-25").ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	yes, no := true, false
	want := map[string]*mcp.ToolAnnotations{
		// A POST that was reviewed as a read is one.
		"check_item":  {ReadOnlyHint: true, DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no},
		"create_item": {ReadOnlyHint: false, DestructiveHint: &no, IdempotentHint: true, OpenWorldHint: &no},
		"delete_item": {ReadOnlyHint: false, DestructiveHint: &yes, IdempotentHint: true, OpenWorldHint: &no},
	}
	for _, tool := range list.Tools {
		if w := want[tool.Name]; w != nil {
			if diff := cmp.Diff(w, tool.Annotations); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tool.Name, diff)
			}
		}
		if tool.InputSchema == nil || tool.OutputSchema == nil {
			t.Errorf("%s has no schemas", tool.Name)
		}
	}
}

// clause: E-21, E-34
func TestScopes(t *testing.T) { // fault I37
	t.Parallel()
	b := setup(t, shop(), edge.Config{Authentication: edge.Authentication{Scopes: []string{"notes:read", "shop:read"}}},
		respond(204, "", ""))
	for _, era := range eras {
		session := b.connect(t, era)
		list, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"check_item", "get_blob", "get_item", "get_note", "list_items"}, names(list)); diff != "" {
			t.Errorf("%s: tools (-want +got):\n%s", era, diff)
		}
		if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{
			Name: "create_item", Arguments: json.RawMessage(creates),
		}); err == nil {
			t.Errorf("%s: a write could be called without its scope", era)
		}
		// The session survives the refusal.
		if _, err := session.CallTool(t.Context(), &mcp.CallToolParams{
			Name: "get_item", Arguments: json.RawMessage(withID),
		}); err != nil {
			t.Errorf("%s: a call after a refused one: %v", era, err)
		}
	}
	if got := b.sent.Load(); got != 2 {
		t.Errorf("the upstream saw %d requests, want the 2 reads", got)
	}
	a := b.call(t, "create_item", creates)
	if a.Status != http.StatusForbidden || a.Error == nil || string(a.ID) != "1" {
		t.Errorf("status %d, body %s; want 403 and an error with the message's id", a.Status, a.Body)
	}
	const challenge = `Bearer error="insufficient_scope", scope="notes:read shop:read shop:write"`
	if got := a.Header.Get("WWW-Authenticate"); got != challenge {
		t.Errorf("challenge %q, want %q", got, challenge)
	}
}

// clause: E-34
func TestTokens(t *testing.T) {
	t.Parallel()
	b := setup(t, shop(), edge.Config{Authentication: edge.Authentication{Scopes: []string{"shop:read"}}}, respond(204, "", ""))
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for name, c := range map[string]struct {
		authorization []string
		status        int
		challenge     string
	}{
		"right":        {[]string{"Bearer " + token}, 200, ""},
		"other case":   {[]string{"bearer " + token}, 200, ""},
		"none":         {nil, 401, `Bearer scope="shop:read"`},
		"wrong":        {[]string{"Bearer " + token + "x"}, 401, `Bearer error="invalid_token", scope="shop:read"`},
		"other scheme": {[]string{"Basic " + token}, 401, `Bearer error="invalid_token", scope="shop:read"`},
		"empty":        {[]string{"Bearer "}, 401, `Bearer error="invalid_token", scope="shop:read"`},
		"twice":        {[]string{"Bearer " + token, "Bearer " + token}, 401, `Bearer error="invalid_token", scope="shop:read"`},
	} {
		a := b.post(t, "2025-11-25", ping, http.Header{"Authorization": c.authorization})
		if a.Status != c.status || a.Header.Get("WWW-Authenticate") != c.challenge {
			t.Errorf("%s: status %d, challenge %q; want %d, %q", name, a.Status, a.Header.Get("WWW-Authenticate"), c.status, c.challenge)
		}
	}
}

func TestInterleavedSessions(t *testing.T) { // fault I43
	t.Parallel()
	b := setup(t, shop(), edge.Config{}, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]string{"id": strings.TrimPrefix(r.URL.Path, "/base/items/")})
	})
	const sessions, calls = 4, 25
	var wait sync.WaitGroup
	for s := range sessions {
		session := b.connect(t, eras[s%len(eras)])
		wait.Go(func() {
			for c := range calls {
				id := string(rune('a'+s)) + "-" + string(rune('a'+c))
				result, err := session.CallTool(t.Context(), &mcp.CallToolParams{
					Name: "get_item", Arguments: map[string]any{"path": map[string]any{"id": id}},
				})
				if err != nil {
					t.Error(err)
					return
				}
				if text := result.Content[0].(*mcp.TextContent).Text; !strings.Contains(text, `"id":"`+id+`"`) {
					t.Errorf("session %d asked for %s and got %s", s, id, text)
				}
			}
		})
	}
	wait.Wait()
}

func TestHandshake(t *testing.T) { // fault I45
	t.Parallel()
	b := setup(t, shop(), edge.Config{}, respond(204, "", ""))
	const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05",` +
		`"capabilities":{},"clientInfo":{"name":"old","version":"1"}}}`
	for name, c := range map[string]struct {
		message string
		header  http.Header
		status  int
		says    string
	}{
		"old version":     {initialize, nil, 200, `"protocolVersion":"2024-11-05"`},
		"stale session":   {initialize, http.Header{"Mcp-Session-Id": {"gone"}}, 200, `"protocolVersion"`},
		"no Accept":       {initialize, http.Header{"Accept": nil}, 400, "Accept"},
		"no JSON":         {initialize, http.Header{"Content-Type": {"text/plain"}}, 415, "Content-Type"},
		"unknown version": {initialize, http.Header{"Mcp-Protocol-Version": {"2020-01-01"}}, 400, "nsupported protocol version"},
		"batch":           {"[" + initialize + "]", http.Header{"Mcp-Protocol-Version": {"2025-03-26"}}, 400, "one message"},
		"other host":      {initialize, http.Header{"Host": {"evil.example"}}, 403, "Host"},
		"other origin":    {initialize, http.Header{"Origin": {"http://evil.example"}}, 403, "Origin"},
		"not JSON":        {"{", nil, 400, `"error":{"code":400,"message":"the body is not one JSON-RPC message: it is not one JSON value in UTF-8"}`},
		"unknown method": {`{"jsonrpc":"2.0","id":"a","method":"no/such"}`, nil, 400,
			`{"jsonrpc":"2.0","id":"a","error":{"code":400,`},
	} {
		a := b.post(t, "2025-11-25", c.message, c.header)
		if a.Status != c.status || !strings.Contains(a.Body, c.says) {
			t.Errorf("%s: status %d, %.200s; want %d and %q", name, a.Status, a.Body, c.status, c.says)
		}
	}
}
