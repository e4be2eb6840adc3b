package play

import (
	"net/http"
	"time"
)

// writeTime is how long a client may take to read one piece of a reply. There is
// no bound on all of a reply, as a report may be long and a connection slow.
const writeTime = 30 * time.Second

// reply notes the status of a reply, and asks of its client that it reads on.
type reply struct {
	http.ResponseWriter
	status int // 0 until it begins
	until  time.Time
}

// WriteHeader implements http.ResponseWriter.
func (w *reply) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *reply) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	if now := time.Now(); w.until.Sub(now) < writeTime-time.Second {
		w.until = now.Add(writeTime)
		_ = http.NewResponseController(w.ResponseWriter).SetWriteDeadline(w.until) // a recorder in a test has none
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap is for http.ResponseController.
func (w *reply) Unwrap() http.ResponseWriter { return w.ResponseWriter }
