package broker_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/internal/devidp"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/broker"
)

// Every step of a grant, asked for while the database is gone, says when to try
// again and works when it is back.
//
// clause: E-30
func TestDatabaseGone(t *testing.T) {
	t.Parallel()
	s := pgtest.Server(t)
	if err := pg.Migrate(t.Context(), s.URL, "broker"); err != nil {
		t.Fatal(err)
	}
	l := newLabOn(t, pgtest.Pool(t, s.URL), nil, nil)
	b := l.browser()
	ends := 0
	step := func(name string, do func() reply) reply {
		t.Helper()
		if ends++; ends%2 == 0 {
			s.Stop()
		} else {
			s.Kill()
		}
		if r := do(); r.StatusCode != http.StatusServiceUnavailable || r.Header.Get("Retry-After") == "" || r.Header.Get("Location") != "" {
			t.Errorf("%s without a database: status %d, %v\n%s", name, r.StatusCode, r.Header, r.body)
		}
		s.Start(t)
		r := do()
		if r.StatusCode >= 400 {
			t.Fatalf("%s with the database again: status %d\n%s", name, r.StatusCode, r.body)
		}
		return r
	}
	page := step("authorize", func() reply { return b.get(l.url + "/authorize?" + l.request().Encode()) })
	allowed := step("consent", func() reply {
		return b.post(l.url+"/consent", url.Values{"handle": {handleOf(t, page.body)}, "answer": {"allow"}})
	})
	back := b.chosen(allowed, "member")
	answer := answerOf(t, step("callback", func() reply { return b.get(back) }))
	first := read(t, step("code", func() reply { return b.post(l.url+"/token", l.redemption(answer.Get("code"))) }))
	next := read(t, step("refresh", func() reply { return b.post(l.url+"/token", l.refreshing(first.RefreshToken)) }))
	step("revoke", func() reply {
		return b.post(l.url+"/revoke", url.Values{"token": {next.RefreshToken}, "client_id": {"lab"}})
	})
	wantRefusal(t, "revoked", l.token(l.refreshing(next.RefreshToken)), 400, "invalid_grant")
	step("register", func() reply { return b.tryRegister(minimal) })
	q := l.with("client_id", "pharos_client_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
	s.Stop()
	wantPage(t, l.authorize(q), http.StatusServiceUnavailable)
	s.Start(t)
	wantPage(t, l.authorize(q), http.StatusBadRequest)
}

// A platform that does not answer costs five seconds and nothing else.
//
// clause: E-28
func TestSlowPlatform(t *testing.T) {
	t.Parallel()
	l := newLab(t, nil)
	ts := l.granted("member", l.request())
	end := make(chan struct{})
	t.Cleanup(func() { close(end) })
	l.platform.set(func(p *platform) { p.answer = until(end) })
	begin := time.Now()
	wantRefusal(t, "slow", l.token(l.refreshing(ts.RefreshToken)), 503, "temporarily_unavailable")
	if took := time.Since(begin); took > 9*time.Second {
		t.Errorf("it took %s", took)
	}
	l.platform.set(func(p *platform) { p.answer = nil })
	wantTokens(t, "not slow any more", l.token(l.refreshing(ts.RefreshToken)))
}

// until answers nothing before a channel is closed.
func until(end chan struct{}) func(http.ResponseWriter) bool {
	return func(http.ResponseWriter) bool {
		<-end
		panic(http.ErrAbortHandler)
	}
}

// broken are answers that no endpoint should give, some with what was sent.
func broken() map[string]func(http.ResponseWriter) bool {
	const secret = "pharos_state_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	return map[string]func(http.ResponseWriter) bool{
		"status 500":   answer(500, "down: "+strings.Repeat("x", 1000)+secret),
		"status 400":   answer(400, `{"error":"invalid_grant","error_description":"`+secret+`"}`),
		"no JSON":      answer(200, "<html>"),
		"another type": answer(200, `["a"]`),
		"2 MB":         answer(200, `{"x":"`+strings.Repeat("x", 2<<20)+`"}`),
		"redirect":     moved("/elsewhere"),
		"cut":          cutReply,
	}
}

// Whatever becomes of the provider, the person may try again, and then it works.
//
// clause: E-31
func TestProviderGone(t *testing.T) {
	t.Parallel()
	for endpoint, set := range map[string]func(*devidp.Fault, func(http.ResponseWriter) bool){
		"its description": func(f *devidp.Fault, answer func(http.ResponseWriter) bool) { f.Discovery = answer },
		"its keys":        func(f *devidp.Fault, answer func(http.ResponseWriter) bool) { f.Keys = answer },
		"its tokens":      func(f *devidp.Fault, answer func(http.ResponseWriter) bool) { f.Token = answer },
	} {
		for name, fault := range broken() {
			t.Run(endpoint+", "+name, func(t *testing.T) {
				t.Parallel()
				l := newLab(t, nil)
				b := l.browser()
				set(l.provider, fault)
				page := b.consent(l.request())
				if endpoint != "its description" {
					page = b.login(page, "member")
				}
				b.tryAgain(page)
				if strings.Contains(l.logged(), strings.Repeat("x", 300)) {
					t.Error("the log has the provider's words at length")
				}
			})
		}
	}
	t.Run("it says so", func(t *testing.T) {
		t.Parallel()
		l := newLab(t, nil)
		for _, code := range []string{"temporarily_unavailable", "server_error"} {
			b := l.browser()
			back := b.chosen(b.consent(l.request()), "")
			b.tryAgain(b.get(strings.Replace(back, "access_denied", code, 1)))
		}
	})
}

// tryAgain presses the button of a page that says to, when all is well again.
func (b *browser) tryAgain(page reply) {
	b.l.t.Helper()
	wantPage(b.l.t, page, http.StatusServiceUnavailable)
	b.l.misbehave(devidp.Fault{})
	allowed := b.post(b.l.url+"/consent", url.Values{"handle": {handleOf(b.l.t, page.body)}, "answer": {"allow"}})
	if got := answerOf(b.l.t, b.login(allowed, "member")); got.Get("code") == "" {
		b.l.t.Errorf("trying again gives %v", got)
	}
}

// Who logs in while the provider does not answer waits once, not in a row.
//
// clause: E-31
func TestSlowProvider(t *testing.T) {
	t.Parallel()
	l := newLab(t, nil)
	end := make(chan struct{})
	t.Cleanup(func() { close(end) })
	l.provider.Discovery = until(end)
	begin := time.Now()
	replies := make([]reply, 4)
	parallel(len(replies), func(i int) { replies[i] = l.browser().consent(l.request()) })
	if took := time.Since(begin); took > 19*time.Second {
		t.Errorf("four took %s", took)
	}
	for _, r := range replies {
		wantPage(t, r, http.StatusServiceUnavailable)
	}
}

// A code of the provider is sent once, in the way that the provider knows.
//
// clause: E-31
func TestProviderCode(t *testing.T) {
	t.Parallel()
	l := newLab(t, nil)
	asked := 0
	refuse := answer(401, `{"error":"invalid_client"}`)
	l.provider.Token = func(w http.ResponseWriter) bool { asked++; return refuse(w) }
	b := l.browser()
	wantPage(t, b.login(b.consent(l.request()), "member"), http.StatusServiceUnavailable)
	if asked != 1 {
		t.Errorf("the code was sent %d times", asked)
	}
	secret := newLab(t, func(c *broker.Config) { c.Upstream.ClientSecret = "a secret" })
	secret.code("member", secret.request())
}

// A grant that is revoked while the platform is asked gives nothing more.
//
// clause: E-30
func TestRevokedMeanwhile(t *testing.T) {
	t.Parallel()
	l := newLab(t, nil)
	ts := l.granted("member", l.request())
	l.platform.set(func(p *platform) {
		p.answer = func(http.ResponseWriter) bool {
			f := url.Values{"token": {ts.RefreshToken}, "client_id": {"lab"}}
			if r := l.browser().post(l.url+"/revoke", f); r.StatusCode != http.StatusOK {
				t.Errorf("revoking: status %d", r.StatusCode)
			}
			return false
		}
	})
	wantRefusal(t, "refresh", l.token(l.refreshing(ts.RefreshToken)), 400, "invalid_grant")
	if n := l.count("refresh_token"); n != 1 {
		t.Errorf("%d refresh tokens, want that of the code alone", n)
	}
}
