package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// instance is a process that serves the platform.
type instance struct {
	url     string
	command *exec.Cmd
}

// startInstance serves the platform in a process of its own, over a database
// that others may use too.
func startInstance(t *testing.T, database string) *instance {
	t.Helper()
	file := configFile(t, `{"platform":{"listen":"127.0.0.1:0","private_listen":"127.0.0.1:0","slots":-1,
		"database":{"url":`+strconv.Quote(database)+`}}}`)
	p := &instance{command: exec.Command(program(t), "serve", "-config", file, "platform")}
	stdout, err := p.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	p.command.Stderr = &stderr
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = p.command.Process.Kill()
		_ = p.command.Wait()
		if t.Failed() {
			t.Log(stderr.String())
		}
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	p.url = strings.TrimSpace(strings.TrimPrefix(line, "platform API: "))
	return p
}

// userToken makes a user known and gives a token of theirs.
func userToken(t *testing.T, database string) string {
	t.Helper()
	config := configFile(t, `{"platform":{"database":{"url":`+strconv.Quote(database)+`}}}`)
	file := filepath.Join(t.TempDir(), "token")
	if status, _, stderr := administered(t, config, "", "user", "add", "-token", file, "ada"); status != 0 {
		t.Fatal(stderr)
	}
	token, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(token))
}

// send sends a command and gives the status and body of the reply.
func (p *instance) send(t *testing.T, token, method, path, key, revision, body string) (int, string, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, p.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", key)
	r.Header.Set("If-Match", revision)
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = reply.Body.Close() }()
	text, err := io.ReadAll(reply.Body)
	return reply.StatusCode, string(text), err
}

const (
	ticketPath = "/support/tickets/11111111-1111-4111-8111-111111111111"
	ticketKey  = "22222222-2222-4222-8222-222222222222"
	ticketBody = `{"title":"A support request","body":"Please investigate."}`
)

// count counts the rows of a table.
func count(t *testing.T, database, table string) (n int) {
	t.Helper()
	if err := pgtest.Pool(t, database).QueryRow(t.Context(), "SELECT count(*) FROM platform."+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestInstances sends the same commands through two processes at once.
//
// clause: E-41
func TestInstances(t *testing.T) {
	t.Parallel()
	database := pgtest.URL(t, "platform")
	token := userToken(t, database)
	instances := []*instance{startInstance(t, database), startInstance(t, database)}
	// sixteen counts the replies to a command that 16 clients send.
	sixteen := func(method, path string, key func(i int) string, revision, body string) map[string]int {
		var mu sync.Mutex
		var all sync.WaitGroup
		replies := map[string]int{}
		for i := range 16 {
			all.Go(func() {
				status, text, err := instances[i%2].send(t, token, method, path, key(i), revision, body)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				replies[fmt.Sprint(status, " ", strings.TrimSpace(text))]++
			})
		}
		all.Wait()
		return replies
	}
	same := func(int) string { return ticketKey }
	created := sixteen("PUT", ticketPath, same, "0", ticketBody)
	if len(created) != 1 {
		t.Errorf("different replies: %v", created)
	}
	for reply := range created {
		if !strings.HasPrefix(reply, `201 {"body":"Please investigate."`) {
			t.Error(reply)
		}
	}
	outcome := func(status, version int, rejection string) string {
		return fmt.Sprintf(`%d {"aggregateId":"11111111-1111-4111-8111-111111111111",%s"version":%d}`, status, rejection, version)
	}
	want := map[string]int{outcome(409, 0, `"rejection":"idempotency_key_reuse","status":"rejected",`): 16}
	if diff := cmp.Diff(want, sixteen("PUT", ticketPath, same, "0", `{"title":"Another","body":"one"}`)); diff != "" {
		t.Error(diff)
	}
	other := func(i int) string { return fmt.Sprintf("33333333-3333-4333-8333-%012d", i) }
	want = map[string]int{
		outcome(201, 2, `"status":"applied",`):                               1,
		outcome(409, 2, `"rejection":"stale_revision","status":"rejected",`): 15,
	}
	if diff := cmp.Diff(want, sixteen("POST", ticketPath+"/comments", other, "1", `{"body":"Any news?"}`)); diff != "" {
		t.Error(diff)
	}
	if n, comments := count(t, database, "ticket"), count(t, database, "ticket_comment"); n != 1 || comments != 1 {
		t.Errorf("%d tickets, %d comments", n, comments)
	}
}

// TestKilledAfterCommit kills a process between the commit of a command and its
// reply. Another process knows what became of it.
//
// clause: E-41
func TestKilledAfterCommit(t *testing.T) {
	t.Parallel()
	database := pgtest.URL(t, "platform")
	token := userToken(t, database)
	var killed atomic.Pointer[instance]
	through := proxy(t, database, "INSERT INTO platform.ticket", func() {
		if p := killed.Load(); p != nil {
			_ = p.command.Process.Kill()
		}
	})
	first, second := startInstance(t, through), startInstance(t, database)
	killed.Store(first)
	if status, text, err := first.send(t, token, "PUT", ticketPath, ticketKey, "0", ticketBody); err == nil {
		t.Fatalf("a reply: %d %s", status, text)
	}
	if n := count(t, database, "ticket"); n != 1 {
		t.Errorf("%d tickets after the commit", n)
	}
	status, text, err := second.send(t, token, "PUT", ticketPath, ticketKey, "0", ticketBody)
	if err != nil || status != 201 || !strings.HasPrefix(text, `{"body":"Please investigate."`) {
		t.Errorf("%d %s %v", status, text, err)
	}
	if n, kept := count(t, database, "ticket"), count(t, database, "receipt"); n != 1 || kept != 1 {
		t.Errorf("%d tickets, %d receipts", n, kept)
	}
}
