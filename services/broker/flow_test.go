package broker_test

import (
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestFlow goes from a client's request to a token, refreshes and revokes it.
//
// clause: E-22, E-23, E-30, E-31, E-32
func TestFlow(t *testing.T) {
	t.Parallel()
	l := newLab(t, nil)
	b := l.browser()
	page := b.get(l.url + "/authorize?" + l.request().Encode())
	for _, part := range []string{"The laboratory", "127.0.0.1", "runs:read", "support:write", "a program on your own computer"} {
		if !strings.Contains(page.body, part) {
			t.Errorf("the consent page lacks %q:\n%s", part, page.body)
		}
	}
	allowed := b.post(l.url+"/consent", url.Values{"handle": {handleOf(t, page.body)}, "answer": {"allow"}})
	answer := answerOf(t, b.login(allowed, "member"))
	if answer.Get("state") != "client-state" || answer.Get("iss") != l.url || answer.Has("error") {
		t.Errorf("the client gets %v", answer)
	}
	ts := l.token(l.redemption(answer.Get("code")))
	if ts.Status != http.StatusOK || ts.TokenType != "Bearer" || ts.ExpiresIn != 600 || ts.Scope != "runs:read support:write" {
		t.Fatalf("redeeming: %+v", ts)
	}
	a := l.access(ts.AccessToken)
	if a.Party != "party-of-member" || a.ClientID != "lab" || a.AuthVersion != 1 || a.Identity.VopersonID != "V100@dev.pharos.invalid" ||
		strings.Join(a.Scopes, " ") != ts.Scope {
		t.Errorf("the access token says %+v", a)
	}
	next := l.token(l.refreshing(ts.RefreshToken))
	if next.Status != http.StatusOK || next.RefreshToken == ts.RefreshToken || next.Scope != ts.Scope {
		t.Fatalf("refreshing: %+v", next)
	}
	if l.access(next.AccessToken).ID == a.ID {
		t.Error("two access tokens have one jti")
	}
	revoked := b.post(l.url+"/revoke", url.Values{"token": {next.RefreshToken}, "client_id": {"lab"}})
	if revoked.StatusCode != http.StatusOK {
		t.Errorf("revoking: status %d", revoked.StatusCode)
	}
	if got := l.token(l.refreshing(next.RefreshToken)); got.Error != "invalid_grant" {
		t.Errorf("after revoking: %+v", got)
	}
	if n := l.count("request"); n != 0 {
		t.Errorf("%d requests are left", n)
	}
}

// TestDeny gives the client the person's no.
//
// clause: E-32
func TestDeny(t *testing.T) {
	t.Parallel()
	l := newLab(t, nil)
	b := l.browser()
	page := b.get(l.url + "/authorize?" + l.request().Encode())
	answer := answerOf(t, b.post(l.url+"/consent", url.Values{"handle": {handleOf(t, page.body)}, "answer": {"deny"}}))
	if answer.Get("error") != "access_denied" || answer.Get("iss") != l.url || answer.Get("state") != "client-state" {
		t.Errorf("the client gets %v", answer)
	}
	if answer := answerOf(t, b.login(b.consent(l.request()), "")); answer.Get("error") != "access_denied" {
		t.Errorf("after a refused login the client gets %v", answer)
	}
	if n := l.count("request") + l.count("authorization_grant"); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}

// TestBinding sees that consent and login count in the browser that was asked,
// and once (A14, A16).
//
// clause: E-32
func TestBinding(t *testing.T) {
	t.Parallel()
	l := newLab(t, nil)
	mine, other := l.browser(), l.browser()
	page := mine.get(l.url + "/authorize?" + l.request().Encode())
	handle := url.Values{"handle": {handleOf(t, page.body)}, "answer": {"allow"}}
	others := other.get(l.url + "/authorize?" + l.request().Encode())
	for name, r := range map[string]reply{
		"without the cookie":         other.post(l.url+"/consent", handle),
		"without a handle":           mine.post(l.url+"/consent", url.Values{"answer": {"allow"}}),
		"with the handle of another": mine.post(l.url+"/consent", url.Values{"handle": {handleOf(t, others.body)}, "answer": {"allow"}}),
	} {
		if r.StatusCode != http.StatusForbidden {
			t.Errorf("%s: status %d", name, r.StatusCode)
		}
	}
	allowed := mine.post(l.url+"/consent", handle)
	chosen := mine.post(allowed.Header.Get("Location"), url.Values{"user": {"member"}})
	back := chosen.Header.Get("Location")
	if r := other.get(back); r.StatusCode != http.StatusBadRequest {
		t.Errorf("the return in another browser: status %d", r.StatusCode)
	}
	if answer := answerOf(t, mine.get(back)); answer.Get("code") == "" {
		t.Errorf("the return in the right browser: %v", answer)
	}
	if r := mine.get(back); r.StatusCode != http.StatusBadRequest {
		t.Errorf("the return a second time: status %d", r.StatusCode)
	}
}

// TestCodeRace redeems one code sixteen times at once.
//
// clause: E-33
func TestCodeRace(t *testing.T) {
	t.Parallel()
	l := newLab(t, nil)
	code := l.code("member", l.request())
	replies := make([]tokens, 16)
	parallel(len(replies), func(i int) { replies[i] = l.token(l.redemption(code)) })
	var won []tokens
	for _, r := range replies {
		switch {
		case r.Status == http.StatusOK:
			won = append(won, r)
		case r.Error != "invalid_grant":
			t.Errorf("a loser got %+v", r)
		}
	}
	if len(won) != 1 {
		t.Fatalf("T01: %d of 16 redeemed the code, want 1", len(won))
	}
	if got := l.token(l.refreshing(won[0].RefreshToken)); got.Error != "invalid_grant" {
		t.Errorf("T01: after a second use of the code its refresh token gives %+v", got)
	}
}

// TestRefreshRace refreshes five times at once: all get the same successor, and
// a use of the old token after the window, or after its successor's, ends the
// family (X01, X03).
//
// clause: E-30
func TestRefreshRace(t *testing.T) {
	t.Parallel()
	l := newLab(t, nil)
	first := l.granted("member", l.request())
	replies := make([]tokens, 5)
	parallel(len(replies), func(i int) { replies[i] = l.token(l.refreshing(first.RefreshToken)) })
	for _, r := range replies {
		if r.Status != http.StatusOK || r.RefreshToken != replies[0].RefreshToken {
			t.Errorf("X03: one of five got %+v, another %+v", r, replies[0])
		}
	}
	if n := l.count("refresh_token"); n != 2 {
		t.Errorf("X03: %d refresh tokens are kept, want 2", n)
	}
	l.later(119 * time.Second)
	if r := l.token(l.refreshing(first.RefreshToken)); r.RefreshToken != replies[0].RefreshToken {
		t.Errorf("X03: within the window: %+v", r)
	}
	if r := l.token(l.refreshing(replies[0].RefreshToken)); r.Status != http.StatusOK {
		t.Errorf("the successor: %+v", r)
	}
	if r := l.token(l.refreshing(first.RefreshToken)); r.Error != "invalid_grant" {
		t.Errorf("X01: after the successor's use: %+v", r)
	}
	if r := l.token(l.refreshing(replies[0].RefreshToken)); r.Error != "invalid_grant" {
		t.Errorf("X01: the family lives on: %+v", r)
	}
	again := l.granted("member", l.request())
	next := l.token(l.refreshing(again.RefreshToken))
	l.later(120 * time.Second)
	if r := l.token(l.refreshing(again.RefreshToken)); r.Error != "invalid_grant" {
		t.Errorf("X01: after the window: %+v", r)
	}
	if r := l.token(l.refreshing(next.RefreshToken)); r.Error != "invalid_grant" {
		t.Errorf("X01: the family lives on after the window: %+v", r)
	}
}

func parallel(n int, f func(int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { f(i) })
	}
	all.Wait()
}
