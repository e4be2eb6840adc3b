package edge

import (
	"cmp"
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// Sessions make a server keep its clients' sessions and tell of their begin and
// end. Such a server speaks the protocol's era with a handshake only (clients
// of the later one fall back to it), holds its sessions in memory and cannot
// stand behind a load balancer with others.
//
// A session belongs to the caller who began it: other callers cannot use it,
// end it or keep it alive.
type Sessions struct {
	// Begin is asked before a client's handshake is answered. Its error refuses
	// the session: a *fault.Fault is shown to the client, another is not.
	Begin func(ctx context.Context, s *Session) error
	// End is told once of each session that Begin let in, after its last call
	// has returned.
	End func(s *Session, why Ending)
	// Idle ends a session without a request; a stream that the client listens
	// on is no request. Zero means 10 minutes.
	Idle time.Duration
	// Grace is how long a client may be gone after its stream broke, with no
	// request under way, before its session is lost. Clients that never listen
	// on a stream are only ever idle. Zero means 15 seconds.
	Grace time.Duration
	// Most bounds how many sessions there may be at a time. Zero means 256.
	Most int
	// Newest lets a session in where there are Most already: the one that began
	// first ends for it. Otherwise the new one is refused.
	Newest bool
}

// Ending says why a session is over.
type Ending string

// The endings of sessions.
const (
	Left   Ending = "left"   // the client ended it
	Lost   Ending = "lost"   // the client's stream broke and it did not come back
	Idle   Ending = "idle"   // there was no request for too long
	Closed Ending = "closed" // Session.Close or the end of the server
	Ousted Ending = "ousted" // a newer session took its place (Sessions.Newest)
)

// Session is one client's session.
type Session struct {
	ID     string
	Caller *Principal // who began it

	server *mcp.ServerSession
	number int64 // of its beginning, among those of a server

	mu      sync.Mutex
	why     Ending
	active  int         // requests under way, streams among them
	streams int         // streams among them
	broken  bool        // the last stream ended and none took its place
	gone    *time.Timer // runs while the client is gone
}

// Close ends the session, after the calls under way. It must not be called
// from one of them, nor from Begin.
func (s *Session) Close() { s.end(Closed) }

func (s *Session) end(why Ending) {
	s.because(why)
	_ = s.server.Close() // it reports how its transport went, which is over anyway
}

// because keeps the first reason for an ending, and returns it.
func (s *Session) because(why Ending) Ending {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.why = cmp.Or(s.why, why)
	return s.why
}

type sessionKey struct{}

// SessionOf returns the session that a handler's call came in, or nil where the
// server keeps none.
func SessionOf(ctx context.Context) *Session {
	s, _ := ctx.Value(sessionKey{}).(*Session)
	return s
}

// sessions are the sessions of one server; nil where it keeps none.
type sessions struct {
	Sessions

	mu     sync.Mutex
	byID   map[string]*Session
	begun  int64 // how many there have been
	closed bool
}

func newSessions(o *Sessions) *sessions {
	if o == nil {
		return nil
	}
	s := &sessions{Sessions: *o, byID: map[string]*Session{}}
	s.Idle = cmp.Or(s.Idle, 10*time.Minute)
	s.Grace = cmp.Or(s.Grace, 15*time.Second)
	s.Most = cmp.Or(s.Most, 256)
	return s
}

func (s *sessions) idle() time.Duration {
	if s == nil {
		return 0
	}
	return s.Idle
}

func (s *sessions) get(id string) *Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byID[id]
}

// receive begins a session at its handshake and gives each call its session.
func (s *sessions) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, message mcp.Request) (mcp.Result, error) {
		server, ok := message.GetSession().(*mcp.ServerSession)
		if !ok {
			return next(ctx, method, message)
		}
		session := s.get(server.ID())
		if session == nil && method == "initialize" {
			var err error
			if session, err = s.begin(ctx, server, message); err != nil {
				return nil, err
			}
		}
		return next(context.WithValue(ctx, sessionKey{}, session), method, message)
	}
}

// begin lets a session in. If the handshake fails after that, the SDK closes
// the session, and its end is told like any other.
func (s *sessions) begin(ctx context.Context, server *mcp.ServerSession, message mcp.Request) (*Session, error) {
	request := requestOf(message)
	if request == nil || request.principal.Subject == "" || server.ID() == "" {
		return nil, errInternal // it could not be told whose it is
	}
	session := &Session{ID: server.ID(), Caller: request.principal, server: server}
	if !s.keep(session) {
		return nil, &jsonrpc.Error{Code: http.StatusServiceUnavailable, Message: "there are too many sessions"}
	}
	if s.Begin != nil {
		ctx = context.WithValue(ctx, principalKey{}, request.principal)
		if err := s.Begin(ctx, session); err != nil {
			s.forget(session)
			f := fault.From(err)
			if f.Code == fault.Internal {
				return nil, err
			}
			return nil, &jsonrpc.Error{Code: int64(f.Code.Status()), Message: f.Message}
		}
	}
	go func() {
		_ = server.Wait() // how the connection ended is told by why
		s.forget(session)
		why := session.because(Idle)
		if s.End != nil {
			s.End(session, why)
		}
	}()
	return session, nil
}

func (s *sessions) keep(session *Session) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed, len(s.byID) >= s.Most && !s.Newest:
		return false
	case len(s.byID) >= s.Most:
		first := session
		for _, other := range s.byID {
			if first == session || other.number < first.number {
				first = other
			}
		}
		delete(s.byID, first.ID)
		go first.end(Ousted) // which waits for its calls
	}
	s.begun++
	session.number = s.begun
	s.byID[session.ID] = session
	return true
}

func (s *sessions) forget(session *Session) {
	s.mu.Lock()
	delete(s.byID, session.ID)
	s.mu.Unlock()
	session.mu.Lock()
	defer session.mu.Unlock()
	if session.gone != nil {
		session.gone.Stop()
	}
}

// close ends every session and lets no other in.
func (s *sessions) close() {
	if s == nil {
		return
	}
	s.mu.Lock()
	s.closed = true
	var all []*Session
	for _, session := range s.byID {
		all = append(all, session)
	}
	s.mu.Unlock()
	for _, session := range all {
		session.Close()
	}
}
