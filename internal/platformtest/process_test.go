package platformtest

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/pharos-mcp/pharos/internal/leak"
)

// long makes the tests take their time.
var long = flag.Bool("long", false, "wait for what is shortened otherwise, and repeat what is done once")

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

// configure writes the configuration of a process over a database, which
// believes the broker and the gateway of these tests.
func configure(t *testing.T, database string, slots int) (file string) {
	t.Helper()
	folder := t.TempDir()
	text := fmt.Sprintf(`{"platform":{"listen":"127.0.0.1:0","private_listen":"127.0.0.1:0","slots":%d,
		"delegation":{"broker":{"issuer":%q,"keys_file":"broker.json"},"gateway":{"issuer":%q,"keys_file":"gateway.json"}}},
		"database":{"url":%q}}`, slots, broker.issuer, gateway.issuer, database)
	for name, content := range map[string][]byte{
		"config.json": []byte(text), "broker.json": broker.enrolment, "gateway.json": gateway.enrolment,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(folder, "config.json")
}

// addUser makes a user known and gives a token of theirs, by the program.
func addUser(t *testing.T, database, name string) (token string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "token")
	out, err := exec.Command(program(t), "platform", "-config", configure(t, database, 0),
		"user", "add", "-accept-aup", "-token", file, name).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

// process is one that serves the platform.
type process struct {
	url     string // of the API
	private string // of its private part
	command *exec.Cmd
	stderr  logged
	ended   chan struct{} // closed once it has ended
}

// noRuns are the slots of a process that leaves runs to others.
const noRuns = -1

// serve starts a process over a database, and returns when it serves. It is
// killed when the test ends, if not before.
func serve(t *testing.T, database string, slots int) *process {
	t.Helper()
	return serveFile(t, configure(t, database, slots))
}

// serveFile is serve with a configuration file.
func serveFile(t *testing.T, file string) *process {
	t.Helper()
	p := &process{ended: make(chan struct{})}
	p.command = exec.Command(program(t), "serve", "-config", file, "platform")
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
	next, errNext := out.ReadString('\n')
	go func() {
		defer close(p.ended)
		_, _ = io.Copy(io.Discard, out)
		_ = p.command.Wait() // how it ends is the test's to say
	}()
	t.Cleanup(p.kill)
	var public, private bool
	p.url, public = strings.CutPrefix(strings.TrimSpace(line), "platform API: ")
	p.private, private = strings.CutPrefix(strings.TrimSpace(next), "platform API, private part: ")
	if !public || !private {
		p.kill()
		t.Fatalf("it does not serve: %q, %q, %v\n%s", line, next, errors.Join(err, errNext), p.stderr.String())
	}
	return p
}

// kill ends the process as a crash would, and returns when it has ended.
func (p *process) kill() { p.end(syscall.SIGKILL) }

func (p *process) end(by os.Signal) {
	_ = p.command.Process.Signal(by) // it may have ended by itself
	<-p.ended
}

var goroutine = regexp.MustCompile(`(?m)^goroutine \d+ .*\[`)

// goroutines ends the process and counts what was going on in it.
func (p *process) goroutines() int {
	p.end(syscall.SIGQUIT)
	return len(goroutine.FindAllString(p.stderr.String(), -1))
}

// files counts what the process has open.
func (p *process) files(t *testing.T) int {
	t.Helper()
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", p.command.Process.Pid))
	if err != nil {
		t.Skipf("open files cannot be counted here: %v", err)
	}
	return len(open)
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
