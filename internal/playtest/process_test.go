package playtest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/pharos-mcp/pharos/internal/leak"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
)

// build makes the program once for all tests, in a folder that lasts for all of
// them.
var build = sync.OnceValue(func() (err error) {
	if folder, err = os.MkdirTemp("", "pharos"); err != nil {
		return err
	}
	out, err := exec.Command("go", "build", "-o", folder, "github.com/pharos-mcp/pharos/cmd/pharos").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("go build: %w\n%s", err, out)
	}
	return err
})

var folder string // "" where nothing was built

// TestMain reads along for secrets in what the tests print and the processes log.
func TestMain(m *testing.M) {
	status := leak.Main(m)
	if folder != "" {
		_ = os.RemoveAll(folder)
	}
	os.Exit(status)
}

func program(t *testing.T) string {
	t.Helper()
	if err := build(); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(folder, "pharos")
}

// configure writes a configuration over a database: play's part of it, with the
// members that are given.
func configure(t *testing.T, database string, members map[string]any) (file string) {
	t.Helper()
	part := map[string]any{"listen": "127.0.0.1:0"}
	for name, value := range members {
		part[name] = value
	}
	text, err := json.Marshal(map[string]any{"play": part, "database": map[string]any{"url": database}})
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "config.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// administer runs `pharos play` over a database and gives what it prints.
func administer(t *testing.T, database string, args ...string) string {
	t.Helper()
	command := exec.Command(program(t), append([]string{"play", "-config", configure(t, database, nil)}, args...)...)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	return string(out)
}

// stage is a database with the demonstration in it.
type stage struct {
	database  string
	token     string // of the player's session
	passwords map[string]string
}

// newStage is a stage in a database of the test's own.
func newStage(t *testing.T) stage {
	t.Helper()
	return newStageAt(t, pgtest.URL(t, "play"))
}

// newStageAt loads the demonstration into a database as an operator does.
func newStageAt(t *testing.T, database string) stage {
	t.Helper()
	s := stage{database: database, passwords: map[string]string{}}
	file := filepath.Join(t.TempDir(), "token")
	var account string
	for line := range strings.Lines(administer(t, s.database, "demo", "-token", file)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch name {
		case "account":
			account = value
		case "password":
			s.passwords[account] = value
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s.token = strings.TrimSpace(string(text))
	return s
}

// process is one that serves play.
type process struct {
	url     string
	command *exec.Cmd
	stderr  logged
	ended   chan struct{} // closed once it has ended
	err     error         // how it ended
}

// serve starts a process, and returns when it serves. It is killed when the
// test ends, if not before.
func serve(t *testing.T, file string) *process {
	t.Helper()
	p := &process{ended: make(chan struct{})}
	p.command = exec.Command(program(t), "serve", "-config", file, "play")
	p.command.Env = append(os.Environ(), "REDIS_URL=")
	p.command.Stderr = leak.Watch("a process's log", &p.stderr)
	stdout, err := p.command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.command.Start(); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(stdout)
	line, err := out.ReadString('\n')
	go func() {
		defer close(p.ended)
		_, _ = io.Copy(io.Discard, out)
		p.err = p.command.Wait()
	}()
	t.Cleanup(func() { p.end(syscall.SIGKILL) })
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "play: ")
	if !ok {
		p.end(syscall.SIGKILL)
		t.Fatalf("it does not serve: %q, %v\n%s", line, err, p.stderr.String())
	}
	p.url = url
	return p
}

// end ends the process, and returns when it has ended.
func (p *process) end(by os.Signal) {
	if err := p.command.Process.Signal(by); err != nil && !errors.Is(err, os.ErrProcessDone) {
		panic(err)
	}
	<-p.ended
}

// stop ends the process as an operator does, who wants no error.
func (p *process) stop(t *testing.T) {
	t.Helper()
	if p.end(syscall.SIGTERM); p.err != nil {
		t.Errorf("it ended with %v\n%s", p.err, p.stderr.String())
	}
}

// logged keeps what a process logs.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements io.Writer.
func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// String gives everything so far.
func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
