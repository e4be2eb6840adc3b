package broker_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/pharos-mcp/pharos/edge/token"
)

// platform is a platform that knows the devidp's people, and can fail.
type platform struct {
	url string

	mu       sync.Mutex
	version  int64
	prefix   string // of party ids
	operator bool
	answer   func(w http.ResponseWriter) bool // in place of its own
	asked    int
}

func newPlatform(t *testing.T, l *lab) *platform {
	p := &platform{version: 1}
	trust := token.Trust{Keys: l.signer.Keys(), Issuer: l.url, Audience: token.AudienceLogin, Now: l.clock}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.asked++
		answer := p.answer
		p.mu.Unlock()
		login, err := trust.Login(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		if err != nil {
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		if answer != nil && answer(w) {
			return
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		code := map[string]string{"unregistered": "not_registered", "pending": "aup_required", "setup": "setup_required"}[login.Identity.Subject]
		if code != "" {
			w.WriteHeader(http.StatusForbidden)
			_ = json.NewEncoder(w).Encode(map[string]any{"code": code, "title": "no", "status": 403})
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{
			"party_id": fmt.Sprintf("%sparty-of-%.40s", p.prefix, login.Identity.Subject), "auth_version": p.version,
			"operator": login.Identity.Subject == "operator" && p.operator,
		})
	}))
	t.Cleanup(server.Close)
	p.url = server.URL
	return p
}

// set changes the platform between requests.
func (p *platform) set(change func(*platform)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(p)
}
