package play

import (
	"net/http"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/edge/fault"
)

var errNoRoute = fault.New(fault.NotFound, "there is nothing at this path")

// restRouter is a ServeMux that never redirects and whose refusals are problem
// documents.
type restRouter struct{ *http.ServeMux }

func newRestRouter() restRouter {
	rt := restRouter{http.NewServeMux()}
	rt.ServeMux.HandleFunc("/", rt.missing)
	return rt
}

// ServeHTTP implements http.Handler. Every path of the interface ends with a
// slash; the mux would redirect one without.
func (rt restRouter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.URL.Path, "/") {
		restFailed(w, r, errNoRoute)
		return
	}
	rt.ServeMux.ServeHTTP(w, r)
}

// missing answers a request without a route: with 405 where other methods have
// one.
func (rt restRouter) missing(w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for _, method := range []string{http.MethodDelete, http.MethodGet, http.MethodHead, http.MethodPost} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := rt.Handler(other); pattern != "/" {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) == 0 || slices.Contains(allowed, r.Method) {
		restFailed(w, r, errNoRoute)
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	turnDown(w, r, http.StatusMethodNotAllowed, fault.New(fault.Invalid, "this path has other methods"))
}
