package edge

import (
	"context"
	"io"
	"net/http"
	"sync"
	"time"
)

// Where a server says that it runs, and that it would serve a call.
const (
	healthPath = "/healthz"
	readyPath  = "/readyz"
)

// dependency is a part that calls cannot be served without and that can be
// away: it says whether it is there. Upstreams are none, because a server
// without them still answers, and says so.
type dependency interface {
	Check(ctx context.Context) error
}

// health is what a server says of itself to whoever balances the load.
type health struct {
	over         context.Context // ends when the server begins to stop
	stop         context.CancelFunc
	dependencies []dependency

	mu      sync.Mutex
	checked time.Time
	there   bool
}

// The bounds of looking at dependencies: anybody may ask, so they are looked
// at once a second at most.
const (
	healthAge  = time.Second
	healthTime = time.Second
)

// ready reports whether a call would be served now.
func (h *health) ready() bool {
	if h.over.Err() != nil {
		return false
	}
	if len(h.dependencies) == 0 {
		return true
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if time.Since(h.checked) > healthAge {
		ctx, cancel := context.WithTimeout(context.Background(), healthTime)
		defer cancel()
		h.there = true
		for _, d := range h.dependencies {
			h.there = h.there && d.Check(ctx) == nil
		}
		h.checked = time.Now()
	}
	return h.there
}

// until makes a stream, which has no end of its own, end with the server: it
// would keep it from stopping.
func (h *health) until(r *http.Request) (stream *http.Request, end func()) {
	ctx, cancel := context.WithCancel(r.Context())
	stop := context.AfterFunc(h.over, cancel)
	return r.WithContext(ctx), func() { stop(); cancel() }
}

// beside answers questions of health in front of everything else, whoever asks
// by whatever name, since the answers are two words that tell nothing else.
func (h *health) beside(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case healthPath:
			h.answer(w, r, true)
		case readyPath:
			h.answer(w, r, h.ready())
		default:
			next.ServeHTTP(w, r)
		}
	})
}

func (h *health) answer(w http.ResponseWriter, r *http.Request, yes bool) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	status, word := http.StatusOK, "ok\n"
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		status, word = http.StatusMethodNotAllowed, "send a GET\n"
	case !yes:
		status, word = http.StatusServiceUnavailable, "no\n"
	}
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = io.WriteString(w, word)
	}
}
