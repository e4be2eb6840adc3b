package play

import (
	"io"
	"net/http"
	"path"
	"strings"

	"github.com/pharos-mcp/pharos/internal/httpguard"
)

// maxRequest bounds a request body: the largest form that the pages have, each
// of its characters escaped, and room around it.
const maxRequest = 1 << 20

// Handler serves everything but MCP: the pages, the REST interface and what is
// asked about health. There is nothing under /.well-known/, as nobody logs in
// with OAuth here.
func (s *Service) Handler() http.Handler {
	mux, rest := http.NewServeMux(), s.rest()
	for _, own := range []string{"/api", "/api/"} { // the mux would lead from one to the other
		mux.Handle(own, rest)
	}
	mux.HandleFunc(healthPath, health(func(*http.Request) bool { return true }))
	mux.HandleFunc(readyPath, health(func(r *http.Request) bool { return s.Ready(r.Context()) == nil }))
	for _, none := range []string{"/.well-known", "/.well-known/"} {
		mux.HandleFunc(none, http.NotFound)
	}
	mux.Handle("/", s.pages)
	bounds := httpguard.Options{
		Hosts: s.config.Hosts, Origins: []string{s.config.Origin}, Body: maxRequest,
		Arrival: s.config.Arrival, Refuse: s.refused,
	}
	return logged(s.config.Log, s.addressed(s.admitted(httpguard.New(bounds, s.straight(mux)))))
}

// straight refuses a path that is not written as it is meant, where the mux
// would redirect.
func (s *Service) straight(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		clean := path.Clean(r.URL.Path)
		if strings.HasSuffix(r.URL.Path, "/") && clean != "/" {
			clean += "/"
		}
		if clean != r.URL.Path || clean[0] != '/' {
			s.refused(w, r, http.StatusNotFound, "there is nothing at this path")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// health answers whether something is so, in a word that tells nothing else.
func health(so func(*http.Request) bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		status, word := http.StatusOK, "ok\n"
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			status, word = http.StatusMethodNotAllowed, "send a GET\n"
		case !so(r):
			status, word = http.StatusServiceUnavailable, "no\n"
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, word)
	}
}
