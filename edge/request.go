package edge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// request is one HTTP request on its way through: who sent it, when it ends,
// and what the reply's head must say that only a handler can know.
type request struct {
	principal *Principal
	context   context.Context

	mu         sync.Mutex
	challenge  string // not empty: the reply is 403 with this challenge
	retryAfter string
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

// authenticate lets through what the authenticator lets through. The caller's
// credential ends here: nothing behind sees it (E-56).
func (s *Server) authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		principal, err := s.auth.Authenticate(r)
		if err != nil {
			refusal, ok := errors.AsType[*Refusal](err)
			if !ok {
				s.log.ErrorContext(r.Context(), "authentication", "error", err)
				refusal = &Refusal{Status: http.StatusInternalServerError, Message: "internal error"}
			}
			if refusal.Challenge != "" {
				w.Header().Set("WWW-Authenticate", refusal.Challenge)
			}
			refuse(w, refusal.Status, refusal.Message)
			return
		}
		if isBatch(r) {
			refuse(w, http.StatusBadRequest, "send one message a request")
			return
		}
		state := &request{principal: principal, context: r.Context()}
		r = r.WithContext(context.WithValue(r.Context(), requestKey{}, state))
		r.Header = r.Header.Clone()
		r.Header.Del("Cookie")
		r.Header.Set("Authorization", "Bearer authenticated")
		next.ServeHTTP(&replyWriter{ResponseWriter: w, request: state}, r)
	})
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

// isBatch reports whether a body, which the guard has read into memory, is a
// JSON array: several messages could not share one status.
func isBatch(r *http.Request) bool {
	body, err := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	return err == nil && bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("["))
}

// replyWriter writes the head that a handler has asked for in place of the
// SDK's.
type replyWriter struct {
	http.ResponseWriter
	request *request
	begun   bool
}

// WriteHeader begins the reply.
func (w *replyWriter) WriteHeader(status int) {
	if w.begun {
		return
	}
	w.begun = true
	w.request.mu.Lock()
	defer w.request.mu.Unlock()
	if w.request.challenge != "" {
		w.Header().Set("WWW-Authenticate", w.request.challenge)
		status = http.StatusForbidden
	}
	if w.request.retryAfter != "" {
		w.Header().Set("Retry-After", w.request.retryAfter)
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write begins the reply if that is still to be done.
func (w *replyWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.ResponseWriter.Write(p)
}

// FlushError is what the SDK's streams need of a writer.
func (w *replyWriter) FlushError() error {
	w.WriteHeader(http.StatusOK)
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// refuse answers a request that is not looked at. It is a JSON-RPC error, after
// which a client's session goes on; its code is the HTTP status, outside of
// the numbers that the protocol keeps for itself.
func refuse(w http.ResponseWriter, status int, message string) {
	text, _ := json.Marshal(message) // a string always encodes
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(`{"jsonrpc":"2.0","error":{"code":` + strconv.Itoa(status) + `,"message":` + string(text) + `}}`))
}
