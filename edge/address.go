package edge

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/pharos-mcp/pharos/internal/admission"
)

// refuser writes a refusal.
type refuser = func(w http.ResponseWriter, r *http.Request, status int, message string)

// addressed bounds how many requests of one client address begin in a minute.
// It comes before anybody asks who calls, and before anything of the body is
// read. What it lets in is let in at once: it holds no place.
func (s *Server) addressed(next http.Handler, refuse refuser) http.Handler {
	addresses := s.gate.addresses
	if addresses == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		release, err := addresses.Admit(context.WithoutCancel(r.Context()), s.proxies.Client(r).Key())
		if refused, ok := errors.AsType[*admission.Refused](err); ok && refused.Bound == admission.Rate {
			unread(w)
			w.Header().Set("Retry-After", strconv.Itoa(refused.Seconds()))
			refuse(w, r, http.StatusTooManyRequests, "too many requests from this address in a minute")
			return
		}
		// There may be no room to remember one more address. To refuse it would let
		// whoever has many addresses shut out everybody; the bounds behind hold.
		if err == nil {
			release()
		}
		next.ServeHTTP(w, r)
	})
}

// unread prepares a refusal whose request's body is thrown away, and not waited
// for.
func unread(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(time.Second)) // a recorder in a test has none
	w.Header().Set("Connection", "close")
}
