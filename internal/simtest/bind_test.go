package simtest

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestBind: whatever is not loopback, however it is written, is refused before
// anything is opened.
//
// clause: S-01
func TestBind(t *testing.T) {
	t.Parallel()
	start := func(listen, command string) (said string, refused bool) {
		t.Helper()
		file := configure(t, map[string]any{"listen": listen})
		c := exec.Command(program(t), command, "-config", file, "simulator")
		c.Env = withoutDatabase()
		out, err := c.CombinedOutput()
		if _, missing := os.Stat(filepath.Join(filepath.Dir(file), "runs")); missing == nil {
			t.Errorf("%s at %s makes a folder", command, listen)
		}
		return string(out), err != nil
	}
	for _, listen := range []string{
		"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "10.0.0.1:0", "169.254.1.1:0", "[2001:db8::1]:0", "[fe80::1%lo]:0",
		"[::ffff:192.0.2.1]:0", "0:0", "128.0.0.1:0", "126.255.255.255:0", "game.example:0", "localhost.example:0",
		"127.0.0.1.example:0", "[::2]:0", "255.255.255.255:0", "127.0.0.1", "127.0.0.1:65536",
	} {
		for _, command := range []string{"serve", "check-config"} {
			said, refused := start(listen, command)
			if !refused || !strings.HasPrefix(said, "pharos: simulator.listen: ") {
				t.Errorf("%s at %s: refused %v, says %q", command, listen, refused, said)
			}
		}
	}
	for _, listen := range []string{"127.0.0.1:0", "[::1]:0", "localhost:0", "127.255.255.254:0", "127.0.0.1:65535"} {
		if said, refused := start(listen, "check-config"); refused {
			t.Errorf("%s is refused: %s", listen, said)
		}
	}
}

// TestAnnounced: what it prints is enough to connect.
//
// clause: S-01
func TestAnnounced(t *testing.T) {
	t.Parallel()
	p := serve(t, configure(t, nil))
	if !strings.Contains(p.said, "MCP: "+p.url+"/mcp (7 tools)\n") {
		t.Errorf("it says %q", p.said)
	}
	var configuration struct {
		Servers map[string]struct{ Type, URL string } `json:"mcpServers"`
	}
	ok(t, json.Unmarshal([]byte(p.said[strings.Index(p.said, "{"):]), &configuration))
	if got := configuration.Servers["simulator"]; got.Type != "http" || got.URL != p.url+"/mcp" {
		t.Errorf("the client's configuration is %+v", got)
	}
	if info, err := os.Stat(p.runs); err != nil || !filepath.IsAbs(p.runs) || info.Mode().Perm() != 0o700 {
		t.Errorf("run logs in %s: %v", p.runs, err)
	}
}

// TestNames: only names of loopback reach it, at every path.
//
// clause: S-01
func TestNames(t *testing.T) {
	t.Parallel()
	p := serve(t, configure(t, nil))
	port := p.url[strings.LastIndex(p.url, ":"):]
	for _, c := range []struct {
		name, value string
		refused     bool
	}{
		{"Host", "127.0.0.1" + port, false}, {"Host", "localhost" + port, false}, {"Host", "[::1]" + port, false},
		{"Host", "game.example" + port, true}, {"Host", "127.0.0.1.nip.example" + port, true}, {"Host", "192.0.2.1" + port, true},
		{"Origin", p.url, false}, {"Origin", "http://game.example", true}, {"Origin", "null", true}, {"Origin", "https://127.0.0.1.example", true},
	} {
		for _, path := range []string{"/mcp", "/", "/api/v1/snapshot", "/replay"} {
			method, body, header := http.MethodGet, "", http.Header{}
			if path == "/mcp" {
				method, body, header = http.MethodPost, initialize, (&client{}).header()
			}
			header.Set(c.name, c.value)
			got, err := request(t.Context(), method, p.url+path, body, header)
			ok(t, err)
			if (got.status == http.StatusForbidden) != c.refused || !c.refused && got.status != http.StatusOK {
				t.Errorf("%s %s at %s: status %d", c.name, c.value, path, got.status)
			}
		}
	}
}

// TestOneProcess: a second one over the same logs would end the runs of the
// first.
//
// clause: S-05
func TestOneProcess(t *testing.T) {
	t.Parallel()
	file := configure(t, nil)
	p := serve(t, file)
	run := opened(t, p.url).must(t, "start_episode", begin).read(t).RunID
	second := exec.Command(program(t), "serve", "-config", file, "simulator")
	second.Env = withoutDatabase()
	out, err := second.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "another process has them") {
		t.Errorf("a second process: %v, %s", err, out)
	}
	if got := ended(p.runs, run); got != "" {
		t.Errorf("the run of the first ended %q", got)
	}
}
