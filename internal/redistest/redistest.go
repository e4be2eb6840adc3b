// Package redistest runs real Redis servers for tests.
package redistest

import (
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Server is one Redis server without persistence, on a socket in a folder of
// its own.
type Server struct {
	// URL is where clients connect.
	URL string

	socket string
	output string
	life   io.Closer // the server lives as long as this is open
	ended  chan struct{}
}

// script runs a server until its standard input ends, which it does too when
// the process that holds the other end dies.
const script = `redis-server "$@" >"$OUTPUT" 2>&1 & cat >/dev/null; kill -9 $!; wait $! 2>/dev/null; true`

// Start runs a server until the test ends. A test cannot do without it: where
// there is none, the test fails.
func Start(t testing.TB) *Server {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		t.Fatal("redis-server is not installed: run `make redis-server`, or apt-get install redis-server")
	}
	// A socket's name is short, which t.TempDir's is not always.
	folder, err := os.MkdirTemp("", "redis")
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{socket: filepath.Join(folder, "s"), output: filepath.Join(folder, "output")}
	s.URL = "unix://" + s.socket
	t.Cleanup(func() {
		s.Stop()
		_ = os.RemoveAll(folder)
	})
	s.Restart(t)
	return s
}

// Restart runs the server again after Stop, with nothing in it.
func (s *Server) Restart(t testing.TB) {
	t.Helper()
	c := exec.Command("sh", "-c", script, "sh", "--port", "0", "--unixsocket", s.socket, "--save", "",
		"--appendonly", "no", "--dir", filepath.Dir(s.socket))
	c.Env = append(os.Environ(), "OUTPUT="+s.output)
	input, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	_ = os.Remove(s.socket) // of a server that was killed
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	s.life, s.ended = input, make(chan struct{})
	go func() {
		_ = c.Wait() // how it was killed is of no interest
		close(s.ended)
	}()
	for deadline := time.Now().Add(20 * time.Second); !s.answers(); {
		if time.Now().After(deadline) {
			output, _ := os.ReadFile(s.output)
			t.Fatalf("redis-server does not answer: %s", output)
		}
		time.Sleep(5 * time.Millisecond) // there is nothing to wait on but its answer
	}
}

// answers reports whether the server answers a ping.
func (s *Server) answers() bool {
	c, err := net.Dial("unix", s.socket)
	if err != nil {
		return false
	}
	defer func() { _ = c.Close() }()
	if err := errors.Join(c.SetDeadline(time.Now().Add(time.Second)), write(c, "PING\r\n")); err != nil {
		return false
	}
	reply := make([]byte, len("+PONG"))
	_, err = io.ReadFull(c, reply)
	return err == nil && string(reply) == "+PONG"
}

func write(w io.Writer, text string) error {
	_, err := io.WriteString(w, text)
	return err
}

// Stop kills the server, as an outage would. It may be called again.
func (s *Server) Stop() {
	if s.life != nil {
		_ = s.life.Close()
		<-s.ended
	}
}
