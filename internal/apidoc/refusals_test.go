package apidoc

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/generators"
)

// clause: E-01, E-02, E-03, E-04
func TestRefusals(t *testing.T) {
	t.Parallel()
	const reopen = `  /support/tickets/{id}/reopen:
    post:
      operationId: reopenSupportTicket
      x-owner: support
      responses: {"200": {description: It is open.}}
`
	for name, c := range map[string]struct {
		file, old, new string
		want           string // what is said, and the fix; "" if nothing is wrong
	}{
		"nothing is wrong": {"manifest.json", `"catalogs"`, `"catalogs"`, ""},
		"an operation without a decision": {
			"api/platform/support.yaml", "  /support/tickets/{id}/close:\n", reopen + "  /support/tickets/{id}/close:\n",
			`: POST /support/tickets/{id}/reopen (reopenSupportTicket) has no decision in manifest.json
	hint: add "POST /support/tickets/{id}/reopen" under operations of "platform" with a tool name, scope and effect, ` +
				`or {"exclude": "REASON"}; mcpgen init adds a proposal`,
		},
		"a decision whose operation is gone": {
			"api/platform/keys.yaml",
			"    post:\n      operationId: validateSshKey\n", "    x-post:\n      operationId: validateSshKey\n",
			`: "POST /keys/validate" is no operation of document "platform"
	hint: remove the decision`,
		},
		"a scope of another owner": {
			"manifest.json",
			`"create_support_ticket", "scope": "support:write"`, `"create_support_ticket", "scope": "projects:write"`,
			`: scope projects:write of PUT /support/tickets/{id} (createSupportTicket) belongs to another owner than support
	hint: write "support:write", or give the operation the owner "projects"`,
		},
		"a DELETE as a read": {
			"manifest.json", `"scope": "keys:write", "effect": "delete"`, `"scope": "keys:write", "effect": "read"`,
			`: DELETE /keys/{id} (deleteSshKey) is classified as a read
	hint: write "effect": "delete"; or "write" with a "reason" if it destroys nothing`,
		},
		"a header parameter authorization": {
			"api/platform/support.yaml", "/transcript:\n    get:\n", `/transcript:
    parameters:
      - {name: authorization, in: header, schema: {type: string}}
    get:
`,
			`: GET /support/tickets/{id}/transcript (getSupportTicketTranscript) takes the header "authorization" ` +
				`as an input, which the gateway alone sets
	hint: add "drop": ["authorization"] to its decision: the gateway sends its own`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := copied(t)
			change(t, filepath.Join(dir, c.file), c.old, c.new)
			var said strings.Builder
			code := generators.Main([]string{"-C", dir, "generate"}, strings.NewReader(""), &said, &said)
			if code != min(len(c.want), 1) || !strings.Contains(said.String(), c.want) {
				t.Errorf("mcpgen exits %d and says\n%s\nwant %q", code, said.String(), c.want)
			}
			if c.want != "" && !strings.HasSuffix(said.String(), "mcpgen: 1 problem\n") {
				t.Errorf("mcpgen says more than that:\n%s", said.String())
			}
		})
	}
}

// copied is a module with a copy of the API, its decisions and what is
// generated of them.
func copied(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, folder := range []string{"api", "generated/platform", "generated/platformapi"} {
		if err := os.CopyFS(filepath.Join(dir, folder), os.DirFS(filepath.Join(root, folder))); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"go.mod", "manifest.json"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// change replaces the one place in a file that reads old.
func change(t *testing.T, name, old, new string) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), old); n != 1 {
		t.Fatalf("%s has %d places that read %q, want one", name, n, old)
	}
	if err := os.WriteFile(name, []byte(strings.Replace(string(text), old, new, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
}
