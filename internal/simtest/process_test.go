package simtest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
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
)

// long is for runs that take minutes.
var long = flag.Bool("long", false, "fight 1000 rounds for the lease, and kill 50 processes")

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

// TestMain reads along for secrets, and takes the program away.
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

// ok fails a test whose preparation fails.
func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// configure writes a configuration of the simulator with the members that are
// given, beside which its runs are.
func configure(t *testing.T, members map[string]any) (file string) {
	t.Helper()
	part := map[string]any{"listen": "127.0.0.1:0", "runs": "runs"}
	for name, value := range members {
		part[name] = value
	}
	text, err := json.Marshal(map[string]any{"simulator": part})
	ok(t, err)
	file = filepath.Join(t.TempDir(), "config.json")
	ok(t, os.WriteFile(file, text, 0o600))
	return file
}

// process is one that serves the simulator.
type process struct {
	url     string // of everything
	runs    string // the folder of the logs, as it says
	said    string // all that it printed at its start
	command *exec.Cmd
	stderr  logged
	ended   chan struct{} // closed once it has ended
	err     error         // how it ended
}

// serve starts a process, and returns when it serves. It is killed when the
// test ends, if not before.
func serve(t *testing.T, file string) *process {
	t.Helper()
	return serveAs(t, exec.Command(program(t), "serve", "-config", file, "simulator"))
}

// serveAs is serve by a command of one's own.
func serveAs(t *testing.T, command *exec.Cmd) *process {
	t.Helper()
	p := &process{ended: make(chan struct{}), command: command}
	p.command.Env = withoutDatabase()
	p.command.Stderr = leak.Watch("a process's log", &p.stderr)
	stdout, err := p.command.StdoutPipe()
	ok(t, err)
	ok(t, p.command.Start())
	out := bufio.NewReader(stdout)
	for err == nil && !strings.HasSuffix(p.said, "\n}\n") {
		var line string
		line, err = out.ReadString('\n')
		p.said += line
		if url, found := strings.CutPrefix(line, "simulator, display: "); found {
			p.url = strings.TrimSuffix(strings.TrimSpace(url), "/")
		}
		if runs, found := strings.CutPrefix(line, "simulator, run logs: "); found {
			p.runs = strings.TrimSpace(runs)
		}
	}
	go func() {
		defer close(p.ended)
		_, _ = io.Copy(io.Discard, out)
		p.err = p.command.Wait()
	}()
	t.Cleanup(func() { p.end(syscall.SIGKILL) })
	if err != nil || p.url == "" || p.runs == "" {
		p.end(syscall.SIGKILL)
		t.Fatalf("it does not serve: %q, %v\n%s", p.said, err, p.stderr.String())
	}
	return p
}

// withoutDatabase is this process's environment without a database.
func withoutDatabase() (env []string) {
	for _, member := range os.Environ() {
		if !strings.HasPrefix(member, "DATABASE_URL=") {
			env = append(env, member)
		}
	}
	return env
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
