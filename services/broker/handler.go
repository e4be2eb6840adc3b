package broker

import "net/http"

// metadataPaths are where clients look for the broker's metadata: some put the
// path of the resource behind it, some before, some look for OpenID Connect.
var metadataPaths = []string{
	"/.well-known/oauth-authorization-server", "/.well-known/oauth-authorization-server/mcp",
	"/.well-known/openid-configuration", "/.well-known/openid-configuration/mcp", "/mcp/.well-known/openid-configuration",
}

// Handler serves the broker's pages and endpoints. It bounds the bodies of its
// requests by itself; who serves it bounds their headers and replies.
func (b *Broker) Handler() http.Handler {
	mux := http.NewServeMux()
	for _, path := range metadataPaths {
		mux.Handle(path, shared(document(b.metadata), http.MethodGet))
	}
	mux.Handle("/jwks", shared(document(b.jwks), http.MethodGet))
	mux.Handle("/token", shared(b.token, http.MethodPost))
	mux.Handle("/revoke", shared(b.revoke, http.MethodPost))
	if !b.config.Closed {
		mux.Handle("/register", shared(b.register, http.MethodPost))
	}
	mux.HandleFunc("GET /authorize", b.authorize)
	mux.HandleFunc("POST /authorize", b.authorize)
	mux.HandleFunc("POST /consent", b.consent)
	mux.HandleFunc("GET /callback", b.callback)
	return arrive(b.arrival, mux)
}

// document serves a JSON text that is the same for everybody.
func document(text []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "public, max-age=300")
		_, _ = w.Write(text)
	}
}

// shared lets scripts of any origin use an endpoint, which needs no cookie and
// sends none, and answers their preflight requests.
func shared(next http.HandlerFunc, method string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Access-Control-Expose-Headers", "WWW-Authenticate, Retry-After")
		switch {
		case r.Method == http.MethodOptions:
			h.Set("Access-Control-Allow-Methods", method)
			h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, MCP-Protocol-Version")
			h.Set("Access-Control-Max-Age", "3600")
			w.WriteHeader(http.StatusNoContent)
		case r.Method == method, r.Method == http.MethodHead && method == http.MethodGet:
			next(w, r)
		default:
			h.Set("Allow", method+", OPTIONS")
			refuse(w, http.StatusMethodNotAllowed, "invalid_request", "the method must be "+method)
		}
	})
}
