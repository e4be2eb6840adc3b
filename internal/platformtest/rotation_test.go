package platformtest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/token"
	"github.com/pharos-mcp/pharos/internal/leak"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// enrolled is a file with the keys of several signers.
func enrolled(t *testing.T, signers ...signer) []byte {
	t.Helper()
	type set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	var all set
	for _, s := range signers {
		var one set
		if err := json.Unmarshal(s.enrolment, &one); err != nil {
			t.Fatal(err)
		}
		all.Keys = append(all.Keys, one.Keys...)
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// step is one of the recipe in docs/authority.md: what is enrolled, and what the
// tokens of the old and of the new key are answered with.
type step struct {
	keys     []signer
	old, new int
}

func rotation(old, new signer) []step {
	return []step{
		{[]signer{old}, http.StatusOK, http.StatusUnauthorized},
		{[]signer{old, new}, http.StatusOK, http.StatusOK},
		{[]signer{new}, http.StatusUnauthorized, http.StatusOK},
	}
}

// TestGatewayKeyChanges at processes that are started anew, as the guide says,
// without a call that is refused on the way.
//
// clause: E-25
func TestGatewayKeyChanges(t *testing.T) {
	t.Parallel()
	database := pgtest.URL(t, "platform")
	addUser(t, database, "ada")
	party := one[string](t, pgtest.Pool(t, database), "SELECT id::text FROM platform.party")
	next := newSigner(gateway.issuer, 3)
	file := configure(t, database, noRuns)
	for n, s := range rotation(gateway, next) {
		if err := os.WriteFile(filepath.Join(filepath.Dir(file), "gateway.json"), enrolled(t, s.keys...), 0o600); err != nil {
			t.Fatal(err)
		}
		p := serveFile(t, file)
		for key, want := range map[*token.Signer]int{gateway.Signer: s.old, next.Signer: s.new} {
			compact, err := key.Assertion(token.Assertion{
				Claims:      gateway.claims(token.AudienceAssertion, "ada", identifier('3', n)),
				Authority:   token.Authority{Party: party, AuthVersion: 1, Scopes: []string{"parties:read"}},
				OperationID: "getMyParty",
			})
			if err != nil {
				t.Fatal(err)
			}
			newCaller(t, compact).must(t, p.url, call{method: "GET", path: "/parties/me"}, want)
		}
		p.end(syscall.SIGTERM)
	}
}

// TestBrokerKeyChanges does the same at edges.
//
// clause: E-25
func TestBrokerKeyChanges(t *testing.T) {
	t.Parallel()
	next := newSigner(broker.issuer, 4)
	folder := t.TempDir()
	file := filepath.Join(folder, "config.json")
	resource := broker.issuer + "/mcp"
	for n, s := range rotation(broker, next) {
		config := fmt.Sprintf(`{"edge":{"listen":"127.0.0.1:0","authentication":{"mode":"oauth","broker":{"issuer":%q,"keys_file":"keys.json","resource":%q}},
			"upstreams":{"platform":{"url":"http://127.0.0.1:1","assertion":{"issuer":%q,"key_file":"gateway.json"}}}}}`,
			broker.issuer, resource, gateway.issuer)
		for name, text := range map[string][]byte{
			file: []byte(config), filepath.Join(folder, "keys.json"): enrolled(t, s.keys...), filepath.Join(folder, "gateway.json"): gateway.private,
		} {
			if err := os.WriteFile(name, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		url, end := serveEdge(t, file)
		got := [2]int{}
		for i, key := range []signer{broker, next} {
			compact, err := key.Access(token.Access{
				Claims:    broker.claims(resource, "ada", identifier('4', n)),
				Authority: token.Authority{Party: identifier('5', 1), AuthVersion: 1, Scopes: []string{"parties:read"}}, ClientID: "desk",
			})
			if err != nil {
				t.Fatal(err)
			}
			got[i] = list(t, url, compact)
		}
		if diff := cmp.Diff([2]int{s.old, s.new}, got); diff != "" {
			t.Errorf("step %d, the old key and the new one (-want +got):\n%s", n+1, diff)
		}
		end()
	}
}

// serveEdge starts an edge and gives its URL.
func serveEdge(t *testing.T, file string) (url string, end func()) {
	t.Helper()
	command := exec.Command(program(t), "serve", "-config", file, "edge")
	var stderr logged
	command.Stderr = leak.Watch("an edge's log", &stderr)
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	end = func() {
		_ = command.Process.Signal(syscall.SIGTERM)
		_, _ = io.Copy(io.Discard, stdout)
		_ = command.Wait()
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	words := strings.Fields(line)
	if err != nil || len(words) < 2 || words[0] != "MCP:" {
		end()
		t.Fatalf("it does not serve: %q, %v\n%s", line, err, stderr.String())
	}
	return words[1], end
}

// list asks for the tools and gives the status.
func list(t *testing.T, url, bearer string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {"2025-11-25"}, "Authorization": {"Bearer " + bearer},
	}
	client := http.Client{Timeout: time.Minute}
	reply, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	return reply.StatusCode
}
