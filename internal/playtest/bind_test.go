package playtest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestBind: whatever is not loopback, however it is written, is refused without
// TLS before anything is opened, the database among it.
//
// clause: P-09
func TestBind(t *testing.T) {
	t.Parallel()
	start := func(listen string, command ...string) (said string, refused bool) {
		t.Helper()
		text, err := json.Marshal(map[string]any{
			"play": map[string]any{"listen": listen}, "database": map[string]any{"url": "postgres://nobody@127.0.0.1:1/none"},
		})
		ok(t, err)
		file := filepath.Join(t.TempDir(), "config.json")
		ok(t, os.WriteFile(file, text, 0o600))
		out, err := exec.Command(program(t), append(append(command[:1:1], "-config", file), command[1:]...)...).CombinedOutput()
		return string(out), err != nil
	}
	const why = "is not loopback, so play.tls or play.behind_tls_proxy is needed"
	for _, listen := range []string{
		"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "10.0.0.1:0", "169.254.1.1:0", "[2001:db8::1]:0", "[fe80::1%lo]:0", "[::ffff:0.0.0.0]:0",
		"[::ffff:192.0.2.1]:0", "0:0", "128.0.0.1:0", "126.255.255.255:0", "play.example:0", "localhost.example:0",
		"127.0.0.1.example:0", "[::2]:0", "255.255.255.255:0",
	} {
		for _, command := range [][]string{{"serve", "play"}, {"check-config", "play"}} {
			said, refused := start(listen, command...)
			if !refused || !strings.Contains(said, why) {
				t.Errorf("%s at %s: refused %v, says %q", command[0], listen, refused, said)
			}
		}
	}
	for _, listen := range []string{"127.0.0.1:0", "[::1]:0", "localhost:0", "127.255.255.254:0"} {
		if said, refused := start(listen, "check-config", "play"); refused {
			t.Errorf("%s is refused: %s", listen, said)
		}
	}
}
