package broker_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/services/broker"
)

func closed(c *broker.Config) { c.Closed, c.NoDocuments = true, true }

// with is a right request with one parameter changed, or left out.
func (l *lab) with(name string, values ...string) url.Values {
	q := l.request()
	q[name] = values
	return q
}

// authorize asks for authorization in a browser of its own.
func (l *lab) authorize(q url.Values) reply {
	l.t.Helper()
	return l.browser().get(l.url + "/authorize?" + q.Encode())
}

// wantPage sees that a reply is a page for a person, which leads nowhere.
func wantPage(t *testing.T, r reply, status int) {
	t.Helper()
	if r.StatusCode != status || r.Header.Get("Location") != "" || r.Header.Get("Content-Type") != "text/html; charset=utf-8" ||
		!strings.Contains(r.body, "<h1>") {
		t.Errorf("got status %d, %v, want a page of status %d\n%s", r.StatusCode, r.Header, status, r.body)
	}
}

// wantError sees that the client is told one error, with its state.
func wantError(t *testing.T, r reply, code string) {
	t.Helper()
	if got := answerOf(t, r); got.Get("error") != code || got.Get("state") != "client-state" || got.Has("code") {
		t.Errorf("the client gets %v, want %s", got, code)
	}
}

// Until the client and its redirect URI are known, an error is for the person.
//
// clause: E-30
func TestUnknownClient(t *testing.T) {
	t.Parallel()
	l := newLab(t, nil)
	for name, q := range map[string]url.Values{
		"A01 unknown client":        l.with("client_id", "<script>alert(1)</script>"),
		"A01 no client":             l.with("client_id"),
		"A01 registered once":       l.with("client_id", "pharos_client_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
		"A01 unregistered redirect": l.with("redirect_uri", "https://evil.test/<script>"),
		"A01 parameter twice":       l.with("state", "<script>", "b"),
		"A01 parameter too long":    l.with("state", strings.Repeat("s", 4097)),
		"A01 control character":     l.with("state", "a\x00b"),
		"A01 not UTF-8":             l.with("state", "a\xffb"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := l.in(t).authorize(q)
			wantPage(t, r, http.StatusBadRequest)
			if strings.Contains(r.body, "<script>") || strings.Contains(r.body, "evil.test") {
				t.Errorf("the page repeats what was sent:\n%s", r.body)
			}
		})
	}
	if r := l.browser().get(l.url + "/authorize?client_id=%zz"); r.StatusCode != http.StatusBadRequest {
		t.Errorf("a query that is none: status %d", r.StatusCode)
	}
	if r := l.authorize(l.with("state", strings.Repeat("s", 4096))); r.StatusCode != http.StatusOK {
		t.Errorf("a state of the greatest length: status %d", r.StatusCode)
	}
	if n := l.count("request"); n != 1 {
		t.Errorf("%d requests are kept, want that of the right one", n)
	}
}

// clause: E-30
func TestRedirect(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(c *broker.Config) {
		for id, uris := range map[string][]string{
			"v4": {"http://127.0.0.1/callback"}, "name": {"http://localhost/callback"}, "v6": {"http://[::1]/callback"},
			"web": {"https://example.com/cb"}, "app": {"cursor://anysphere.cursor-mcp/oauth/callback"}, "port": {"http://127.0.0.1:8000/callback"},
			"query": {"https://example.com/cb?a=b"},
		} {
			c.Clients = append(c.Clients, broker.Client{ID: id, Name: id, Redirects: uris})
		}
	})
	for _, c := range []struct {
		vector, client, uri string
		taken               bool
	}{
		{"A02", "v4", "http://127.0.0.1:51234/callback", true},
		{"A02", "name", "http://localhost:51234/callback", true},
		{"A02", "v6", "http://[::1]:51234/callback", true},
		{"A02", "port", "http://127.0.0.1:8001/callback", true},
		{"A02", "port", "http://127.0.0.1/callback", true},
		{"A02", "v4", "http://127.0.0.1/callback", true},
		{"A03", "v4", "http://localhost:1/callback", false},
		{"A03", "v4", "http://[::1]:1/callback", false},
		{"A03", "v4", "https://127.0.0.1:1/callback", false},
		{"A03", "name", "http://127.0.0.1:1/callback", false},
		{"A03", "v4", "http://127.0.0.1:0/callback", false},
		{"A03", "v4", "http://127.0.0.1:65536/callback", false},
		{"A03", "v4", "http://127.0.0.1:/callback", false},
		{"A03", "v4", "HTTP://127.0.0.1:1/callback", false},
		{"A04", "v4", "http://127.0.0.1:1/callback?x=y", false},
		{"A04", "v4", "http://127.0.0.1:1/callback?", false},
		{"A04", "v4", "http://127.0.0.1:1/other", false},
		{"A04", "v4", "http://127.0.0.1:1/Callback", false},
		{"A04", "v4", "http://127.0.0.1:1/callback/", false},
		{"A04", "v4", "http://127.0.0.1:1/x/../callback", false},
		{"A04", "v4", "http://127.0.0.1:1/x/%2e%2e/callback", false},
		{"A04", "v4", "http://127.0.0.1:1/%63allback", false},
		{"A04", "v4", "http://127.0.0.1:1/callback#x", false},
		{"A04", "v4", "http://127.0.0.1:1/callback#", false},
		{"A04", "v4", "http://a@127.0.0.1:1/callback", false},
		{"A04", "v4", "http://127.0.0.1:1\\@evil.test/callback", false},
		{"A05", "web", "https://example.com/cb", true},
		{"A05", "web", "http://127.0.0.1/cb", false},
		{"A05", "web", "https://EXAMPLE.com/CB", false},
		{"A05", "web", "https://EXAMPLE.com/cb", false},
		{"A05", "web", "https://example.com:443/cb", false},
		{"A05", "web", "https://example.com/cb/", false},
		{"A05", "web", "https://example.com/cb?x", false},
		{"A05", "query", "https://example.com/cb?a=b", true},
		{"A05", "query", "https://example.com/cb", false},
		{"A05", "app", "cursor://anysphere.cursor-mcp/oauth/callback", true},
		{"A05", "app", "cursor://evil/oauth/callback", false},
		{"A06", "v4", "http://127.0.0.1.evil.test/callback", false},
		{"A06", "v4", "http://127.0.0.1@evil.test/callback", false},
		{"A06", "name", "http://localhost.evil.test/callback", false},
		{"A06", "v4", "http://2130706433/callback", false},
		{"A06", "v4", "http://127.1/callback", false},
		{"A06", "v4", "http://0x7f.0.0.1/callback", false},
	} {
		q := l.with("client_id", c.client)
		q.Set("redirect_uri", c.uri)
		q.Set("response_type", "wrong") // so that the answer is a redirect, if any
		r := l.authorize(q)
		if !c.taken {
			if r.StatusCode != http.StatusBadRequest || r.Header.Get("Location") != "" {
				t.Errorf("%s: %s may return to %s: status %d", c.vector, c.client, c.uri, r.StatusCode)
			}
			continue
		}
		mark := "?"
		if strings.Contains(c.uri, "?") {
			mark = "&"
		}
		if !strings.HasPrefix(r.Header.Get("Location"), c.uri+mark+"error=") {
			t.Errorf("%s: %s must return to %s: status %d, %s", c.vector, c.client, c.uri, r.StatusCode, r.Header.Get("Location"))
		}
	}
	q := l.request()
	q.Del("redirect_uri")
	if r := l.authorize(q); r.StatusCode != http.StatusOK {
		t.Errorf("without redirect_uri, of a client that has one: status %d", r.StatusCode)
	}
}

// Errors of known clients go back to them.
//
// clause: E-29, E-30
func TestRequest(t *testing.T) {
	t.Parallel()
	l := newLab(t, nil)
	for _, c := range []struct {
		vector, name string
		values       []string
		want         string
	}{
		{"A07", "code_challenge", nil, "invalid_request"},
		{"A07", "code_challenge", []string{challenge()[:42]}, "invalid_request"},
		{"A07", "code_challenge", []string{challenge() + "="}, "invalid_request"},
		{"A07", "code_challenge", []string{challenge() + "A"}, "invalid_request"},
		{"A07", "code_challenge_method", nil, "invalid_request"},
		{"A07", "code_challenge_method", []string{"plain"}, "invalid_request"},
		{"A07", "code_challenge_method", []string{"s256"}, "invalid_request"},
		{"A08", "response_type", []string{"token"}, "unsupported_response_type"},
		{"A08", "response_type", []string{"code id_token"}, "unsupported_response_type"},
		{"A08", "response_type", nil, "unsupported_response_type"},
		{"A08", "response_mode", []string{"fragment"}, "invalid_request"},
		{"A08", "response_mode", []string{"form_post"}, "invalid_request"},
		{"A10", "resource", []string{"https://evil.test"}, "invalid_target"},
		{"A10", "resource", []string{l.resource + "/"}, "invalid_target"},
		{"A10", "resource", []string{l.resource + "#x"}, "invalid_target"},
		{"A10", "resource", []string{""}, "invalid_target"},
		{"A12", "scope", []string{"runs:read runs:fly"}, "invalid_scope"},
		{"A12", "scope", []string{"openid"}, "invalid_scope"},
		{"A13", "request", []string{"eyJ"}, "request_not_supported"},
		{"A13", "request_uri", []string{"https://evil.test/r"}, "request_uri_not_supported"},
		{"A13", "prompt", []string{"none"}, "interaction_required"},
		{"A13", "prompt", []string{"login none"}, "interaction_required"},
	} {
		t.Run(c.vector+" "+c.name+"="+strings.Join(c.values, ""), func(t *testing.T) {
			t.Parallel()
			l := l.in(t)
			wantError(t, l.authorize(l.with(c.name, c.values...)), c.want)
		})
	}
	for _, c := range []struct {
		vector, name string
		values       []string
	}{
		{"A08", "response_mode", []string{"query"}}, {"A10", "resource", nil}, {"A13", "prompt", []string{"consent"}}, {"A07", "unknown", []string{"x"}},
	} {
		t.Run(c.vector+" takes "+c.name+"="+strings.Join(c.values, ""), func(t *testing.T) {
			t.Parallel()
			l := l.in(t)
			if r := l.authorize(l.with(c.name, c.values...)); r.StatusCode != http.StatusOK {
				t.Errorf("status %d", r.StatusCode)
			}
		})
	}
	t.Run("takes a request in a body", func(t *testing.T) {
		t.Parallel()
		l := l.in(t)
		if r := l.browser().post(l.url+"/authorize", l.request()); r.StatusCode != http.StatusOK {
			t.Errorf("status %d", r.StatusCode)
		}
	})
}

// Scopes are what the person may have, however they are asked for.
//
// clause: E-29, E-32
func TestScopes(t *testing.T) {
	t.Parallel()
	l := newLab(t, nil)
	l.platform.set(func(p *platform) { p.operator = true })
	for _, c := range []struct{ vector, user, scope, want string }{
		{"A11", "member", "", "runs:read support:read support:write"},
		{"A11", "member", " offline_access", "runs:read support:read support:write"},
		{"A11", "operator", "", "runs:read support:read support:write"},
		{"A11", "member", "support:write runs:read offline_access runs:read", "runs:read support:write"},
		{"A12", "member", "runs:read support:admin", "runs:read"},
		{"A12", "operator", "runs:read support:admin", "runs:read support:admin"},
	} {
		t.Run(c.vector+" "+c.user+" asks for "+c.scope, func(t *testing.T) {
			t.Parallel()
			l := l.in(t)
			ts := l.granted(c.user, l.with("scope", c.scope))
			if got := strings.Join(l.access(ts.AccessToken).Scopes, " "); got != c.want || ts.Scope != c.want {
				t.Errorf("granted %q and said %q, want %q", got, ts.Scope, c.want)
			}
		})
	}
	t.Run("A12 nothing is left", func(t *testing.T) {
		t.Parallel()
		l := l.in(t)
		b := l.browser()
		wantError(t, b.login(b.consent(l.with("scope", "support:admin")), "member"), "access_denied")
	})
}
