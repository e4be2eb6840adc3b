package catalogtest

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/internal/catalogtest/generated/desk"
)

// ring has an exchange reach an RPC at a URL, with a key or without.
func ring(t *testing.T, url, key string) tool.Exchange {
	t.Helper()
	c := tool.UpstreamConfig{
		BaseURL: url + "/v1/rpc", Timeout: 10 * time.Second,
		Apply: func(_ context.Context, r *http.Request, _ *tool.Operation) error {
			if key != "" {
				r.Header.Set("Authorization", "Bearer "+key)
			}
			return nil
		},
	}
	x, err := tool.NewUpstream(map[string]tool.UpstreamConfig{"desk": c, "room": c})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Close)
	return x
}

// deskRPC serves a desk to programs and returns its address.
func deskRPC(t *testing.T) string {
	t.Helper()
	h, err := edge.NewRPC(edge.Config{}, desk.Catalog(new(Desk)), edge.Options{Authenticator: named{}},
		edge.RPC{Path: "/v1/rpc", Members: []string{"project_id"}})
	if err != nil {
		t.Fatal(err)
	}
	return serve(t, h)
}

// remoteDesk serves the tools of a desk at another address.
func remoteDesk(t *testing.T, x tool.Exchange, o edge.Options) string {
	t.Helper()
	o.Authenticator, o.Exchange, o.Inject = named{}, x, ownProject
	s, err := edge.New(edge.Config{}, desk.Remote(), o)
	if err != nil {
		t.Fatal(err)
	}
	return serve(t, s)
}

// TestRemote: a client of the tools cannot tell whether the service is in the
// same process or behind its RPC, and the mount chooses the project there too.
//
// clause: W-04
func TestRemote(t *testing.T) {
	t.Parallel()
	direct, err := edge.New(edge.Config{}, desk.Catalog(new(Desk)), edge.Options{Authenticator: named{}, Inject: ownProject})
	if err != nil {
		t.Fatal(err)
	}
	near := connected(t, serve(t, direct), "ann")
	url := remoteDesk(t, ring(t, deskRPC(t), "program"), edge.Options{})
	far := connected(t, url, "ann")
	for _, step := range [][2]string{
		{"create_note", `{"title":"one","text":null,"tags":["x","<y>"]}`},
		{"create_note", `{"title":"one"}`},
		{"create_note", `{"title":"two","project_id":"project of bob"}`},
		{"create_note", `{}`},
		{"get_note", `{"id":1.0}`},
		{"get_note", `{"id":7}`},
		{"list_tags", `{}`},
		{"list_notes", `{"limit":1e0,"tag":["x"]}`},
		{"observe", `{"step":3}`},
		{"draw_picture", `{"width":5}`},
		{"update_note", `{"id":1,"text":"…"}`},
		{"delete_note", `{"id":1}`},
		{"delete_note", `{"id":1}`},
		{"observe", `{"step":3}`},
	} {
		want, _ := call(t, near, step[0], step[1])
		got, _ := call(t, far, step[0], step[1])
		if diff := cmp.Diff(shown(t, want), shown(t, got)); diff != "" {
			t.Errorf("%s %s:\n%s", step[0], step[1], diff)
		}
	}
	_ = text(t, far, "create_note", `{"title":"for ann"}`)
	if got := text(t, connected(t, url, "bob"), "list_notes", `{}`); got != `{"notes":[]}` {
		t.Errorf("another caller, of another project, sees %s", got)
	}
	if _, err := far.CallTool(t.Context(), &mcp.CallToolParams{Name: "tidy", Arguments: map[string]any{}}); err == nil {
		t.Error("a method that is no tool was called as one")
	}
	wantList, err := near.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	gotList, err := far.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(shown(t, wantList.Tools), shown(t, gotList.Tools)); diff != "" {
		t.Error(diff)
	}
}

func shown(t *testing.T, value any) string {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestRemoteLost: a call is sent once, and what became of a write whose reply
// is no RPC's is not known; a read is simply lost.
//
// clause: W-04
func TestRemoteLost(t *testing.T) {
	t.Parallel()
	const advice = "look at project_context, or repeat the call with the same key"
	for name, c := range map[string]struct {
		status      int
		reply       string
		write, read string
	}{
		"no JSON":      {200, `<html>`, "upstream_lost: ", "upstream_lost: "},
		"another JSON": {200, `{"jsonrpc":"2.0"}`, "upstream_lost: ", "upstream_lost: "},
		"no result":    {200, `{"ok":true}`, "upstream_lost: ", "upstream_lost: "},
		"no error":     {400, `{"ok":false}`, "upstream_lost: ", "upstream_lost: "},
		"ok, with 500": {500, `{"ok":true,"result":{}}`, "upstream_lost: ", "upstream_lost: "},
		"no ok, with 200": {200, `{"ok":false,"error":{"code":"x","message":"y"}}`, "upstream_lost: ",
			"upstream_lost: "},
		"internal":       {500, `{"ok":false,"error":{"code":"internal","message":"internal error"}}`, "internal: ", "internal: "},
		"another result": {200, `{"ok":true,"result":{"id":"x"}}`, "internal: ", "internal: "},
		"a long one":     {200, `{"ok":true,"result":{"id":"` + strings.Repeat("x", 1<<20) + `"}}`, "response_too_large: ", "response_too_large: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var calls atomic.Int32
			url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				calls.Add(1)
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.reply)
			}))
			s := connected(t, remoteDesk(t, ring(t, url, "k"), edge.Options{Unknown: advice}), "ann")
			if got := text(t, s, "create_note", `{"title":"one"}`); !strings.HasPrefix(got, c.write) || !strings.HasSuffix(got, "; "+advice) {
				t.Errorf("of a write: %s", got)
			}
			if got := text(t, s, "get_note", `{"id":1}`); !strings.HasPrefix(got, c.read) || strings.Contains(got, advice) {
				t.Errorf("of a read: %s", got)
			}
			if n := calls.Load(); n != 2 {
				t.Errorf("%d requests for 2 calls", n)
			}
		})
	}
}

// TestRemoteRefused: a code and a message go through, and nothing is said to be
// unknown of what was refused or never sent.
func TestRemoteRefused(t *testing.T) {
	t.Parallel()
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, `{"ok":false,"error":{"code":"busy","message":"operation 7 is under way"}}`)
	}))
	s := connected(t, remoteDesk(t, ring(t, url, "k"), edge.Options{}), "ann")
	if got := text(t, s, "create_note", `{"title":"one"}`); got != "busy: operation 7 is under way" {
		t.Error(got)
	}
	away := connected(t, remoteDesk(t, ring(t, "http://127.0.0.1:1", "k"), edge.Options{}), "ann")
	if got := text(t, away, "create_note", `{"title":"one"}`); !strings.HasPrefix(got, "upstream_unreachable: ") ||
		!strings.HasSuffix(got, "nothing was sent") {
		t.Error(got)
	}
	keyless := connected(t, remoteDesk(t, ring(t, deskRPC(t), ""), edge.Options{}), "ann")
	if got := text(t, keyless, "create_note", `{"title":"one"}`); got != "unauthenticated: who is calling?" {
		t.Error(got)
	}
}

// TestScopes: what a caller is offered may change from one request to the next.
func TestScopes(t *testing.T) {
	t.Parallel()
	var readOnly atomic.Bool
	scopes := func(_ context.Context, p *edge.Principal) []string {
		if readOnly.Load() {
			return []string{"desk:read"}
		}
		return p.Scopes
	}
	s := connected(t, remoteDesk(t, ring(t, deskRPC(t), "program"), edge.Options{Scopes: scopes}), "ann")
	for _, step := range []struct {
		readOnly bool
		tools    int
	}{{false, 8}, {true, 5}, {false, 8}} {
		readOnly.Store(step.readOnly)
		list, err := s.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(list.Tools) != step.tools {
			t.Errorf("read only %t: %d tools, want %d", step.readOnly, len(list.Tools), step.tools)
		}
		_, err = s.CallTool(t.Context(), &mcp.CallToolParams{Name: "create_note", Arguments: map[string]any{"title": "t"}})
		if (err != nil) != step.readOnly {
			t.Errorf("read only %t: a write ends in %v", step.readOnly, err)
		}
	}
}
