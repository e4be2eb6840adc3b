package httpguard

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"runtime/debug"
	"sync"
	"time"
)

// Within serves a request within a time, whatever its handler does. At the end
// of the time a reply that has not begun is what expire writes, and only then
// does the handler's context end, so that no reply of its own can come first; a
// reply that has begun is cut, with its connection. The cause of the context's
// end is http.ErrHandlerTimeout then. The handler may go on, but
// nothing it writes goes anywhere.
func Within(limit time.Duration, w http.ResponseWriter, r *http.Request, expire, next http.HandlerFunc) {
	ctx, cancel := context.WithCancelCause(r.Context())
	defer cancel(nil)
	timed := &timedWriter{under: w}
	done := make(chan any, 1) // what the handler panicked with, or nil
	go func() {
		defer func() { done <- recovered(recover()) }()
		next(timed, r.WithContext(ctx))
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case p := <-done:
		if p != nil {
			panic(p)
		}
	case <-timer.C:
		defer cancel(http.ErrHandlerTimeout)
		if timed.end() {
			expire(w, r)
			return
		}
		timed.cut()
		panic(http.ErrAbortHandler)
	}
}

// RepliesEnd reports whether the server that a request came to bounds the time
// for a reply to be written. Where it does, a handler whose every other wait
// ends with its context needs no Within.
func RepliesEnd(r *http.Request) bool {
	server, ok := r.Context().Value(http.ServerContextKey).(*http.Server)
	return ok && server.WriteTimeout > 0
}

// recovered adds to a panic where it came from, which the next one would hide.
func recovered(p any) any {
	if p == nil || p == http.ErrAbortHandler {
		return p
	}
	return fmt.Sprintf("%v\n%s", p, debug.Stack())
}

// timedWriter is the reply of a handler that may run out of time.
type timedWriter struct {
	under  http.ResponseWriter
	header http.Header // the handler's own, until the reply begins

	writing sync.Mutex // held while under is written to, by the handler only

	mu    sync.Mutex
	begun bool
	over  bool
}

// Header implements http.ResponseWriter.
func (w *timedWriter) Header() http.Header {
	if w.header == nil {
		w.header = make(http.Header, 4)
	}
	return w.header
}

// WriteHeader implements http.ResponseWriter.
func (w *timedWriter) WriteHeader(status int) { w.begin(status) }

// begin begins the reply if it has not begun, and says whether there is time
// to write to it.
func (w *timedWriter) begin(status int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over {
		return false
	}
	if !w.begun {
		w.begun = true
		maps.Copy(w.under.Header(), w.header)
		w.under.WriteHeader(status)
	}
	return true
}

// Write implements http.ResponseWriter.
func (w *timedWriter) Write(p []byte) (int, error) {
	w.writing.Lock()
	defer w.writing.Unlock()
	if !w.begin(http.StatusOK) {
		return 0, http.ErrHandlerTimeout
	}
	return w.under.Write(p)
}

// FlushError is for http.ResponseController.
func (w *timedWriter) FlushError() error {
	w.writing.Lock()
	defer w.writing.Unlock()
	if !w.begin(http.StatusOK) {
		return http.ErrHandlerTimeout
	}
	return http.NewResponseController(w.under).Flush()
}

// end makes the handler's writes fail, and says whether none came before.
func (w *timedWriter) end() (unbegun bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
	return !w.begun
}

// cut returns once no write is under way: one to a client that does not read
// could take for ever.
func (w *timedWriter) cut() {
	_ = http.NewResponseController(w.under).SetWriteDeadline(time.Unix(1, 0))
	w.writing.Lock()
	//lint:ignore SA2001 it is free, and will not be taken again for long
	w.writing.Unlock()
}
