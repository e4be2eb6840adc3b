package edge

import (
	"net/http"
	"sync/atomic"
	"time"
)

// seat is the place of an admitted request, and writes its reply. The last byte
// of the reply goes out only when the place is free: a client that sends its
// next request as soon as it has read a reply must not meet itself.
type seat struct {
	http.ResponseWriter
	release func()       // may be called more than once
	users   atomic.Int32 // the request, and its handler, which may outlast it

	last [1]byte
	held bool

	pace pace
}

// leave frees the place if no one else uses it.
func (t *seat) leave() {
	if t.users.Add(-1) == 0 {
		t.release()
	}
}

// finish ends the request and its reply.
func (t *seat) finish() {
	t.leave()
	_ = t.let()
	t.pace.end(t.ResponseWriter)
}

// let writes the byte that was held back.
func (t *seat) let() error {
	if !t.held {
		return nil
	}
	t.held = false
	_, err := t.ResponseWriter.Write(t.last[:])
	return err
}

// Write writes all but the last byte.
func (t *seat) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return t.ResponseWriter.Write(p)
	}
	if err := t.let(); err != nil {
		return 0, err
	}
	if n, err := t.pace.write(t.ResponseWriter, p[:len(p)-1]); err != nil {
		return n, err
	}
	t.last[0], t.held = p[len(p)-1], true
	return len(p), nil
}

// FlushError writes everything: a stream's reader waits for it.
func (t *seat) FlushError() error {
	if t.pace.endless {
		if err := t.pace.hurry(t.ResponseWriter); err != nil {
			return err
		}
	}
	if err := t.let(); err != nil {
		return err
	}
	return http.NewResponseController(t.ResponseWriter).Flush()
}

// SetWriteDeadline is for http.ResponseController: what is over stays over.
func (t *seat) SetWriteDeadline(at time.Time) error { return t.pace.set(t.ResponseWriter, at) }

// Unwrap is for http.ResponseController.
func (t *seat) Unwrap() http.ResponseWriter { return t.ResponseWriter }
