package leak_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/internal/leak"
)

// planted is a secret that is none.
const planted = "pharos_refresh_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// planting names the environment variable that makes TestPlant print it.
const planting = "PHAROS_LEAK_PLANT"

func TestMain(m *testing.M) { os.Exit(leak.Main(m)) }

func TestKinds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"nothing": nil,
		planted:   {"pharos_refresh_"},
		"pharos_client_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA":                                    nil,
		"?code=pharos_code_AAAAAAAAAAAAAAAAAAAAAAAA&state=pharos_state_0a0a0a0a_AAAAAAAAAAAAAAAAAAAAA": {"pharos_code_", "pharos_state_"},
		"Bearer eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJ4In0xxx.c2lnbmF0dXJl":                                  {"JWT"},
		`{"kty":"OKP","d": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}`:                             {"private key"},
		"pharos_ask_AAAAAAAAAAAAAAAAAAAAAA pharos_browser_AAAAAAAAAAAAAAAAAAAAAA pharos_pat_AAAAAAAAAAAAAAAAAAAAAA": {
			"pharos_ask_", "pharos_browser_", "pharos_pat_",
		},
		"pharos_session_AAAAAAAAAAAAAAAAAAAAAA pharos_edge_AAAAAAAAAAAAAAAA": {
			"pharos_edge_", "pharos_session_",
		},
		"pharos_play_AAAAAAAAAAAAAAAAAAAAAA pharos_author_AAAAAAAAAAAAAAAA pharos_login_AAAAAAAAAAAAAAAA": {
			"pharos_author_", "pharos_login_", "pharos_play_",
		},
		"__Host-pharos_session=; pharos_session_": nil,
		"__Host-pharos_login=; pharos_login_":     nil,
		"a prefix alone, pharos_code_, is none":   nil,
	} {
		if diff := cmp.Diff(want, leak.Kinds(text)); diff != "" {
			t.Errorf("%.20q: %s", text, diff)
		}
	}
}

// TestMain's reading is seen from outside: a run that prints or logs a secret,
// whole or in two pieces, fails and does not repeat it.
func TestPlanted(t *testing.T) {
	t.Parallel()
	for how, want := range map[string]string{
		"print":   "leak: standard output holds a pharos_refresh_",
		"error":   "leak: standard error holds a pharos_refresh_",
		"log":     "leak: the log holds a pharos_refresh_",
		"halves":  "leak: the log holds a pharos_refresh_",
		"nothing": "",
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			run := exec.Command(os.Args[0], "-test.run", "^TestPlant$")
			run.Env = append(os.Environ(), planting+"="+how)
			out, err := run.CombinedOutput()
			if (err != nil) != (want != "") || !strings.Contains(string(out), want) {
				t.Errorf("error %v, output %q, want %q", err, bytes.ReplaceAll(out, []byte(planted), []byte("PLANTED")), want)
			}
		})
	}
}

// TestPlant leaks what TestPlanted wants.
func TestPlant(t *testing.T) {
	var sink bytes.Buffer
	log := leak.Watch("the log", &sink)
	switch os.Getenv(planting) {
	case "print":
		fmt.Println("here:", planted)
	case "error":
		fmt.Fprintln(os.Stderr, "here:", planted)
	case "log":
		slog.New(slog.NewJSONHandler(log, nil)).Info("request", "url", "/callback?code="+planted)
	case "halves":
		fmt.Fprint(log, planted[:20])
		fmt.Fprint(log, planted[20:])
	}
}
