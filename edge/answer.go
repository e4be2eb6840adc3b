package edge

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"sync"
)

// buffers are those of a reply: its envelope, and its message.
type buffers struct{ envelope, message []byte }

var pool = sync.Pool{New: func() any { return new(buffers) }}

// maxPooled bounds what a buffer holds on to.
const maxPooled = 64 << 10

func (b *buffers) free() {
	if cap(b.envelope) <= maxPooled && cap(b.message) <= maxPooled {
		pool.Put(b)
	}
}

// answerCall performs a call and writes its reply.
func (s *Server) answerCall(w http.ResponseWriter, r *http.Request, q *request) {
	modern := versions[q.plan.version] == later
	b := pool.Get().(*buffers)
	c, retryAfter := s.perform(r.Context(), q, q.plan.call, q.message.Arguments, b.envelope)
	const escapes = 6 // one character in about so many of an envelope is a quote
	size := len(c.structured) + len(c.text) + len(c.text)/escapes + 512
	m := append(beginReply(slices.Grow(b.message[:0], size), q.message.ID), '{')
	if modern {
		m = append(append(m, `"_meta":{"io.modelcontextprotocol/serverInfo":`...), s.shortcuts.server...)
		m = append(m, "},"...)
	}
	m = c.append(m)
	if modern {
		m = append(m, `,"resultType":"complete"`...)
	}
	m = append(m, "}}"...)
	if retryAfter != "" {
		w.Header()["Retry-After"] = []string{retryAfter}
	}
	writeReply(w, m, nil)
	b.message = m
	if c.buffer != nil {
		b.envelope = c.buffer
	}
	b.free()
}

// beginReply writes what stands before the result of a reply.
func beginReply(b, id []byte) []byte {
	b = append(append(b, `{"jsonrpc":"2.0","id":`...), id...)
	return append(b, `,"result":`...)
}

// The headers of every reply, as the SDK sets them. They must not be changed.
var (
	noCache  = []string{"no-cache, no-transform"}
	jsonType = []string{"application/json"}
)

// writeReply writes a message in two parts.
func writeReply(w http.ResponseWriter, head, rest []byte) {
	h := w.Header()
	h["Cache-Control"], h["Content-Type"] = noCache, jsonType
	h["Content-Length"] = []string{strconv.Itoa(len(head) + len(rest))}
	if _, err := w.Write(head); err == nil && len(rest) > 0 {
		_, _ = w.Write(rest)
	}
}

// listKey is all that a reply to tools/list depends on.
type listKey struct {
	version int
	scopes  [4]uint64 // which of the catalog's the caller has
}

// key is what a caller's list is kept under.
func (c *shortcuts) key(p *Principal, version int) (key listKey, ok bool) {
	key.version = version
	if len(c.scopes) > 64*len(key.scopes) {
		return key, false
	}
	for i, scope := range c.scopes {
		if p.Allows(scope) {
			key.scopes[i/64] |= 1 << (i % 64)
		}
	}
	return key, true
}

// answerList writes a caller's list as the SDK wrote it the first time.
func (s *Server) answerList(w http.ResponseWriter, r *http.Request, q *request, next stage) {
	key, ok := s.shortcuts.key(q.principal, q.plan.version)
	if !ok {
		next(w, r, q)
		return
	}
	b := pool.Get().(*buffers)
	defer b.free()
	b.message = beginReply(b.message[:0], q.message.ID)
	list, ok := s.shortcuts.lists.get(key)
	if !ok {
		reply := &copyWriter{ResponseWriter: w}
		next(reply, r, q)
		if list, ok := bytes.CutPrefix(reply.data, b.message); ok && q.status == http.StatusOK {
			s.shortcuts.lists.put(key, list)
		}
		return
	}
	writeReply(w, b.message, list)
}

// copyWriter copies what is written.
type copyWriter struct {
	http.ResponseWriter
	data []byte
}

// Write implements http.ResponseWriter.
func (w *copyWriter) Write(p []byte) (int, error) {
	w.data = append(w.data, p...)
	return w.ResponseWriter.Write(p)
}

// Unwrap is for http.ResponseController.
func (w *copyWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
