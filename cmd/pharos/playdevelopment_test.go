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

	"github.com/google/uuid"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/play/assignment"
)

// printedPlay is what `pharos serve play` prints over a private database.
type printedPlay struct {
	url    string
	logins map[string]string
	client printedClient
}

// printedClient is what is to be pasted into an MCP client.
type printedClient struct {
	Type    string            `json:"type"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
}

var wholePlay = regexp.MustCompile(`(?ms)^play: (\S+)$.*^}$`)

// servePlay starts the program, alone, and ends it with stop.
func servePlay(t *testing.T, file string) (p printedPlay, stop func()) {
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
			t.Errorf("it ended with %v", err)
		}
	})
	t.Cleanup(stop)
	if p.url = printed.wait(); p.url == "" {
		t.Fatalf("it did not start: %s", printed)
	}
	p.logins = map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^play, log in as: (\w+), password (\w+)$`).FindAllStringSubmatch(printed.String(), -1) {
		p.logins[m[1]] = m[2]
	}
	_, configuration, _ := strings.Cut(printed.String(), "play the demonstration:\n")
	var servers struct {
		Servers map[string]printedClient `json:"mcpServers"`
	}
	if err := json.NewDecoder(strings.NewReader(configuration)).Decode(&servers); err != nil {
		t.Fatal(err)
	}
	p.client = servers.Servers["play"]
	return p, stop
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

// TestPlayDevelopmentAtOnce: many that start at once over one private database
// agree, and on what is good.
func TestPlayDevelopmentAtOnce(t *testing.T) {
	t.Parallel()
	db := &pg.DB{Pool: pgtest.Database(t, "play"), Folder: t.TempDir()}
	demos, errs := [6]*playDemo{}, [6]error{}
	var all sync.WaitGroup
	for i := range demos {
		all.Go(func() { demos[i], errs[i] = developmentPlay(t.Context(), db) })
	}
	all.Wait()
	deps := newPlayServices(db.Pool)
	for i, d := range demos {
		if errs[i] != nil {
			t.Fatal(errs[i])
		}
		if *d != *demos[0] {
			t.Error("they do not agree")
		}
	}
	if _, err := deps.Assignments.Seat(t.Context(), demos[0].token); err != nil {
		t.Errorf("the play token: %v", err)
	}
	for _, p := range demos[0].people {
		if _, _, err := deps.Accounts.Login(t.Context(), p.username, p.password, "127.0.0.1"); err != nil {
			t.Errorf("%s: %v", p.username, err)
		}
	}
}

// TestPlayDevelopmentGone: what was revoked, or completed, is replaced; who was
// disabled stays so, and the start does not fail for it.
func TestPlayDevelopmentGone(t *testing.T) {
	t.Parallel()
	db := &pg.DB{Pool: pgtest.Database(t, "play"), Folder: t.TempDir()}
	deps := newPlayServices(db.Pool)
	prepared := func() *playDemo {
		t.Helper()
		d, err := developmentPlay(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first := prepared()
	seat, err := deps.Assignments.Seat(t.Context(), first.token)
	if err != nil {
		t.Fatal(err)
	}
	if err := deps.Assignments.RevokeToken(t.Context(), seat.PlayerID, seat.AssignmentID); err != nil {
		t.Fatal(err)
	}
	second := prepared()
	if next, err := deps.Assignments.Seat(t.Context(), second.token); err != nil || next != seat || second.token == first.token {
		t.Errorf("after a token was revoked: %+v, %v", next, err)
	}
	ending := assignment.Ending{OperationID: uuid.New(), ExpectedVersion: 1, Summary: "The end."}
	if _, err := deps.Assignments.Finish(t.Context(), seat, ending); err != nil {
		t.Fatal(err)
	}
	third := prepared()
	if next, err := deps.Assignments.Seat(t.Context(), third.token); err != nil || next.AssignmentID == seat.AssignmentID {
		t.Errorf("after a session was completed: %+v, %v", next, err)
	}
	if err := deps.Accounts.SetActive(t.Context(), "player", false); err != nil {
		t.Fatal(err)
	}
	if d := prepared(); d.token != "" {
		t.Error("who was disabled gets a token")
	}
}
