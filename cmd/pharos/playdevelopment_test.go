package main

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pharos-mcp/pharos/internal/pg"
)

// printedPlay is what `pharos serve play` prints over a private database.
type printedPlay struct {
	url    string
	logins map[string]string
	client struct {
		Type    string            `json:"type"`
		URL     string            `json:"url"`
		Headers map[string]string `json:"headers"`
	}
}

var wholePlay = regexp.MustCompile(`(?ms)^play: (\S+)$.*^}$`)

// startPlay starts the program, alone. Wait gives what it prints, and stop ends
// it.
func startPlay(t *testing.T, file string) (wait func() printedPlay, stop func()) {
	t.Helper()
	command := exec.Command(program(t), "serve", "-config", file, "play")
	printed := newPrintout(wholePlay)
	command.Stdout, command.Stderr = printed, printed
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		ended <- command.Wait()
		printed.end()
	}()
	stop = sync.OnceFunc(func() {
		t.Helper()
		_ = command.Process.Signal(syscall.SIGTERM)
		if err := <-ended; err != nil {
			t.Errorf("%v: %s", err, printed)
		}
	})
	t.Cleanup(stop)
	return func() (p printedPlay) {
		t.Helper()
		if p.url = printed.wait(); p.url == "" {
			t.Fatalf("it did not start: %s", printed)
		}
		p.logins = map[string]string{}
		for _, m := range regexp.MustCompile(`(?m)^play, log in as: (\w+), password (\w+)$`).FindAllStringSubmatch(printed.String(), -1) {
			p.logins[m[1]] = m[2]
		}
		_, configuration, _ := strings.Cut(printed.String(), "play the demonstration:\n")
		servers := map[string]map[string]any{}
		if err := json.NewDecoder(strings.NewReader(configuration)).Decode(&servers); err != nil {
			t.Fatalf("%v: %s", err, printed)
		}
		again, err := json.Marshal(servers["mcpServers"]["play"])
		if err == nil {
			err = json.Unmarshal(again, &p.client)
		}
		if err != nil {
			t.Fatal(err)
		}
		return p
	}, stop
}

// servePlay is startPlay and wait.
func servePlay(t *testing.T, file string) (p printedPlay, stop func()) {
	t.Helper()
	wait, stop := startPlay(t, file)
	return wait(), stop
}

// plays reports whether the printed configuration is enough to play with.
func (p printedPlay) plays(t *testing.T) bool {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: p.client.URL, HTTPClient: &http.Client{Transport: withHeaders(p.client.Headers)},
	}, nil)
	if err != nil {
		return false
	}
	defer session.Close()
	got, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_play_context", Arguments: map[string]any{}})
	return err == nil && !got.IsError
}

// TestPlayDevelopment: what is printed at the first start is all that a try
// needs, and stays as it is while it is good.
func TestPlayDevelopment(t *testing.T) {
	t.Parallel()
	file := configFile(t, `{"play":{"listen":"127.0.0.1:0"},"database":{"state":"postgres"}}`)
	state := filepath.Join(filepath.Dir(file), "postgres")
	first, stop := servePlay(t, file)
	if !first.plays(t) || first.client.Type != "http" {
		t.Errorf("what is printed is not enough: %+v", first.client)
	}
	for _, name := range []string{"play-gm.password", "play-player.password", "play.token"} {
		if info, err := os.Stat(filepath.Join(state, name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	loggedIn := func(username, password string) bool {
		t.Helper()
		db, err := pg.Open(t.Context(), pg.Config{State: state}, "play")
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		_, _, err = newPlayServices(db.Pool).Accounts.Login(t.Context(), username, password, "127.0.0.1")
		return err == nil
	}
	for username, password := range first.logins {
		if !loggedIn(username, password) {
			t.Errorf("%s cannot log in", username)
		}
	}
	if len(first.logins) != 2 {
		t.Errorf("%d logins", len(first.logins))
	}
	stop()

	second, stop := servePlay(t, file)
	if second.client.Headers["Authorization"] != first.client.Headers["Authorization"] || second.logins["gm"] != first.logins["gm"] {
		t.Error("a token and a password that are good are replaced")
	}
	stop()

	// A token that is lost is replaced, and so is a password.
	for _, name := range []string{"play.token", "play-player.password"} {
		if err := os.Remove(filepath.Join(state, name)); err != nil {
			t.Fatal(err)
		}
	}
	third, _ := servePlay(t, file)
	if third.client.Headers["Authorization"] == first.client.Headers["Authorization"] || !third.plays(t) {
		t.Error("the token is not replaced by one that is good")
	}
	if loggedIn("player", first.logins["player"]) || !loggedIn("player", third.logins["player"]) || third.logins["gm"] != first.logins["gm"] {
		t.Error("the lost password, and it alone, is not replaced")
	}
}

// TestPlayDevelopmentTwice: two that start at once over one private database
// print the same, and it is good.
func TestPlayDevelopmentTwice(t *testing.T) {
	t.Parallel()
	file := configFile(t, `{"play":{"listen":"127.0.0.1:0"},"database":{"state":"postgres"}}`)
	one, _ := startPlay(t, file)
	two, _ := startPlay(t, file)
	first, second := one(), two()
	if diff := cmp.Diff(first.logins, second.logins); diff != "" || len(first.logins) != 2 {
		t.Errorf("the logins differ: %s", diff)
	}
	if first.client.Headers["Authorization"] != second.client.Headers["Authorization"] || !first.plays(t) || !second.plays(t) {
		t.Error("the play tokens are not the same, or not good")
	}
}
