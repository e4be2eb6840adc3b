package pgtest

import (
	"context"
	"os"
	"testing"

	"github.com/pharos-mcp/pharos/internal/pg/embedded"
)

// Own is a server of one test, which may stop it, kill it and start it again.
type Own struct {
	URL string // the same all the time

	cluster embedded.Cluster
	process *embedded.Process
}

// Server starts a server of its own for a test and stops it when the test
// ends. What is committed survives stopping and killing it.
func Server(t testing.TB) *Own {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c, err := embedded.Scratch(ctx)
	if err != nil {
		t.Fatal(err)
	}
	c.Scratch = false
	s := &Own{URL: c.URL(), cluster: c}
	t.Cleanup(func() {
		s.Kill()
		if err := os.RemoveAll(c.Folder); err != nil {
			t.Error(err)
		}
	})
	s.Start(t)
	return s
}

// Start starts the server after Stop or Kill.
func (s *Own) Start(t testing.TB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	p, err := s.cluster.Start(ctx)
	if err != nil {
		t.Fatal(err)
	}
	s.process = p
}

// Stop shuts the server down as its administrator would.
func (s *Own) Stop() {
	if s.process != nil {
		s.process.Stop()
		s.process = nil
	}
}

// Kill ends the server as a power cut would.
func (s *Own) Kill() {
	if s.process != nil {
		s.process.Kill()
		s.process = nil
	}
}
