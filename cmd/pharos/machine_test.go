package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/pharos-mcp/pharos/internal/leak"
)

// machine is a process that serves everything of one machine: platform, login
// service, broker and edge, over a database of its own.
type machine struct{ origin, url string }

var printedURL = regexp.MustCompile(`(?m)^MCP: (\S+)/mcp `)

// serveMachine starts the program with variables of the environment beside
// the test's own, and ends it with the test.
func serveMachine(t *testing.T, environment ...string) machine {
	t.Helper()
	file := configFile(t, `{"edge":{"listen":"127.0.0.1:0"},"broker":{"listen":"127.0.0.1:0"},"devidp":{"listen":"127.0.0.1:0"},
		"platform":{"listen":"127.0.0.1:0","private_listen":"127.0.0.1:0"},"database":{"state":"postgres"}}`)
	command := exec.Command(program(t), "serve", "-config", file, "platform", "devidp", "broker", "edge")
	command.Env = append(os.Environ(), environment...)
	printed := newPrintout(printedURL)
	command.Stdout, command.Stderr = printed, printed
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		ended <- command.Wait()
		printed.end()
	}()
	t.Cleanup(func() {
		_ = command.Process.Signal(syscall.SIGTERM)
		if err := <-ended; err != nil {
			t.Errorf("%v: %s", err, printed)
		}
		for _, found := range leak.Kinds(printed.String()) {
			t.Errorf("the program prints a %s", found)
		}
	})
	origin := printed.wait()
	if origin == "" {
		t.Fatalf("the program did not start: %s", printed)
	}
	return machine{origin: origin, url: origin + "/mcp"}
}

// printout keeps what a program prints, and tells when it prints something.
type printout struct {
	pattern *regexp.Regexp
	found   chan string // the first group of the first match; closed at the end
	mu      sync.Mutex
	text    strings.Builder
	told    bool
}

func newPrintout(pattern *regexp.Regexp) *printout {
	return &printout{pattern: pattern, found: make(chan string, 1)}
}

// Write implements io.Writer.
func (s *printout) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.Write(p)
	if m := s.pattern.FindStringSubmatch(s.text.String()); !s.told && m != nil {
		s.told = true
		s.found <- m[1]
	}
	return len(p), nil
}

func (s *printout) end() { close(s.found) }

// wait gives what was looked for, or "" where the program ended without it.
func (s *printout) wait() string { return <-s.found }

func (s *printout) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// post sends a form and gives the status and the members of the reply.
func post(t *testing.T, address string, form map[string][]string) (int, map[string]any) {
	t.Helper()
	reply, err := http.PostForm(address, form)
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]any
	if len(body) > 0 {
		if err := json.Unmarshal(body, &members); err != nil {
			t.Fatalf("%v: %s", err, body)
		}
	}
	return reply.StatusCode, members
}

// sorted gives the words of a text in order.
func sorted(text any) []string {
	words := strings.Fields(text.(string))
	slices.Sort(words)
	return words
}
