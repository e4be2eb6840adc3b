package play

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/pharos-mcp/pharos/internal/admission"
	"github.com/pharos-mcp/pharos/internal/httpguard"
)

// How many requests for pages and the REST interface are served at the same
// time, of one client address and of all. Whoever reads a long report slowly
// holds one for as long, and some megabytes with it.
const (
	atATimeOfAddress = 16
	atATime          = 32
)

// The paths of what is asked about health.
const (
	healthPath = "/healthz"
	readyPath  = "/readyz"
)

// admitted serves so many requests at the same time, and refuses the others with
// advice before their bodies are read. What is asked about health always passes.
func (s *Service) admitted(next http.Handler) http.Handler {
	places := admission.NewMemory(admission.Limits{
		Key: atATimeOfAddress, All: atATime, Lease: 1 << 62, // who reads on is never taken for gone
	}, nil)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == healthPath || r.URL.Path == readyPath {
			next.ServeHTTP(w, r)
			return
		}
		leave, err := places.Admit(r.Context(), httpguard.Proxies{}.Client(r).Key())
		if refused, ok := errors.AsType[*admission.Refused](err); ok {
			w.Header().Set("Connection", "close") // its body is not read
			w.Header().Set("Retry-After", strconv.Itoa(refused.Seconds()))
			s.refused(w, r, http.StatusTooManyRequests, "too many requests at the same time; nothing was done, try again")
			return
		}
		if err != nil {
			return // who asked has gone
		}
		defer leave()
		next.ServeHTTP(w, r)
	})
}
