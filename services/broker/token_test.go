package broker_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/services/broker"
)

// altered is a form with one field changed, or left out.
func altered(f url.Values, name string, values ...string) url.Values {
	f[name] = values
	return f
}

// wantRefusal sees that a program is refused with one status and code.
func wantRefusal(t *testing.T, vector string, got tokens, status int, code string) {
	t.Helper()
	if got.Status != status || got.Error != code || got.AccessToken != "" || got.RefreshToken != "" {
		t.Errorf("%s: status %d, error %q (%s), want %d %s", vector, got.Status, got.Error, got.Description, status, code)
	}
}

func wantTokens(t *testing.T, vector string, got tokens) {
	t.Helper()
	if got.Status != http.StatusOK || got.AccessToken == "" || got.RefreshToken == "" || got.TokenType != "Bearer" || got.ExpiresIn != 600 {
		t.Errorf("%s: status %d, error %q (%s), want tokens", vector, got.Status, got.Error, got.Description)
	}
}

// A code is for its client, its redirect URI, its verifier, and one use.
//
// clause: E-30, E-33
func TestCode(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(c *broker.Config) {
		c.Clients = append(c.Clients, broker.Client{ID: "other", Name: "Other", Redirects: []string{redirect}})
	})
	fresh := func() url.Values { return l.redemption(l.code("member", l.request())) }

	f := fresh()
	first := l.token(f)
	wantTokens(t, "T01 first", first)
	wantRefusal(t, "T01 second", l.token(f), 400, "invalid_grant")
	wantRefusal(t, "T01 refresh after", l.token(l.refreshing(first.RefreshToken)), 400, "invalid_grant")

	f = fresh()
	wantRefusal(t, "T03 wrong", l.token(altered(f, "code_verifier", strings.Repeat("v", 43))), 400, "invalid_grant")
	wantRefusal(t, "T03 right", l.token(altered(f, "code_verifier", verifier)), 400, "invalid_grant")

	for name, values := range map[string][]string{"absent": nil, "empty": {""}, "short": {verifier[:42]}, "challenge": {challenge()}} {
		wantRefusal(t, "T04 "+name, l.token(altered(fresh(), "code_verifier", values...)), 400, "invalid_grant")
	}

	f = fresh()
	wantRefusal(t, "T06 another client", l.token(altered(f, "client_id", "other")), 400, "invalid_grant")
	f["client_id"] = []string{"lab"}
	wantRefusal(t, "T06 another port", l.token(altered(f, "redirect_uri", "http://127.0.0.1:1/callback")), 400, "invalid_grant")
	wantTokens(t, "T06 nothing was used up", l.token(altered(f, "redirect_uri", redirect)))

	f = fresh()
	l.later(60*time.Second - time.Millisecond)
	wantTokens(t, "T06 just young enough", l.token(f))
	f = fresh()
	l.later(60 * time.Second)
	wantRefusal(t, "T06 older", l.token(f), 400, "invalid_grant")
	wantRefusal(t, "T06 unknown", l.token(altered(fresh(), "code", "pharos_code_AAAAAAAAAAAAAAAAAAAA")), 400, "invalid_grant")
	wantRefusal(t, "T06 none", l.token(altered(fresh(), "code")), 400, "invalid_request")
	wantRefusal(t, "T06 no redirect", l.token(altered(fresh(), "redirect_uri")), 400, "invalid_request")
}

// clause: E-30
func TestTokenRequest(t *testing.T) {
	t.Parallel()
	l := newLab(t, nil)
	f := l.redemption(l.code("member", l.request()))
	send := func(path, media, body string, header ...string) tokens {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, l.url+path, strings.NewReader(body))
		if err == nil {
			r.Header.Set("Content-Type", media)
		}
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		got := l.browser().do(r, err)
		var ts tokens
		if err := json.Unmarshal([]byte(got.body), &ts); err != nil || got.Header.Get("Content-Type") != "application/json" ||
			got.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("T09 %s: %v: %v %s", body, err, got.Header, got.body)
		}
		if got.StatusCode == http.StatusUnauthorized && got.Header.Get("WWW-Authenticate") == "" && len(header) > 0 {
			t.Error("T05: a 401 without a challenge")
		}
		ts.Status = got.StatusCode
		return ts
	}
	const media = "application/x-www-form-urlencoded"
	text, _ := json.Marshal(map[string]string{"grant_type": "authorization_code", "code": f.Get("code"), "client_id": "lab"})

	wantRefusal(t, "T05 Basic", send("/token", media, f.Encode(), "Authorization", "Basic bGFiOg=="), 401, "invalid_client")
	wantRefusal(t, "T05 a secret", send("/token", media, f.Encode()+"&client_secret="), 401, "invalid_client")
	wantRefusal(t, "T05 an assertion", send("/token", media, f.Encode()+"&client_assertion=x"), 401, "invalid_client")
	wantRefusal(t, "T05 no client", send("/token", media, altered(l.redemption("x"), "client_id").Encode()), 401, "invalid_client")
	wantRefusal(t, "T05 long client", send("/token", media, altered(l.redemption("x"), "client_id", "pharos_client_"+strings.Repeat("c", 500)).Encode()),
		401, "invalid_client")
	for _, grant := range []string{
		"password", "client_credentials", "implicit", "urn:ietf:params:oauth:grant-type:jwt-bearer",
		"urn:ietf:params:oauth:grant-type:token-exchange", "urn:ietf:params:oauth:grant-type:device_code",
	} {
		wantRefusal(t, "T07 "+grant, l.token(altered(l.redemption(f.Get("code")), "grant_type", grant)), 400, "unsupported_grant_type")
	}
	wantRefusal(t, "T07 none", l.token(altered(l.redemption(f.Get("code")), "grant_type")), 400, "invalid_request")
	wantRefusal(t, "T08 query", send("/token?"+url.Values{"grant_type": {"authorization_code"}}.Encode(), media, f.Encode()), 400, "invalid_request")
	wantRefusal(t, "T08 JSON", send("/token", "application/json", string(text)), 400, "invalid_request")
	wantRefusal(t, "T08 twice", send("/token", media, f.Encode()+"&code=x"), 400, "invalid_request")
	wantRefusal(t, "T08 no form", send("/token", media, "%zz"), 400, "invalid_request")
	wantRefusal(t, "T08 too large", send("/token", media, f.Encode()+"&x="+strings.Repeat("x", 64<<10)), 413, "invalid_request")
	wantRefusal(t, "X05 another resource", l.token(altered(l.redemption(f.Get("code")), "resource", "https://evil.test/mcp")), 400, "invalid_target")
	wantTokens(t, "T05 nothing was used up", send("/token", media, altered(f, "resource", l.resource).Encode()))
}

// clause: E-29, E-30
func TestRefresh(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(c *broker.Config) {
		c.Clients = append(c.Clients, broker.Client{ID: "other", Name: "Other", Redirects: []string{redirect}})
	})
	l.platform.set(func(p *platform) { p.operator = true })
	all := l.with("scope", "runs:read support:admin support:write")
	scopes := func(ts tokens) string { return strings.Join(l.access(ts.AccessToken).Scopes, " ") }

	ts := l.granted("operator", all)
	narrow := l.token(altered(l.refreshing(ts.RefreshToken), "scope", "runs:read offline_access"))
	if wantTokens(t, "X04 narrower", narrow); narrow.Scope != "runs:read" || scopes(narrow) != "runs:read" {
		t.Errorf("X04 narrower: %q", narrow.Scope)
	}
	for _, wider := range []string{"support:read", "runs:read support:read", "runs:fly"} {
		wantRefusal(t, "X04 "+wider, l.token(altered(l.refreshing(narrow.RefreshToken), "scope", wider)), 400, "invalid_scope")
	}
	ts = l.token(altered(l.refreshing(narrow.RefreshToken), "scope", "offline_access"))
	if wantTokens(t, "X04 the grant is unchanged", ts); scopes(ts) != "runs:read support:admin support:write" {
		t.Errorf("X04 the grant is unchanged: %q", ts.Scope)
	}

	wantRefusal(t, "X05 another", l.token(altered(l.refreshing(ts.RefreshToken), "resource", l.resource+"/")), 400, "invalid_target")
	ts = l.token(altered(l.refreshing(ts.RefreshToken), "resource", l.resource))
	wantTokens(t, "X05 the same", ts)

	l.platform.set(func(p *platform) { p.operator = false })
	ts = l.token(l.refreshing(ts.RefreshToken))
	if wantTokens(t, "X07", ts); scopes(ts) != "runs:read support:write" {
		t.Errorf("X07 an operator no more: %q", ts.Scope)
	}
	wantRefusal(t, "X07 nothing is left", l.token(altered(l.refreshing(ts.RefreshToken), "scope", "support:admin")), 400, "invalid_scope")
	late := l.granted("operator", all) // an operator only after the login
	l.platform.set(func(p *platform) { p.operator = true })
	if late = l.token(l.refreshing(late.RefreshToken)); scopes(late) != "runs:read support:write" {
		t.Errorf("X07 enrolled after the login: %q", late.Scope)
	}

	for name, change := range map[string]func(*platform){
		"auth_version": func(p *platform) { p.version++ },
		"party_id":     func(p *platform) { p.prefix = "another-" },
		"aup":          func(p *platform) { p.answer = answer(403, `{"code":"aup_required","title":"no","status":403}`) },
	} {
		ts := l.granted("member", l.request())
		l.platform.set(change)
		wantRefusal(t, "X09 "+name, l.token(l.refreshing(ts.RefreshToken)), 400, "invalid_grant")
		l.platform.set(func(p *platform) { p.version, p.prefix, p.answer = 1, "", nil })
		wantRefusal(t, "X09 "+name+" and back", l.token(l.refreshing(ts.RefreshToken)), 400, "invalid_grant")
		wantTokens(t, "X09 logged in again", l.granted("member", l.request()))
	}

	ts = l.granted("member", l.request())
	wantRefusal(t, "X10 another client", l.token(altered(l.refreshing(ts.RefreshToken), "client_id", "other")), 400, "invalid_grant")
	wantRefusal(t, "X10 and then its own", l.token(l.refreshing(ts.RefreshToken)), 400, "invalid_grant")
	wantRefusal(t, "X10 unknown", l.token(l.refreshing("pharos_refresh_AAAAAAAAAAAAAAAAAAAA")), 400, "invalid_grant")
	wantRefusal(t, "X10 none", l.token(altered(l.refreshing(""), "refresh_token")), 400, "invalid_request")

	ts = l.granted("member", l.request())
	l.later(14*24*time.Hour - time.Second)
	ts = l.token(l.refreshing(ts.RefreshToken))
	wantTokens(t, "unused for less than 14 days", ts)
	l.later(14 * 24 * time.Hour)
	wantRefusal(t, "unused for 14 days", l.token(l.refreshing(ts.RefreshToken)), 400, "invalid_grant")
	ts = l.granted("member", l.request())
	for range 6 {
		l.later(13 * 24 * time.Hour)
		ts = l.token(l.refreshing(ts.RefreshToken))
	}
	wantTokens(t, "78 days after the login", ts)
	l.later(12 * 24 * time.Hour)
	wantRefusal(t, "90 days after the login", l.token(l.refreshing(ts.RefreshToken)), 400, "invalid_grant")
}

// clause: E-30
func TestRevoke(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(c *broker.Config) {
		c.Clients = append(c.Clients, broker.Client{ID: "other", Name: "Other", Redirects: []string{redirect}})
	})
	revoke := func(vector, client string, f url.Values, status int) {
		t.Helper()
		f.Set("client_id", client)
		if r := l.browser().post(l.url+"/revoke", f); r.StatusCode != status || r.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: status %d, want %d: %s", vector, r.StatusCode, status, r.body)
		}
	}
	ts := l.granted("member", l.request())
	revoke("V01 unknown", "lab", url.Values{"token": {"unknown"}}, 200)
	revoke("V01 an access token", "lab", url.Values{"token": {ts.AccessToken}}, 200)
	revoke("V01 another client's", "other", url.Values{"token": {ts.RefreshToken}}, 200)
	revoke("V01 no token", "lab", url.Values{}, 400)
	revoke("V01 unknown client", "nobody", url.Values{"token": {ts.RefreshToken}}, 401)
	revoke("V01 twice", "lab", url.Values{"token": {ts.RefreshToken, ts.RefreshToken}}, 400)
	next := l.token(l.refreshing(ts.RefreshToken))
	wantTokens(t, "V01 without effect", next)
	revoke("V01", "lab", url.Values{"token": {ts.RefreshToken}, "token_type_hint": {"access_token"}}, 200) // the one before
	wantRefusal(t, "V01 the family", l.token(l.refreshing(next.RefreshToken)), 400, "invalid_grant")
	revoke("V01 again", "lab", url.Values{"token": {next.RefreshToken}}, 200)
}

// What the platform says must be exactly what it should say; otherwise nothing
// is issued and nothing used up.
//
// clause: E-28
func TestIdentity(t *testing.T) {
	t.Parallel()
	l := newLab(t, nil)
	ts := l.granted("member", l.request())
	right := answer(200, `{"party_id":"p","auth_version":1,"operator":false}`)
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { right(w) }))
	t.Cleanup(elsewhere.Close)
	for name, reply := range map[string]func(http.ResponseWriter) bool{
		"unknown member":   answer(200, `{"party_id":"p","auth_version":1,"operator":false,"x":1}`),
		"missing party":    answer(200, `{"auth_version":1,"operator":false}`),
		"missing version":  answer(200, `{"party_id":"p","operator":false}`),
		"missing operator": answer(200, `{"party_id":"p","auth_version":1}`),
		"operator a text":  answer(200, `{"party_id":"p","auth_version":1,"operator":"true"}`),
		"version a text":   answer(200, `{"party_id":"p","auth_version":"1","operator":false}`),
		"version a float":  answer(200, `{"party_id":"p","auth_version":1.0,"operator":false}`),
		"version 0":        answer(200, `{"party_id":"p","auth_version":0,"operator":false}`),
		"party null":       answer(200, `{"party_id":null,"auth_version":1,"operator":false}`),
		"party empty":      answer(200, `{"party_id":"","auth_version":1,"operator":false}`),
		"party too long":   answer(200, `{"party_id":"`+strings.Repeat("p", 513)+`","auth_version":1,"operator":false}`),
		"member twice":     answer(200, `{"party_id":"p","party_id":"q","auth_version":1,"operator":false}`),
		"another case":     answer(200, `{"Party_ID":"p","auth_version":1,"operator":false}`),
		"two objects":      answer(200, `{"party_id":"p","auth_version":1,"operator":false}{}`),
		"no JSON":          answer(200, `<html>`),
		"nothing":          answer(200, ``),
		"2 MB":             answer(200, `{"party_id":"p","auth_version":1,"operator":false}`+strings.Repeat(" ", 2<<20)),
		"status 201":       answer(201, `{"party_id":"p","auth_version":1,"operator":false}`),
		"status 500":       answer(500, `{"code":"internal"}`),
		"status 401":       answer(401, `{"code":"unauthorized"}`),
		"another reason":   answer(403, `{"code":"forbidden"}`),
		"no reason":        answer(403, ``),
		"redirect":         moved(elsewhere.URL),
		"cut":              cutReply,
	} {
		l.platform.set(func(p *platform) { p.answer = reply })
		got := l.token(l.refreshing(ts.RefreshToken))
		wantRefusal(t, "F16 refresh, "+name, got, 503, "temporarily_unavailable")
		b := l.browser()
		page := b.login(b.consent(l.request()), "member")
		wantPage(t, page, http.StatusServiceUnavailable)
		if page.Header.Get("Retry-After") == "" {
			t.Errorf("F16 %s: no Retry-After", name)
		}
		l.platform.set(func(p *platform) { p.answer = nil })
		again := b.post(l.url+"/consent", url.Values{"handle": {handleOf(t, page.body)}, "answer": {"allow"}})
		if got := answerOf(t, b.login(again, "member")); got.Get("code") == "" {
			t.Errorf("F16 %s: trying again gives %v", name, got)
		}
	}
	wantTokens(t, "F16 nothing was used up", l.token(l.refreshing(ts.RefreshToken)))
}

func moved(to string) func(http.ResponseWriter) bool {
	return func(w http.ResponseWriter) bool {
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusSeeOther)
		return true
	}
}

func cutReply(w http.ResponseWriter) bool {
	w.Header().Set("Content-Length", "100")
	_, _ = w.Write([]byte(`{"party_id"`))
	panic(http.ErrAbortHandler)
}
