package edge

import (
	"encoding/json"
	"net/http"
)

// rpcHealth is where a service says whether it could do its work.
const rpcHealth = "/health"

// paths leads to the RPC and to what stands beside it.
func (m *rpcMount) paths() http.Handler {
	if m.rpc.Path == "" {
		return m
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == m.rpc.Path:
			m.ServeHTTP(w, r)
		case r.URL.Path == rpcHealth && m.rpc.Health != nil:
			m.health(w, r)
		default:
			m.reply(w, http.StatusNotFound, "not_found", "methods are called with a POST to "+m.rpc.Path)
		}
	})
}

// health answers whoever asks, without a key: two words that tell nothing else.
func (m *rpcMount) health(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		m.reply(w, http.StatusMethodNotAllowed, "invalid_request", "send a GET")
		return
	}
	status, word := http.StatusOK, "ok"
	if err := m.rpc.Health(r.Context()); err != nil {
		m.server.log.WarnContext(r.Context(), "health", "error", err)
		status, word = http.StatusServiceUnavailable, "unavailable"
	}
	body, _ := json.Marshal(map[string]string{"status": word, "version": m.server.version}) // strings always encode
	if r.Method == http.MethodHead {
		body = nil
	}
	rpcReply(w, status, body)
}
