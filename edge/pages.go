package edge

import (
	"net/http"
	"slices"
)

// pages lets scripts of the pages that may call, those of the configured
// origins, read what they are answered, refusals too. Their browser asks first,
// without a credential, whether it may send one: the answer is yes to whatever
// headers the script has, for who may call is decided where the call arrives.
// Pages of others get no such answer, and are refused besides.
func (s *Server) pages(next http.Handler) http.Handler {
	if len(s.config.Origins) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != s.config.Path {
			next.ServeHTTP(w, r)
			return
		}
		h := w.Header()
		h.Add("Vary", "Origin")
		origins := r.Header.Values("Origin")
		if len(origins) != 1 || !slices.Contains(s.config.Origins, origins[0]) {
			next.ServeHTTP(w, r)
			return
		}
		h.Set("Access-Control-Allow-Origin", origins[0])
		h.Set("Access-Control-Expose-Headers", "Mcp-Session-Id, Retry-After, WWW-Authenticate")
		if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
			next.ServeHTTP(w, r)
			return
		}
		h.Set("Access-Control-Allow-Methods", "DELETE, GET, POST")
		if asked := r.Header.Get("Access-Control-Request-Headers"); asked != "" {
			h.Set("Access-Control-Allow-Headers", asked)
		}
		h.Set("Access-Control-Max-Age", "3600")
		w.WriteHeader(http.StatusNoContent)
	})
}
