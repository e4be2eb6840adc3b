package edge

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// flaky is a dependency that is there or not, and counts how often it is asked.
type flaky struct {
	away  atomic.Bool
	asked atomic.Int64
}

func (f *flaky) Check(context.Context) error {
	f.asked.Add(1)
	if f.away.Load() {
		return errors.New("away")
	}
	return nil
}

func TestReady(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &flaky{}
		h := &health{dependencies: []dependency{f}}
		h.over, h.stop = context.WithCancel(t.Context())
		for range 100 {
			if !h.ready() {
				t.Fatal("not ready with everything there")
			}
		}
		f.away.Store(true)
		if !h.ready() || f.asked.Load() != 1 {
			t.Errorf("asked %d times within a second, want once", f.asked.Load())
		}
		time.Sleep(healthAge + 1)
		if h.ready() {
			t.Error("ready without what it depends on")
		}
		f.away.Store(false)
		time.Sleep(healthAge + 1)
		if !h.ready() {
			t.Error("not ready when it came back")
		}
		h.stop()
		if h.ready() {
			t.Error("ready while it stops")
		}
	})
}

func TestUntil(t *testing.T) {
	t.Parallel()
	h := &health{}
	h.over, h.stop = context.WithCancel(t.Context())
	first, end := h.until(httptest.NewRequest(http.MethodGet, "/", nil))
	end()
	second, end := h.until(httptest.NewRequest(http.MethodGet, "/", nil))
	defer end()
	if first.Context().Err() == nil || second.Context().Err() != nil {
		t.Error("a stream has not ended, or one has that goes on")
	}
	h.stop()
	<-second.Context().Done()
}
