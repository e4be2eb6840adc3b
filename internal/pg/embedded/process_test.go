//go:build unix

package embedded

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// folderVariable makes this binary another process that has a folder's server
// open until it is killed.
const folderVariable = "PHAROS_EMBEDDED_FOLDER"

func TestMain(m *testing.M) {
	folder := os.Getenv(folderVariable)
	if folder == "" {
		os.Exit(m.Run())
	}
	_, err := Open(context.Background(), folder, quiet)
	fmt.Println(err)
	if err == nil {
		select {}
	}
}

// another gives a process that has opened a folder's server.
func another(t *testing.T, folder string) *exec.Cmd {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), folderVariable+"="+folder)
	output, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill() // where the test has not
		_ = c.Wait()
	})
	line, err := bufio.NewReader(output).ReadString('\n')
	if err != nil || line != "<nil>\n" {
		t.Fatalf("the other process says %q: %v", line, err)
	}
	return c
}

// until waits for what nobody tells.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for ctx := within(t); !is(); {
		select {
		case <-time.After(5 * time.Millisecond):
		case <-ctx.Done():
			t.Fatal("not in time: " + what)
		}
	}
}

func TestProcesses(t *testing.T) {
	t.Parallel()
	data := folder(t)
	c, err := clusterIn(data)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(c.Socket) })

	first := another(t, data)
	ask(t, c.URL(), "CREATE TABLE kept AS SELECT 1 AS n")
	second := another(t, data)
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.Wait()
	// The server of the first ends, and the second runs one.
	until(t, "a server of the second process", func() bool {
		parent, err := parentOf(c.pid())
		if err != nil {
			return false
		}
		parent, err = parentOf(parent) // the server's shell is between them
		return err == nil && parent == second.Process.Pid
	})
	if got := ask(t, c.URL(), "SELECT n::text FROM kept"); got != "1" {
		t.Errorf("got %q, want the row of the first server", got)
	}
	if err := second.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = second.Wait()
	until(t, "no server", func() bool { _, err := os.Stat(c.pidFile()); return os.IsNotExist(err) })
	if got := ask(t, opened(t, data).URL(), "SELECT n::text FROM kept"); got != "1" {
		t.Errorf("got %q, want the row of the first server", got)
	}
}

// TestOrphan kills everything that belongs to a server but the server itself.
func TestOrphan(t *testing.T) {
	t.Parallel()
	data := folder(t)
	s := opened(t, data)
	p := s.process.Load()
	server, shell := s.cluster.pid(), p.command.Process.Pid
	for _, pid := range group(t, shell) {
		if pid != server {
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
		}
	}
	<-p.Ended()
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(tail(s.cluster.log(), 0))
		}
	})
	until(t, "another server", func() bool { pid := s.cluster.pid(); return pid != 0 && pid != server })
	if got := ask(t, s.URL(), "SELECT 'here'"); got != "here" {
		t.Errorf("got %q", got)
	}
}

// group lists the processes of a group.
func group(t *testing.T, id int) []int {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	var out []int
	for _, file := range files {
		if fields, err := stat(file); err == nil && fields[2] == strconv.Itoa(id) {
			pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, pid)
		}
	}
	return out
}

// parentOf gives the process that started another.
func parentOf(pid int) (int, error) {
	fields, err := stat(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(fields[1])
}

// stat gives what stands behind the name: state, parent, group and more.
func stat(file string) ([]string, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return strings.Fields(string(content[strings.LastIndexByte(string(content), ')')+1:])), nil
}
