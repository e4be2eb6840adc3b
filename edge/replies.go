package edge

import (
	"bytes"
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/pharos-mcp/pharos/edge/tool"
)

// replies bounds the memory of the replies that a process is writing: what
// clients do not read stays. A reply takes its share when its size is known and
// nothing is made of it yet, all at once, so that none waits for another that
// waits too.
type replies struct {
	limit int64
	used  atomic.Int64

	mu    sync.Mutex
	freed chan struct{} // closed when a share comes back; nil unless somebody waits
}

const (
	// smallReply is what needs no share: as many of them as admission lets in
	// are no more than what their requests take.
	smallReply = 64 << 10
	// replyWait bounds how long a reply waits for its share.
	replyWait = 2 * time.Second
)

// try takes a share if there is one.
func (b *replies) try(n int64) bool {
	for {
		used := b.used.Load()
		if used+n > b.limit {
			return false
		}
		if b.used.CompareAndSwap(used, used+n) {
			return true
		}
	}
}

// take takes a share, and waits a little for it.
func (b *replies) take(ctx context.Context, n int64) bool {
	if b.try(n) {
		return true
	}
	late := time.NewTimer(replyWait)
	defer late.Stop()
	for {
		b.mu.Lock()
		if b.freed == nil {
			b.freed = make(chan struct{})
		}
		freed := b.freed
		b.mu.Unlock()
		if b.try(n) { // after the channel is there, so that nothing is missed
			return true
		}
		select {
		case <-freed:
		case <-late.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// give gives a share back.
func (b *replies) give(n int64) {
	if n == 0 {
		return
	}
	b.used.Add(-n)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.freed != nil {
		close(b.freed)
		b.freed = nil
	}
}

// reserve takes a share for the reply to a request, until settle. A reply that
// is larger than the whole takes all of it.
func (s *Server) reserve(ctx context.Context, q *request, n int64) bool {
	if n <= smallReply {
		return true
	}
	b := &s.gate.replies
	n = min(n, b.limit)
	if !b.take(ctx, n) {
		return false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.settled { // nobody waits for the reply any more
		b.give(n)
		return true
	}
	q.share += n
	return true
}

// settle gives back what the reply to a request took, once it is written.
func (s *Server) settle(q *request) {
	q.mu.Lock()
	share := q.share
	q.share, q.settled = 0, true
	q.mu.Unlock()
	s.gate.replies.give(share)
}

// weigh reserves the room for the reply that an outcome makes. Where there is
// none the reply is not made: of a write it is not known then what the API said
// of it.
func (s *Server) weigh(ctx context.Context, q *request, e *entry, o *outcome) {
	if !s.reserve(ctx, q, s.weight(q, o)) {
		*o = s.overloaded(e, *o)
	}
}

// overloaded is the outcome in place of one that there is no room for.
func (s *Server) overloaded(e *entry, of outcome) outcome {
	o := failf(codeOverloaded, "the server holds too many replies that are not read yet; try again in a second")
	o.status, o.dropped, o.retryAfter = of.status, of.dropped, "1"
	return o.unknownIf(e.operation.Effect != tool.Read, s.ifUnknown())
}

// weight estimates the bytes that the reply takes: what was received and what
// was made of it, the envelope, and the message, in which it stands twice.
func (s *Server) weight(q *request, o *outcome) int64 {
	if o.image != nil {
		return int64(5 * len(o.image.Body)) // base64, twice
	}
	size := int64(len(o.result))
	if size <= smallReply/16 {
		return 0 // whatever it is made of
	}
	count := func(what string) int64 { return int64(bytes.Count(o.result, []byte(what))) }
	angles := count("<") + count(">") + count("&")
	lines := count("\u2028") + count("\u2029")
	envelope := size + 5*angles + 3*lines
	quoted := envelope + count(`"`) + count(`\`) + angles + lines
	if !s.catalog.Bare && envelope > maxEnvelope {
		return 2*size + envelope // it is refused as soon as it is made
	}
	message := envelope + quoted
	if q.bySDK {
		message *= 3 // encoded by and by
	}
	return 2*size + envelope + message
}

// reserveList takes the room for a list of tools that the SDK makes.
func (s *Server) reserveList(ctx context.Context, q *request) error {
	const copies = 4
	if q == nil || s.reserve(ctx, q, copies*s.listSize()) {
		return nil
	}
	return &jsonrpc.Error{Code: http.StatusTooManyRequests, Message: "the server is busy"}
}
