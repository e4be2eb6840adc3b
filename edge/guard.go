package edge

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/internal/httpguard"
	"github.com/pharos-mcp/pharos/internal/jsonrpc"
	"github.com/pharos-mcp/pharos/internal/strictjson"
)

// patience is how much longer than a call a whole request may take. A call
// that runs out of time says what that means for its change (E-19), so it has
// the chance to; what still does not end then is answered for, or cut.
const patience = 2 * time.Second

// stage handles a request that has been authenticated and read.
type stage func(w http.ResponseWriter, r *http.Request, q *request)

// guard lets through what the authenticator lets through, and of that what is
// one strict message: the SDK's decoder, ours and whatever stands in front must
// not read it in two ways.
func (s *Server) guard(next stage) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		principal, err := s.auth.Authenticate(r)
		if err != nil {
			refusal := refusalOf(err, s.auth.ResourceMetadata())
			if refusal == nil {
				s.log.ErrorContext(r.Context(), "authentication", "error", err)
				refusal = &Refusal{Status: http.StatusInternalServerError, Message: "internal error"}
			}
			if refusal.Reason != nil {
				s.log.InfoContext(r.Context(), "authentication refused", "reason", refusal.Reason)
			}
			refusal.head(w.Header())
			s.turnDown(w, r, refusal.Status, refusal.Message)
			return
		}
		principal = s.narrowed(r.Context(), principal)
		seat, refused := s.admit(w, r, principal)
		if refused != nil {
			s.turnDownFor(principal, w, r, refused.Status, refused.Message)
			return
		}
		defer seat.finish()
		w = seat
		if saidTwice(r.Header) {
			s.turnDownFor(principal, w, r, http.StatusBadRequest, "a header of the protocol stands twice")
			return
		}
		q := &request{principal: principal, context: r.Context(), seat: seat}
		switch {
		case r.Method == http.MethodPost:
		case s.sessions == nil:
			w.Header().Set("Allow", http.MethodPost)
			refuse(w, r, http.StatusMethodNotAllowed, "send a POST: this server keeps no sessions and has no streams of its own")
			return
		default:
			next(w, r, q) // a stream, or what the SDK refuses
			return
		}
		if q.message, err = s.parse(httpguard.Body(r)); err != nil {
			s.turnDownFor(principal, w, r, http.StatusBadRequest, err.Error())
			return
		}
		if q.message.Is("subscriptions/listen") {
			next(w, r, q)
			return
		}
		q.plan = s.planFor(r, q)
		if s.ends(r, q) {
			next(w, r, q)
			return
		}
		s.within(w, r, q, next)
	})
}

// errText is what StrictText refuses.
const errText = jsonrpc.Fault("a string of the message holds the character U+0000 or half of a surrogate pair")

// narrowed is the caller with what is granted now.
func (s *Server) narrowed(ctx context.Context, p *Principal) *Principal {
	if s.options.Scopes == nil {
		return p
	}
	now := *p
	now.Scopes = s.options.Scopes(ctx, p)
	return &now
}

// parse reads a message as strictly as it is configured.
func (s *Server) parse(body []byte) (jsonrpc.Message, error) {
	m, err := jsonrpc.Parse(body)
	if err == nil && s.config.StrictText && strictjson.Text(body) != nil {
		return jsonrpc.Message{ID: m.ID}, errText
	}
	return m, err
}

// saidTwice reports whether a header that the protocol defines stands more than
// once. Whoever stands in front decides by them, and may go by another of the
// two than the SDK, which looks at the first.
func saidTwice(h http.Header) bool {
	for name, values := range h {
		if len(values) > 1 && (strings.HasPrefix(name, "Mcp-") || name == "Last-Event-Id") {
			return true
		}
	}
	return false
}

// ends reports whether a request ends in time by itself, so that nobody needs
// to watch it: a call that goes through our own exchange. Each thing that it
// waits for ends with its context, or with the server's time for a reply.
func (s *Server) ends(r *http.Request, q *request) bool {
	return q.plan.call != nil && q.plan.call.operation.Document != "" && s.ownExchange && httpguard.RepliesEnd(r)
}

// within handles a request within its time.
func (s *Server) within(w http.ResponseWriter, r *http.Request, q *request, next stage) {
	expire := func(w http.ResponseWriter, r *http.Request) {
		message := "the server did not finish in time"
		if e := s.tools[string(q.message.Tool())]; e != nil && e.operation.Effect != tool.Read {
			message += s.ifUnknown()
		}
		refuse(w, r, http.StatusGatewayTimeout, message)
	}
	httpguard.Within(s.expiry(), w, r, expire, func(w http.ResponseWriter, r *http.Request) {
		q.context, q.watched = r.Context(), true
		next(w, r, q)
	})
}

// ifUnknown is what callers are told to do about a write that may have happened.
func (s *Server) ifUnknown() string {
	switch {
	case s.options.Unknown != "":
		return "; " + s.options.Unknown
	case s.catalog.Bare:
		return repeatIt
	default:
		return keepIt
	}
}

// expiry is when a request that has been read is answered for. A call of an API
// has the chance to say what its end means; a handler's call that is not over
// says nothing, so its time is all there is, and its context ends after that.
func (s *Server) expiry() time.Duration {
	if s.catalog.Bare {
		return time.Duration(s.config.Timeout)
	}
	return s.limit()
}

// callTime is how long a call's own context lasts, whatever its request's does.
func (s *Server) callTime(r *request) time.Duration {
	if s.catalog.Bare && r.watched {
		return s.limit() // the request's context ends before
	}
	return time.Duration(s.config.Timeout)
}

// limit is how long a request may take once it has been read.
func (s *Server) limit() time.Duration { return time.Duration(s.config.Timeout) + patience }

// refuse answers a request in the SDK's place: a JSON-RPC error with the id of
// the message, if that has one, so that a client's session goes on.
func refuse(w http.ResponseWriter, r *http.Request, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(refusal(status, jsonrpc.ID(httpguard.Body(r)), message))
}

// refusal is a JSON-RPC error. Its code is the HTTP status, which is outside of
// the numbers that the protocol keeps for itself.
func refusal(status int, id []byte, message string) []byte {
	b := []byte(`{"jsonrpc":"2.0",`)
	if len(id) > 0 && id[0] != 'n' {
		b = append(append(append(b, `"id":`...), id...), ',')
	}
	b = strconv.AppendInt(append(b, `"error":{"code":`...), int64(status), 10)
	b = appendJSONString(append(b, `,"message":`...), message)
	return append(b, "}}"...)
}
