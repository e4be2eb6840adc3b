package platform

import (
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/edge/fault"
)

var errNoRoute = fault.New(fault.NotFound, "there is nothing at this path")

// router is a ServeMux for a part of the routes. It never redirects, and what
// it refuses is a problem document too.
type router struct {
	mux    *http.ServeMux
	served func(path string) bool
}

func newRouter(served func(path string) bool) *router {
	rt := &router{http.NewServeMux(), served}
	rt.mux.HandleFunc("/", rt.missing)
	return rt
}

// HandleFunc adds a route, "METHOD /path", if it is one of the part.
func (rt *router) HandleFunc(pattern string, handler func(http.ResponseWriter, *http.Request)) {
	if _, p, ok := strings.Cut(pattern, " "); ok && rt.served(p) {
		rt.mux.HandleFunc(pattern, handler)
	}
}

func (rt *router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if p := r.URL.EscapedPath(); path.Clean(p) != p {
		failed(w, r, errNoRoute) // the mux would redirect
		return
	}
	rt.mux.ServeHTTP(w, r)
}

// missing answers a request without a route: with 405 where other methods have
// one.
func (rt *router) missing(w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for _, method := range []string{
		http.MethodDelete, http.MethodGet, http.MethodHead, http.MethodPatch, http.MethodPost, http.MethodPut,
	} {
		other := r.Clone(r.Context())
		other.Method = method
		if _, pattern := rt.mux.Handler(other); pattern != "/" {
			allowed = append(allowed, method)
		}
	}
	if len(allowed) == 0 || slices.Contains(allowed, r.Method) {
		failed(w, r, errNoRoute)
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	refused(w, r, http.StatusMethodNotAllowed, "this path has other methods")
}
