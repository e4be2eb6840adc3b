package broker_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// A person whom the platform keeps out is told so, and not sent there to finish
// anything.
//
// clause: E-28
func TestDeactivated(t *testing.T) {
	t.Parallel()
	l := newLab(t, nil)
	l.platform.set(func(p *platform) {
		p.answer = func(w http.ResponseWriter) bool {
			w.WriteHeader(http.StatusForbidden)
			_, _ = io.WriteString(w, `{"code":"deactivated","title":"this account is deactivated","status":403}`)
			return true
		}
	})
	b := l.browser()
	r := b.login(b.consent(l.request()), "member")
	if r.StatusCode != http.StatusForbidden || !strings.Contains(r.body, "Your account is deactivated") ||
		strings.Contains(r.body, "platform.example.org") {
		t.Errorf("status %d, and the page says\n%s", r.StatusCode, r.body)
	}
	for _, table := range []string{"authorization_grant", "code"} {
		var n int
		if err := l.pool.QueryRow(t.Context(), "SELECT count(*) FROM broker."+table).Scan(&n); err != nil || n != 0 {
			t.Errorf("%s: %d rows, %v", table, n, err)
		}
	}
}
