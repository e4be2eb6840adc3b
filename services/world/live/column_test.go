package live_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/live"
)

// slow is a world whose columns are held back, once they have been read.
type slow struct {
	live.World
	held func(host.ChunkPos) error
}

func (s slow) Column(ctx context.Context, at host.ChunkPos) (*host.Column, error) {
	c, err := s.World.Column(ctx, at)
	return c, errors.Join(err, s.held(at))
}

// TestColumn: a chunk is sent as it is now, as far as the world reaches.
func TestColumn(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	cookie := s.enter(t)
	before := s.ask(http.MethodGet, "/api/v1/columns/0/0", cookie)
	put(t, s.world, map[geom.Pos]string{{X: 8, Y: 65, Z: 8}: "minecraft:stone"})
	after := s.ask(http.MethodGet, "/api/v1/columns/0/0", cookie)
	if revision(t, after) != revision(t, before)+1 || after.Body.Len() <= before.Body.Len() {
		t.Errorf("revisions %d and %d, %d and %d bytes", revision(t, before), revision(t, after), before.Body.Len(), after.Body.Len())
	}
	for address, want := range map[string]int{
		"/api/v1/columns/-1875000/1875000": http.StatusOK,
		"/api/v1/columns/1000/0":           http.StatusNoContent, // there is no such chunk
		"/api/v1/columns/999/0":            http.StatusOK,        // beside it
		"/api/v1/columns/-1875001/0":       http.StatusNotFound,
		"/api/v1/columns/0/1875001":        http.StatusNotFound,
		"/api/v1/columns/x/0":              http.StatusNotFound,
		"/api/v1/columns/4294967296/0":     http.StatusNotFound,
	} {
		if w := s.ask(http.MethodGet, address, cookie); w.Code != want {
			t.Errorf("%s: %d", address, w.Code)
		}
	}
	if w := s.ask(http.MethodHead, "/api/v1/columns/0/0", cookie); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("HEAD: %d", w.Code)
	}
}

// TestStale: what was read before a change is never shown to who asks after it,
// even if the reading ended later.
func TestStale(t *testing.T) {
	t.Parallel()
	reading, let := make(chan struct{}, 8), make(chan struct{})
	s := newSite(t, func(c *live.Config) {
		c.World = slow{c.World, func(at host.ChunkPos) error {
			if at == (host.ChunkPos{}) {
				reading <- struct{}{}
				<-let
			}
			return nil
		}}
	})
	cookie := s.enter(t)
	early := make(chan uint64)
	go func() { early <- revision(t, s.ask(http.MethodGet, "/api/v1/columns/0/0", cookie)) }()
	<-reading
	put(t, s.world, map[geom.Pos]string{{X: 8, Y: 65, Z: 8}: "minecraft:stone"})
	close(let)
	was := <-early
	if now := revision(t, s.ask(http.MethodGet, "/api/v1/columns/0/0", cookie)); now != was+1 {
		t.Errorf("who asked early has revision %d, who asked late %d", was, now)
	}
}

// TestQueue: so many chunks are worked on and waited for, and no more.
func TestQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		let := make(chan struct{})
		s := newSite(t, func(c *live.Config) {
			c.World = slow{c.World, func(host.ChunkPos) error {
				<-let
				return nil
			}}
		})
		cookie := s.enter(t)
		codes := make(chan int, 64)
		get := func(i int) int { return s.ask(http.MethodGet, fmt.Sprintf("/api/v1/columns/0/%d", i%2), cookie).Code }
		for i := range 64 {
			go func() { codes <- get(i) }()
		}
		synctest.Wait()
		if got := get(0); got != http.StatusServiceUnavailable {
			t.Errorf("one more: %d", got)
		}
		close(let)
		for range 64 {
			if got := <-codes; got != http.StatusOK {
				t.Errorf("one of them: %d", got)
			}
		}
		if got := get(0); got != http.StatusOK {
			t.Errorf("afterwards: %d", got)
		}
	})
}

// TestUnread: a world that cannot be read now is asked again the next time, and
// its error is for nobody's eyes.
func TestUnread(t *testing.T) {
	t.Parallel()
	broken := true
	s := newSite(t, func(c *live.Config) {
		c.World = slow{c.World, func(host.ChunkPos) error {
			if broken {
				return errors.New("secret path")
			}
			return nil
		}}
	})
	cookie := s.enter(t)
	w := s.ask(http.MethodGet, "/api/v1/columns/0/0", cookie)
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" || w.Body.String() != "the world cannot be read now\n" {
		t.Errorf("%d: %q", w.Code, w.Body)
	}
	broken = false
	if w := s.ask(http.MethodGet, "/api/v1/columns/0/0", cookie); w.Code != http.StatusOK {
		t.Errorf("when it can be read again: %d", w.Code)
	}
}
