package edge

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/pharos-mcp/pharos/internal/admission"
)

// Admission bounds what the edge serves (E-58). What exceeds a bound is refused
// with status 429 and Retry-After. Its zero value has the bounds named here,
// held by this process alone.
type Admission struct {
	// CallerConcurrency is how many requests of one caller are served at the
	// same time, and how many streams of one caller are open. Zero means 32.
	CallerConcurrency int `json:"caller_concurrency,omitempty"`
	// Concurrency is how many requests of all callers together are served at
	// the same time. Zero means 256.
	Concurrency int `json:"concurrency,omitempty"`
	// CallsPerMinute is how many requests of one caller begin within any 60 s.
	// Zero means 6000, -1 sets no such bound, and the most is 1000000.
	CallsPerMinute int `json:"calls_per_minute,omitempty"`
	// Requests is how many requests this process takes in at the same time,
	// whoever sends them: it holds before a caller is known, and for open
	// streams too. Zero means 1024.
	Requests int `json:"requests,omitempty"`
	// ReplyBytes bounds the memory of the replies that this process is writing
	// at the same time, and of what they are made of: clients that read slowly,
	// or not at all, hold theirs. A reply that finds no room is not made, which
	// its error says; small ones, up to some kilobytes, always have room. Zero
	// means 256 MiB.
	ReplyBytes int `json:"reply_bytes,omitempty"`
	// AddressPerMinute is how many requests of one client address begin within
	// any 60 s in this process, whoever they are from: it holds before a caller is
	// known and before a body is read, and for MCP alone. The first 64 bits of an
	// address of IPv6 count. Zero sets no such bound, and the most is 1000000. A
	// process behind a proxy needs Config.Proxies for it.
	AddressPerMinute int `json:"address_per_minute,omitempty"`
	// RedisFile holds the URL of a Redis server, redis://USER:PASSWORD@HOST:6379/0
	// or unix:///run/redis.sock, over which all processes that name the same
	// database share the bounds for callers. While it is out, requests are
	// refused with status 503. Empty means no server.
	RedisFile string `json:"redis_file,omitempty"`
	// RedisURL is that URL itself, for programs that have it from elsewhere than a
	// file. It is a secret, and no member of a configuration.
	RedisURL string `json:"-"`
}

// The values that stand for a zero one, and the largest rate.
const (
	defaultCallerConcurrency = 32
	defaultConcurrency       = 256
	defaultCallsPerMinute    = 6000
	defaultRequests          = 1024
	defaultReplyBytes        = 256 << 20
	maxCallsPerMinute        = 1000000
)

// leaseMargin is how much longer a place is kept for a request than the
// request may take, when the process that serves it says no more.
const leaseMargin = 15 * time.Second

func (a Admission) withDefaults() Admission {
	a.CallerConcurrency = cmp.Or(a.CallerConcurrency, defaultCallerConcurrency)
	a.Concurrency = cmp.Or(a.Concurrency, defaultConcurrency)
	a.CallsPerMinute = cmp.Or(a.CallsPerMinute, defaultCallsPerMinute)
	a.Requests = cmp.Or(a.Requests, defaultRequests)
	a.ReplyBytes = cmp.Or(a.ReplyBytes, defaultReplyBytes)
	return a
}

func (a Admission) check(ps *Problems) {
	for _, bound := range []struct {
		name  string
		value int
	}{
		{"caller_concurrency", a.CallerConcurrency}, {"concurrency", a.Concurrency}, {"requests", a.Requests},
		{"reply_bytes", a.ReplyBytes},
	} {
		if bound.value < 0 {
			ps.addf("admission.%s: a bound is at least 1, or 0 for the default, not %d", bound.name, bound.value)
		}
	}
	if a.CallsPerMinute < -1 || a.CallsPerMinute > maxCallsPerMinute {
		ps.addf("admission.calls_per_minute: a rate is 1 to %d, 0 for the default or -1 for none, not %d",
			maxCallsPerMinute, a.CallsPerMinute)
	}
	if a.AddressPerMinute < 0 || a.AddressPerMinute > maxCallsPerMinute {
		ps.addf("admission.address_per_minute: a rate is 1 to %d, or 0 for none, not %d", maxCallsPerMinute, a.AddressPerMinute)
	}
	if strings.Contains(a.RedisFile, "://") {
		ps.addf("admission.redis_file: name a file that holds the URL, which is a secret")
	}
	if a.RedisFile != "" && a.RedisURL != "" {
		ps.addf("admission.redis_file: the URL is given already")
	}
}

// openGate takes the gate that is given, or makes the one that the
// configuration, defaults filled in, describes.
func (s *Server) openGate(given *Gate, ps *Problems) {
	s.gate = given
	if given == nil {
		s.gate = newGate(s.config.Admission, time.Duration(s.config.Timeout), ps)
	}
	if s.gate.shared != nil {
		s.health.dependencies = append(s.health.dependencies, s.gate)
	}
}

// arrive bounds what a process takes in before it knows from whom.
func (s *Server) arrive(next http.Handler, refuse refuser) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer s.gate.arrived.Add(-1)
		if s.gate.arrived.Add(1) <= int64(s.gate.bounds.Requests) {
			next.ServeHTTP(w, r)
			return
		}
		unread(w)
		w.Header().Set("Retry-After", "1")
		refuse(w, r, http.StatusTooManyRequests, "the server takes no more requests at the moment")
	})
}

// admit lets in one request of an authenticated caller, or says in the headers
// of the reply when to come back.
func (s *Server) admit(w http.ResponseWriter, r *http.Request, p *Principal) (*seat, *Refusal) {
	release, err := s.gate.callers.Admit(r.Context(), p.Subject)
	if err != nil {
		return nil, s.turnAway(r.Context(), w.Header(), err)
	}
	t := &seat{ResponseWriter: w, release: release}
	t.pace.begin(r, time.Duration(s.config.Timeout)+patience)
	t.users.Store(1)
	return t, nil
}

// turnAway makes the refusal of what admission did not let in.
func (s *Server) turnAway(ctx context.Context, h http.Header, err error) *Refusal {
	refused, ok := errors.AsType[*admission.Refused](err)
	if !ok {
		if ctx.Err() == nil {
			s.log.ErrorContext(ctx, "admission", "error", err)
		}
		h.Set("Retry-After", "1")
		return &Refusal{Status: http.StatusServiceUnavailable, Message: "requests cannot be admitted at the moment"}
	}
	h.Set("Retry-After", strconv.Itoa(refused.Seconds()))
	message := "the server is busy"
	switch refused.Bound {
	case admission.Rate:
		message = "too many requests of this caller in a minute"
	case admission.Key:
		message = "too many requests of this caller at the same time"
	}
	return &Refusal{Status: http.StatusTooManyRequests, Message: message}
}

// seated keeps a request's place until its handler has ended, also where the
// reply to the client did not wait for that. A stream, which can stay for as
// long as its client likes, gives its place for one among the streams.
func (s *Server) seated(next stage) stage {
	return func(w http.ResponseWriter, r *http.Request, q *request) {
		if r.Method == http.MethodGet || q.message.Is(methodListen) {
			leave, err := s.gate.streams.Admit(r.Context(), q.principal.Subject)
			if err != nil {
				refusal := s.turnAway(r.Context(), w.Header(), err)
				refuse(w, r, refusal.Status, refusal.Message)
				return
			}
			defer leave()
			q.seat.release()
			q.seat.pace.endless = true
			stream, end := s.health.until(r)
			defer end()
			r, q.context = stream, stream.Context()
		}
		q.seat.users.Add(1)
		defer s.hush(r.Context()) // here, where the stack is still that of the handler
		defer q.seat.leave()
		defer s.settle(q)
		next(w, r, q)
	}
}
