package edge

import (
	"net/http"
	"time"
)

// sessionHeader names the session of a request.
const sessionHeader = "Mcp-Session-Id"

// watch notices when a client leaves and when it is lost: HTTP has no event
// for either. It stands between authentication and the SDK.
func (s *sessions) watch(next http.Handler) http.Handler {
	if s == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		session := s.get(r.Header.Get(sessionHeader))
		state, _ := r.Context().Value(requestKey{}).(*request)
		if session == nil || state == nil || state.principal.Subject != session.Caller.Subject {
			next.ServeHTTP(w, r) // unknown or another's: the SDK refuses it
			return
		}
		if r.Method == http.MethodDelete {
			session.because(Left)
		}
		stream := r.Method == http.MethodGet
		session.enter(stream)
		answer := &answerWriter{ResponseWriter: w}
		defer func() { session.leave(stream, answer.status == http.StatusOK, s.Grace) }()
		next.ServeHTTP(answer, r)
	})
}

// answerWriter remembers the status of a reply.
type answerWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements http.ResponseWriter.
func (w *answerWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (w *answerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// enter counts a request of the session: its client is there.
func (s *Session) enter(stream bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active++
	if stream {
		s.stream++
	}
	if s.gone != nil {
		s.gone.Stop()
	}
}

// leave counts it off. Once the stream is broken and nothing is under way, the
// client has the grace to come back. A stream that was refused was none.
func (s *Session) leave(stream, served bool, grace time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active--
	if stream {
		s.stream--
		s.broken = s.broken || served
	}
	if s.broken && s.active == 0 && s.why == "" {
		s.gone = time.AfterFunc(grace, s.lose)
	}
}

// lose ends the session unless its client came back at the last moment.
func (s *Session) lose() {
	s.mu.Lock()
	back := s.active > 0 || !s.broken
	s.mu.Unlock()
	if !back {
		s.end(Lost)
	}
}
