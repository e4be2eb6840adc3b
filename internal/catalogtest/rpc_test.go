package catalogtest

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/internal/catalogtest/generated/desk"
)

// TestRPC: the catalog's methods, those that are no tools among them, for
// programs that supply the project themselves.
func TestRPC(t *testing.T) {
	t.Parallel()
	h, err := edge.NewRPC(edge.Config{}, desk.Catalog(new(Desk)), edge.Options{Authenticator: named{}},
		edge.RPC{Members: []string{"project_id"}})
	if err != nil {
		t.Fatal(err)
	}
	url := serve(t, h)
	for _, step := range []struct {
		caller, body string
		status       int
		want         string
	}{
		{"ann", `{"method":"create_note","params":{"title":"one","project_id":"p"},"requestId":"r-1"}`, 200,
			`{"ok":true,"result":{"id":1,"tags":[],"title":"one","version":1}}`},
		{"ann", `{"method":"observe","params":{"project_id":"p","step":1}}`, 200,
			`{"ok":true,"result":{ "seen":[1.50,2e1, 1.0],  "step":1}}`},
		{"ann", `{"method":"list_notes","params":{"project_id":"q"}}`, 200, `{"ok":true,"result":{"notes":[]}}`},
		{"ann", `{"method":"get_note","params":{"project_id":"q","id":1}}`, 400,
			`{"ok":false,"error":{"code":"not_found","message":"there is no note 1"}}`},
		{"ann", `{"method":"tidy","params":{"project_id":"p"}}`, 403,
			`{"ok":false,"error":{"code":"forbidden","message":"the method is not allowed to this caller"}}`},
		{"admin", `{"method":"tidy","params":{"project_id":"p"}}`, 200, `{"ok":true,"result":{"gone":1}}`},
		{"admin", `{"method":"tidy"}`, 400, `{"ok":false,"error":{"code":"invalid_arguments",`},
		{"ann", `{"method":"delete_note","params":{"project_id":"p","id":1,"more":true}}`, 400,
			`{"ok":false,"error":{"code":"invalid_arguments",`},
		{"ann", `{"method":"drop_tables","params":{}}`, 400,
			`{"ok":false,"error":{"code":"invalid_request","message":"there is no such method"}}`},
		{"ann", `{"Method":"list_notes"}`, 400, `{"ok":false,"error":{"code":"invalid_request",`},
		{"ann", `{"method":"list_notes","requestId":"a\u0007"}`, 400, `{"ok":false,"error":{"code":"invalid_request",`},
		{"ann", `{"method":"create_note","params":{"title":"` + strings.Repeat("x", 17000) + `","project_id":"p"}}`, 413,
			`{"ok":false,"error":{"code":"arguments_too_large",`},
		{"ann", `{"method":"` + strings.Repeat("x", 2<<20) + `"}`, 413, `{"ok":false,"error":{"code":"too_large",`},
		{"", `{"method":"list_notes"}`, 401, `{"ok":false,"error":{"code":"unauthenticated","message":"who is calling?"}}`},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(step.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		if step.caller != "" {
			r.Header.Set("Authorization", "Bearer "+step.caller)
		}
		reply, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(reply.Body)
		if err != nil {
			t.Fatal(err)
		}
		_ = reply.Body.Close()
		shown := step.body[:min(len(step.body), 80)]
		if reply.StatusCode != step.status {
			t.Errorf("%s: status %d, want %d", shown, reply.StatusCode, step.status)
		}
		if strings.HasSuffix(step.want, "}") {
			step.want += "\n"
		}
		if diff := cmp.Diff(step.want, string(got[:min(len(got), len(step.want))])); diff != "" {
			t.Errorf("%s:\n%s", shown, diff)
		}
		if id := reply.Header.Get("X-Request-Id"); (id == "r-1") != strings.Contains(step.body, "r-1") {
			t.Errorf("%s: request id %q", shown, id)
		}
	}
}
