package edge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
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
	body      []byte

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
		body, err := io.ReadAll(r.Body) // from memory: the guard has read it
		if err != nil || isBatch(body) {
			refuse(w, http.StatusBadRequest, "send one message a request")
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		state := &request{principal: principal, context: r.Context(), body: body}
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

// isBatch reports whether a body is a JSON array: several messages could not
// share one status.
func isBatch(body []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")) }

// id is the id of the message, or nil where it has none that can be found.
func (r *request) id() json.RawMessage {
	var message struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(r.body, &message) != nil || len(message.ID) == 0 ||
		strings.IndexByte(`"-0123456789`, message.ID[0]) < 0 {
		return nil
	}
	return message.ID
}

// replyWriter writes the head that a handler has asked for in place of the
// SDK's, and its refusals, which are plain text, as ours: a client's session
// goes on after an error that is about one message.
type replyWriter struct {
	http.ResponseWriter
	request *request
	begun   bool
	refused int // status of a refusal whose text is to come
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
	if status >= 400 && strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		w.refused = status
		w.Header().Set("Content-Type", "application/json")
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write begins the reply if that is still to be done.
func (w *replyWriter) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	if w.refused == 0 {
		return w.ResponseWriter.Write(p)
	}
	message := strings.TrimSpace(string(p))
	if strings.HasPrefix(message, "malformed payload") {
		message = "the body is not one JSON-RPC message" // in place of a decoder's words
	}
	_, err := w.ResponseWriter.Write(refusal(w.refused, w.request.id(), bounded(message, maxMessage)))
	return len(p), err
}

// FlushError is what the SDK's streams need of a writer.
func (w *replyWriter) FlushError() error {
	w.WriteHeader(http.StatusOK)
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// refuse answers a request that is not looked at.
func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(refusal(status, nil, message))
}

// refusal is a JSON-RPC error. Its code is the HTTP status, which is outside of
// the numbers that the protocol keeps for itself.
func refusal(status int, id json.RawMessage, message string) []byte {
	b := []byte(`{"jsonrpc":"2.0",`)
	if id != nil {
		b = append(append(append(b, `"id":`...), id...), ',')
	}
	b = strconv.AppendInt(append(b, `"error":{"code":`...), int64(status), 10)
	b = appendJSONString(append(b, `,"message":`...), message)
	return append(b, "}}"...)
}
