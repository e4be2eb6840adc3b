package edge

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pharos-mcp/pharos/edge/tool"
)

// small is a catalog with one document and one tool.
func small() tool.Catalog {
	return tool.Catalog{
		Name:      "small",
		Documents: []tool.Document{{Name: "api"}},
		Operations: []tool.Operation{{
			Tool: "list_things", ID: "listThings", Document: "api", Scope: "things:read", Effect: tool.Read,
		}},
		Schemas: fstest.MapFS{"schemas/list_things.json": {Data: []byte(
			`{"name":"list_things","inputSchema":{"type":"object"},"outputSchema":{"type":"object"}}`,
		)}},
	}
}

func TestMainServesUntilItIsStopped(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	reader, stdout := io.Pipe()
	status := make(chan int, 1)
	go func() {
		status <- run(ctx, []string{"-listen", "127.0.0.1:0", "-upstream", "api=http://127.0.0.1:9"}, nil, stdout, io.Discard, small())
		_ = stdout.Close()
	}()
	var printed strings.Builder
	scanner := bufio.NewScanner(reader)
	for scanner.Scan() {
		printed.WriteString(scanner.Text() + "\n")
		if scanner.Text() == "}" {
			break
		}
	}
	announced := regexp.MustCompile(`MCP: (http://127\.0\.0\.1:\d+/mcp) \(1 tools\)[^$]*Bearer (pharos_edge_[A-Z2-7]+)`)
	match := announced.FindStringSubmatch(printed.String())
	if match == nil {
		t.Fatalf("it printed:\n%s", printed.String())
	}
	list := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, match[1], list)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Authorization": {"Bearer " + match[2]},
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(reply.Body)
	_ = reply.Body.Close()
	if !strings.Contains(string(body), `"name":"list_things"`) {
		t.Errorf("tools/list: %s", body)
	}
	stop()
	if got := <-status; got != 0 {
		t.Errorf("exit status %d, want 0", got)
	}
}

func TestMainRefuses(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "edge.json")
	if err := os.WriteFile(file, []byte(`{"lisn":"x","uptreams":{}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args   []string
		status int
		says   []string
	}{
		"help":         {[]string{"-h"}, 0, []string{"usage: small [flags]", "-upstream DOCUMENT=URL"}},
		"unknown flag": {[]string{"-lisen", "x"}, 2, []string{"small: flag provided but not defined: -lisen"}},
		"argument":     {[]string{"serve"}, 2, []string{`small: unexpected argument "serve"`}},
		"bad upstream": {[]string{"-upstream", "http://a"}, 2, []string{"write it as DOCUMENT=URL"}},
		"no upstream":  {nil, 1, []string{`small: upstreams: document "api" has no upstream`, "-upstream api=URL"}},
		"other upstream": {[]string{"-upstream", "api=http://a", "-upstream", "b=http://b"}, 1,
			[]string{"small: upstreams.b: the catalog has no such document"}},
		"no file":  {[]string{"-config", file + ".gone"}, 1, []string{"no such file"}},
		"bad file": {[]string{"-config", file}, 1, []string{"lisn: unknown member", "small: uptreams: unknown member"}},
	} {
		var stderr bytes.Buffer
		if got := run(t.Context(), c.args, nil, io.Discard, &stderr, small()); got != c.status {
			t.Errorf("%s: exit status %d, want %d", name, got, c.status)
		}
		for _, part := range c.says {
			if !strings.Contains(stderr.String(), part) {
				t.Errorf("%s: stderr does not say %q:\n%s", name, part, stderr.String())
			}
		}
	}
}
