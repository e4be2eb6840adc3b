package edge

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// slowWriter is a reply whose reader takes a time for each write.
type slowWriter struct {
	*httptest.ResponseRecorder
	took     time.Duration
	deadline time.Time
	largest  int
}

func (w *slowWriter) Write(p []byte) (int, error) {
	w.largest = max(w.largest, len(p))
	end := time.Now().Add(w.took)
	if !w.deadline.IsZero() && w.deadline.Before(end) {
		time.Sleep(time.Until(w.deadline))
		return 0, os.ErrDeadlineExceeded
	}
	time.Sleep(w.took)
	return w.ResponseRecorder.Write(p)
}

func (w *slowWriter) FlushError() error { _, err := w.Write(nil); return err }

func (w *slowWriter) SetWriteDeadline(at time.Time) error { w.deadline = at; return nil }

// TestPace serves clients that read slowly, too slowly and not at all.
//
// clause: E-58
func TestPace(t *testing.T) {
	t.Parallel()
	const limit = time.Minute
	large := bytes.Repeat([]byte("x"), 8*piece)
	for name, c := range map[string]struct {
		took    time.Duration // for a piece
		reply   []byte
		endless bool
		fails   bool
		after   time.Duration
	}{
		"a small reply":            {time.Hour, large[:piece], false, false, time.Hour},
		"slowly":                   {7 * time.Second, large, false, false, 56 * time.Second},
		"more slowly than a piece": {readTime + 1, large, false, true, readTime},
		"more slowly than all":     {8 * time.Second, large, false, true, limit},
		"an event":                 {9 * time.Second, large[:9], true, false, 9 * time.Second},
		"an event that is not":     {time.Hour, large[:9], true, true, readTime},
		"a stream":                 {9 * time.Second, large, true, false, 72 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := &slowWriter{ResponseRecorder: httptest.NewRecorder(), took: c.took}
				p := &pace{endless: c.endless}
				p.begin(httptest.NewRequest(http.MethodPost, "/mcp", nil), limit)
				start := time.Now()
				n, err := p.write(w, c.reply)
				if took := time.Since(start); took != c.after || (err != nil) != c.fails || err == nil && n != len(c.reply) {
					t.Errorf("after %v %d bytes were written, %v", took, n, err)
				}
				if w.largest > piece {
					t.Errorf("%d bytes were written at a time", w.largest)
				}
			})
		})
	}
}

// TestPaceIsOver leaves a reply alone that somebody else has ended, and the
// connection as its server wants it.
func TestPaceIsOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		in := func(server *http.Server) *http.Request {
			r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
			return r.WithContext(context.WithValue(r.Context(), http.ServerContextKey, server))
		}
		large := make([]byte, piece+2)
		w := &slowWriter{ResponseRecorder: httptest.NewRecorder()}
		s := &seat{ResponseWriter: w, release: func() {}}
		s.pace.begin(in(&http.Server{}), time.Minute)
		_ = s.SetWriteDeadline(time.Now().Add(time.Second)) // not over
		if _, err := s.Write(large); err != nil || !w.deadline.Equal(time.Now().Add(readTime)) {
			t.Errorf("%v, and the deadline is %v", err, w.deadline)
		}
		s.finish()
		if !w.deadline.IsZero() {
			t.Errorf("without a bound of the server's the deadline stays %v", w.deadline)
		}

		s = &seat{ResponseWriter: w, release: func() {}}
		s.pace.begin(in(&http.Server{WriteTimeout: 1}), time.Minute)
		s.pace.endless = true
		_, _ = s.Write(large[:2])
		time.Sleep(time.Hour) // until the next event
		if err := s.FlushError(); err != nil {
			t.Errorf("the next event: %v", err)
		}
		time.Sleep(time.Hour)
		if s.finish(); !w.deadline.Equal(time.Now().Add(readTime)) {
			t.Errorf("the deadline for the last bytes is %v", w.deadline)
		}

		s = &seat{ResponseWriter: w, release: func() {}}
		s.pace.begin(in(&http.Server{}), time.Minute)
		_ = s.SetWriteDeadline(time.Unix(1, 0))
		if _, err := s.Write(large); !errors.Is(err, os.ErrDeadlineExceeded) || !w.deadline.Equal(time.Unix(1, 0)) {
			t.Errorf("a reply that was cut goes on: %v, %v", err, w.deadline)
		}
		if s.finish(); !w.deadline.Equal(time.Unix(1, 0)) {
			t.Errorf("the deadline after a cut is %v", w.deadline)
		}
	})
}
