package edge

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pharos-mcp/pharos/internal/jsonrpc"
	"github.com/pharos-mcp/pharos/internal/observe"
)

// request is one HTTP request on its way through: who sent it, when it ends,
// and what the reply's head must say that only a handler can know.
type request struct {
	principal *Principal
	context   context.Context // of the HTTP request, ends with its time
	message   jsonrpc.Message // of a POST
	plan      plan            // for that
	seat      *seat           // where it was admitted
	status    int             // of the SDK's reply, once it is through
	observed  *observe.Call   // the call under way; nil where nobody asked
	watched   bool            // its context ends with its time
	bySDK     bool            // the SDK makes the reply
	told      atomic.Bool     // somebody tells of the call, or has

	mu         sync.Mutex
	refused    *Refusal // not nil: what the reply's head says
	retryAfter string
	share      int64 // of the memory for replies
	settled    bool  // it was given back, and no more is taken
}

type requestKey struct{}

// requestOf returns the request that an MCP message came with.
func requestOf(message mcp.Request) *request {
	if extra := message.GetExtra(); extra != nil && extra.TokenInfo != nil {
		r, _ := extra.TokenInfo.Extra["request"].(*request)
		return r
	}
	return nil
}

// handOver gives the SDK what authenticate has found out. The expiry is for
// the SDK alone: each request is authenticated anew.
func handOver(ctx context.Context, _ string, _ *http.Request) (*auth.TokenInfo, error) {
	state, ok := ctx.Value(requestKey{}).(*request)
	if !ok {
		return nil, auth.ErrInvalidToken
	}
	return &auth.TokenInfo{
		UserID: state.principal.Subject, Expiration: time.Now().Add(time.Hour),
		Extra: map[string]any{"request": state},
	}, nil
}

// replyWriter writes the head that a handler has asked for in place of the
// SDK's, and its refusals, which are plain text, as ours: a client's session
// goes on after an error that is about one message.
type replyWriter struct {
	http.ResponseWriter
	request *request
	status  int // once the reply has begun
	refused int // status of a refusal whose text is to come
}

// WriteHeader begins the reply.
func (w *replyWriter) WriteHeader(status int) {
	if w.status != 0 {
		return
	}
	w.request.mu.Lock()
	defer w.request.mu.Unlock()
	if refused := w.request.refused; refused != nil {
		w.Header().Set("WWW-Authenticate", refused.Challenge)
		status = refused.Status
	}
	if w.request.retryAfter != "" {
		w.Header().Set("Retry-After", w.request.retryAfter)
	}
	if status >= 400 && strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		w.refused = status
		w.Header().Set("Content-Type", "application/json")
	}
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Write begins the reply if that is still to be done.
func (w *replyWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.refused == 0 {
		_, err := w.ResponseWriter.Write(inOurWords(p))
		return len(p), err
	}
	message := strings.TrimSpace(string(p))
	if strings.HasPrefix(message, "malformed payload") {
		message = "the body is not one JSON-RPC message" // in place of a decoder's words
	}
	_, err := w.ResponseWriter.Write(refusal(w.refused, w.request.message.ID, withoutQuotes(message)))
	return len(p), err
}

// FlushError is what the SDK's streams need of a writer.
func (w *replyWriter) FlushError() error {
	w.WriteHeader(http.StatusOK)
	return http.NewResponseController(w.ResponseWriter).Flush()
}
