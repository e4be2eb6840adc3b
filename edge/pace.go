package edge

import (
	"net/http"
	"os"
	"sync/atomic"
	"time"
)

// pace asks of a client that it reads what it gets: each piece of a large reply
// within a time, and all of it within another; each event of a stream. Small
// replies fit into what the system holds for a connection, and cost nothing
// here.
type pace struct {
	request *http.Request
	ends    time.Time // the last moment for a reply that is no stream
	endless bool      // it is a stream
	timed   bool      // a deadline was set for a piece
	over    atomic.Bool
}

const (
	piece    = 256 << 10
	readTime = 10 * time.Second // for a piece
)

func (p *pace) begin(r *http.Request, limit time.Duration) {
	p.request, p.ends = r, time.Now().Add(limit)
}

// write writes in pieces, each with its time.
func (p *pace) write(w http.ResponseWriter, data []byte) (n int, err error) {
	if len(data) <= piece && !p.endless {
		return w.Write(data)
	}
	for n < len(data) && err == nil {
		if err = p.hurry(w); err == nil {
			var wrote int
			wrote, err = w.Write(data[n:min(n+piece, len(data))])
			n += wrote
		}
	}
	return n, err
}

// hurry sets the deadline for what is written next, unless the reply is over:
// whoever says so does it at the same time.
func (p *pace) hurry(w http.ResponseWriter) error {
	at := time.Now().Add(readTime)
	if !p.endless && p.ends.Before(at) {
		at = p.ends
	}
	p.timed = true
	control := http.NewResponseController(w)
	_ = control.SetWriteDeadline(at) // a recorder in a test has none
	if p.over.Load() {
		_ = control.SetWriteDeadline(time.Unix(1, 0))
		return os.ErrDeadlineExceeded
	}
	return nil
}

// set sets a deadline of somebody else's. One that has passed stands.
func (p *pace) set(w http.ResponseWriter, at time.Time) error {
	if !at.IsZero() && !at.After(time.Now()) {
		p.over.Store(true)
	}
	return http.NewResponseController(w).SetWriteDeadline(at)
}

// end gives the last bytes of a reply, which the server writes, their own time,
// or takes it from a connection whose server sets none for the next request.
func (p *pace) end(w http.ResponseWriter) {
	if !p.timed || p.over.Load() {
		return
	}
	at := time.Now().Add(readTime)
	if server, ok := p.request.Context().Value(http.ServerContextKey).(*http.Server); !ok || server.WriteTimeout == 0 {
		at = time.Time{}
	}
	_ = http.NewResponseController(w).SetWriteDeadline(at)
}
