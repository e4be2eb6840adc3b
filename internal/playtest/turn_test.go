package playtest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// turn is the n-th turn at a version, in the scene of a context.
func turn(context map[string]any, n string, version float64) map[string]any {
	scene, _ := context["assignment"].(map[string]any)["current_scene"].(string)
	return map[string]any{
		"operation_id": "10000000-0000-4000-8000-00000000000" + n, "expected_version": version,
		"player_action": "I look around.", "narration": "It is quiet.", "memory_markdown": "# Current state\nQuiet.\n",
		"current_scene": scene, "consequences": []map[string]any{{"category": "discovery", "description": "It is quiet."}},
	}
}

// TestSession plays a session over two lives of a server, in both eras of the
// protocol: what the second repeats, it has from the first.
//
// clause: P-01, P-13, P-18, P-21, P-37
func TestSession(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	file := configure(t, s.database, nil)
	p := serve(t, file)
	session := connect(t, p.url+"/play/mcp", s.token, "2025-11-25")
	if instructions := session.InitializeResult().Instructions; !strings.Contains(instructions, "get_play_context") {
		t.Errorf("instructions: %q", instructions)
	}
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	want := []string{"commit_play_turn", "finish_play_session", "get_play_context", "read_play_journal", "search_play_memory"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("tools (-want +got):\n%s", diff)
	}
	context := must(t, session, "get_play_context", map[string]any{})
	if context["version"] != 1.0 {
		t.Fatalf("version %v, want 1", context["version"])
	}
	first := must(t, session, "commit_play_turn", turn(context, "1", 1))
	if first["version"] != 2.0 || first["replayed"] != false {
		t.Errorf("the first turn: %v", first)
	}
	_, text, failed := call(t, session, "commit_play_turn", turn(context, "2", 1))
	if !failed || !strings.HasPrefix(text, "409: ") || !strings.Contains(text, "version is 2, not 1") {
		t.Errorf("a stale turn: %v, %q", failed, text)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
	p.stop(t)

	p = serve(t, file)
	session = connect(t, p.url+"/play/mcp", s.token, "2026-07-28")
	again := must(t, session, "commit_play_turn", turn(context, "1", 1))
	first["replayed"] = true
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("the same turn after a restart (-want +got):\n%s", diff)
	}
	ending := map[string]any{
		"operation_id": "10000000-0000-4000-8000-000000000003", "expected_version": 2, "summary": "They came back.",
	}
	ended := must(t, session, "finish_play_session", ending)
	if diff := cmp.Diff(map[string]any{
		"status": "completed", "version": 3.0, "pending_consequences": 1.0, "replayed": false,
	}, ended); diff != "" {
		t.Errorf("the end (-want +got):\n%s", diff)
	}
	if _, text, failed := call(t, session, "commit_play_turn", turn(context, "4", 3)); !failed || !strings.HasPrefix(text, "409: ") {
		t.Errorf("a turn after the end: %v, %q", failed, text)
	}
	context = must(t, session, "get_play_context", map[string]any{})
	if context["recap"] != "They came back." || context["version"] != 3.0 {
		t.Errorf("afterwards: version %v, recap %v", context["version"], context["recap"])
	}
	for _, secret := range []string{"It is quiet.", "# Current state", "I look around.", "They came back."} {
		if strings.Contains(p.stderr.String(), secret) {
			t.Errorf("the log says %q", secret)
		}
	}
	p.stop(t)
}

// TestMethods: the catalogs are for POST alone, and nobody is led to OAuth.
//
// clause: P-01, P-02
func TestMethods(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	p := serve(t, configure(t, s.database, nil))
	tokens := map[string]string{"/play/mcp": s.token, "/mcp": authorToken(t, s, "gm")}
	for path := range tokens {
		for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodPut} {
			got := send(t, method, p.url+path, "", http.Header{"Authorization": {"Bearer " + tokens[path]}})
			if got.Status != http.StatusMethodNotAllowed || got.header.Get("Allow") != "POST" {
				t.Errorf("%s %s: status %d, Allow %q", method, path, got.Status, got.header.Get("Allow"))
			}
			if got := send(t, method, p.url+path, "", nil); got.Status != http.StatusUnauthorized {
				t.Errorf("%s %s without a token: status %d, want 401", method, path, got.Status)
			}
		}
	}
	for _, path := range []string{
		"/.well-known", "/.well-known/", "/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/play/mcp",
		"/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration",
		"/play/.well-known/oauth-protected-resource", "/play/mcp/.well-known/oauth-protected-resource", "/play/mcp/", "/play//mcp",
	} {
		if got := send(t, http.MethodGet, p.url+path, "", nil); got.Status != http.StatusNotFound {
			t.Errorf("GET %s: status %d, want 404", path, got.Status)
		}
	}
}
