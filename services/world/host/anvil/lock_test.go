//go:build unix

package anvil_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/host/anvil"
)

// holder is the variable that makes this test binary a server that has the world
// of the folder in it.
const holder = "PHAROS_TEST_HOLD"

func TestMain(m *testing.M) {
	folder := os.Getenv(holder)
	if folder == "" {
		os.Exit(m.Run())
	}
	file, err := os.OpenFile(filepath.Join(folder, "session.lock"), os.O_RDWR|os.O_CREATE, 0o644)
	if err == nil {
		err = syscall.FcntlFlock(file.Fd(), syscall.F_SETLK, &syscall.Flock_t{Type: syscall.F_WRLCK})
	}
	fmt.Println(err)
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// hold starts a process that tries to take a world as a server does, and returns
// what came of it.
func hold(t *testing.T, folder string) (pid int, outcome string, release func()) {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0])
	c.Env = append(os.Environ(), holder+"="+folder)
	in, err := c.StdinPipe()
	must(t, err)
	out, err := c.StdoutPipe()
	must(t, err)
	must(t, c.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	must(t, err)
	return c.Process.Pid, strings.TrimSpace(line), func() {
		in.Close()
		must(t, c.Wait())
	}
}

// clause: W-35
func TestSessionLock(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	c := config(t, in(t, folder))
	c.Folder = folder

	pid, outcome, release := hold(t, folder)
	if outcome != "<nil>" {
		t.Fatalf("the server cannot take the world: %s", outcome)
	}
	if _, err := anvil.Open(c); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("process %d has it open", pid)) {
		t.Errorf("Open of a world that process %d has: %v", pid, err)
	}
	release()

	h, err := anvil.Open(c)
	must(t, err)
	if _, err := anvil.Open(c); err == nil || !strings.Contains(err.Error(), "already in this process") {
		t.Errorf("Open of a world that this process has: %v", err)
	}
	_, outcome, release = hold(t, folder) // also after that
	if outcome == "<nil>" {
		t.Error("a server takes a world that is open here")
	}
	release()
	must(t, h.Close())
	// Not before: who closes the file, be it after reading, ends the process's lock.
	if sign, err := os.ReadFile(filepath.Join(folder, "session.lock")); err != nil || string(sign) != "☃" {
		t.Errorf("session.lock has %q, %v", sign, err)
	}

	_, outcome, release = hold(t, folder)
	if outcome != "<nil>" {
		t.Errorf("the server cannot take the world after Close: %s", outcome)
	}
	release()
	open(t, c)
}

// TestSessionLockIsNoLink does not write through a link.
func TestSessionLockIsNoLink(t *testing.T) {
	t.Parallel()
	folder, other := t.TempDir(), filepath.Join(t.TempDir(), "other")
	must(t, os.WriteFile(other, []byte("mine"), 0o600))
	must(t, os.Symlink(other, filepath.Join(folder, "session.lock")))
	c := config(t, in(t, folder))
	c.Folder = folder
	if _, err := anvil.Open(c); err == nil {
		t.Error("a session.lock that is a link is taken")
	}
	if got, err := os.ReadFile(other); err != nil || string(got) != "mine" {
		t.Errorf("the other file is %q, %v", got, err)
	}
}
