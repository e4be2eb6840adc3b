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
		session.enter()
		defer session.leave(s.Grace)
		if r.Method == http.MethodDelete {
			session.because(Left)
		}
		if r.Method == http.MethodGet {
			stream := &streamWriter{ResponseWriter: w, session: session}
			defer stream.close() // before leave, which looks at it
			w = stream
		}
		next.ServeHTTP(w, r)
	})
}

// streamWriter is the reply to a client that asks to listen: a stream once its
// head says so.
type streamWriter struct {
	http.ResponseWriter
	session *Session
	open    bool
}

// WriteHeader implements http.ResponseWriter.
func (w *streamWriter) WriteHeader(status int) {
	if status == http.StatusOK && !w.open {
		w.open = true
		w.session.listen(1)
	}
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap is for http.ResponseController.
func (w *streamWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// close counts the stream off; a client that still listens on another is there.
func (w *streamWriter) close() {
	if w.open {
		w.session.listen(-1)
	}
}

// listen counts the streams of the session.
func (s *Session) listen(change int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.streams += change
	s.broken = s.streams == 0
}

// enter counts a request of the session: its client is there.
func (s *Session) enter() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active++
	if s.gone != nil {
		s.gone.Stop()
	}
}

// leave counts it off. Once its stream is broken and nothing is under way, the
// client has the grace to come back.
func (s *Session) leave(grace time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active--
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
