package broker_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/services/broker"
)

// A form counts from the page it was made for, in the browser that was asked.
//
// clause: E-32
func TestConsent(t *testing.T) {
	t.Parallel()
	l := newLab(t, nil)
	b := l.browser()
	page := b.get(l.url + "/authorize?" + l.request().Encode())
	handle := handleOf(t, page.body)
	send := func(headers ...string) reply {
		t.Helper()
		f := url.Values{"handle": {handle}, "answer": {"allow"}}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, l.url+"/consent", strings.NewReader(f.Encode()))
		if err == nil {
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			for header := range slices.Chunk(headers, 2) {
				r.Header.Set(header[0], header[1])
			}
		}
		return b.do(r, err)
	}
	for header, value := range map[string]string{"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.test"} {
		wantPage(t, send(header, value), http.StatusForbidden)
	}
	wantPage(t, send("Sec-Fetch-Site", "same-site"), http.StatusForbidden)
	wantPage(t, send("Origin", "null"), http.StatusForbidden)
	wantPage(t, send("Sec-Fetch-Site", "same-origin", "Origin", "https://evil.test"), http.StatusForbidden) // rebound
	wantPage(t, send("Sec-Fetch-Site", "cross-site", "Origin", l.url), http.StatusForbidden)
	for header, value := range map[string]string{"Sec-Fetch-Site": "same-origin", "Origin": l.url} {
		if r := send(header, value); r.StatusCode != http.StatusSeeOther {
			t.Errorf("%s: %s: status %d", header, value, r.StatusCode)
		}
	}
	for name, want := range map[string]string{
		"Content-Security-Policy": "frame-ancestors 'none'", "X-Frame-Options": "DENY", "Cache-Control": "no-store",
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "same-origin", // A14
	} {
		if got := page.Header.Get(name); !strings.Contains(got, want) {
			t.Errorf("A14: the page's %s is %q, want %q", name, got, want)
		}
	}
	l.later(10 * time.Minute)
	wantPage(t, send("Origin", l.url), http.StatusForbidden)
}

// The cookie of the browser is for https alone where there is https.
//
// clause: E-32
func TestCookie(t *testing.T) {
	t.Parallel()
	l := newLab(t, func(c *broker.Config) {
		c.Development, c.Issuer, c.Resource = false, "https://broker.example.org", "https://broker.example.org/mcp"
		c.Upstream.Issuer = "https://login.example.org"
	})
	q := l.request()
	q.Del("resource")
	cookie := l.authorize(q).Header.Get("Set-Cookie")
	for _, want := range []string{"__Host-pharos-", "; Path=/", "; HttpOnly", "; Secure", "; SameSite=Lax", "; Max-Age=600"} {
		if !strings.Contains(cookie, want) {
			t.Errorf("the cookie lacks %q", want)
		}
	}
	if strings.Contains(cookie, "Domain") {
		t.Error("the cookie is for a domain")
	}
}

// A login that lies gives no code and no grant, and ends the request.
//
// clause: E-31
func TestLogin(t *testing.T) {
	t.Parallel()
	l := newLab(t, nil)
	now := l.clock()
	claim := func(name string, value any) func() {
		return func() { l.provider.Claims = func(c map[string]any) { c[name] = value } }
	}
	header := func(name string, value any) func() {
		return func() { l.provider.Header = func(h map[string]any) { h[name] = value } }
	}
	for name, lie := range map[string]func(){
		"nonce of another login": claim("nonce", "another"),
		"no nonce":               func() { l.provider.Claims = func(c map[string]any) { delete(c, "nonce") } },
		"azp of another client":  claim("azp", "another"),
		"aud with another":       claim("aud", []string{"broker", "another"}),
		"aud of another":         claim("aud", "another"),
		"iss of another":         claim("iss", "https://evil.test"),
		"sub empty":              claim("sub", ""),
		"sub too long":           claim("sub", strings.Repeat("s", 513)),
		"sub a number":           claim("sub", 7),
		"voperson_id missing":    func() { l.provider.Claims = func(c map[string]any) { delete(c, "voperson_id") } },
		"voperson_id an array":   claim("voperson_id", []string{"V100@dev.pharos.invalid"}),
		"voperson_id empty":      claim("voperson_id", ""),
		"voperson_id white":      claim("voperson_id", " "),
		"voperson_id null":       claim("voperson_id", nil),
		"iat in the future":      claim("iat", now.Add(6*time.Second).Unix()),
		"iat missing":            func() { l.provider.Claims = func(c map[string]any) { delete(c, "iat") } },
		"expired":                claim("exp", now.Unix()),
		"exp missing":            func() { l.provider.Claims = func(c map[string]any) { delete(c, "exp") } },
		"typ of an access token": header("typ", "at+jwt"),
		"alg none":               header("alg", "none"),
		"alg HS256":              header("alg", "HS256"),
		"alg RS256":              header("alg", "RS256"),
		"kid of another":         header("kid", "another"),
		"no ID token":            func() { l.provider.Token = answer(200, `{"access_token":"a","token_type":"Bearer"}`) },
		"ID token that is none": func() {
			l.provider.Token = answer(200, `{"access_token":"a","token_type":"Bearer","id_token":"x.y.z"}`)
		},
		"ID token of another type": func() { l.provider.Token = answer(200, `{"access_token":"a","token_type":"Bearer","id_token":7}`) },
	} {
		l.provider.Claims, l.provider.Header, l.provider.Token = nil, nil, nil
		lie()
		b := l.browser()
		r := b.login(b.consent(l.request()), "member")
		if r.StatusCode != http.StatusForbidden || r.Header.Get("Location") != "" {
			t.Errorf("A16 %s: status %d, %v\n%s", name, r.StatusCode, r.Header, r.body)
		}
	}
	if n := l.count("authorization_grant") + l.count("code") + l.count("request"); n != 0 {
		t.Errorf("%d rows are left", n)
	}
	for name, right := range map[string]func(){
		"nothing":                    func() {},
		"azp of the broker":          claim("azp", "broker"),
		"iat a little in the future": claim("iat", now.Add(5*time.Second).Unix()),
		"aud a list of one":          claim("aud", []string{"broker"}),
		"no typ":                     func() { l.provider.Header = func(h map[string]any) { delete(h, "typ") } },
		"sub of the greatest length": claim("sub", strings.Repeat("s", 512)),
	} {
		l.provider.Claims, l.provider.Header, l.provider.Token = nil, nil, nil
		right()
		b := l.browser()
		if got := answerOf(t, b.login(b.consent(l.request()), "member")); got.Get("code") == "" {
			t.Errorf("A16 with %s: %v", name, got)
		}
	}
}

// answer takes the place of an endpoint of the provider.
func answer(status int, body string) func(http.ResponseWriter) bool {
	return func(w http.ResponseWriter) bool {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
		return true
	}
}

// What the browser brings back counts once, for ten minutes, and from the
// provider it was sent to.
//
// clause: E-31, E-32
func TestReturn(t *testing.T) {
	t.Parallel()
	l := newLab(t, nil)
	b := l.browser()
	for name, q := range map[string]string{
		"unknown":  "code=c&state=pharos_state_00000000_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
		"none":     "code=c",
		"no state": "code=c&state=x",
		"twice":    "code=c&code=d&state=x",
		"no query": "%zz",
	} {
		if r := b.get(l.url + "/callback?" + q); r.StatusCode != http.StatusBadRequest {
			t.Errorf("A16 state %s: status %d", name, r.StatusCode)
		}
	}
	back := b.chosen(b.consent(l.request()), "member")
	if r := b.get(back + "&iss=https%3A%2F%2Fevil.test"); r.StatusCode != http.StatusForbidden {
		t.Errorf("A16 iss of another provider: status %d", r.StatusCode)
	}
	back = b.chosen(b.consent(l.request()), "member")
	if r := b.get(back + "&iss=" + url.QueryEscape(l.login.URL)); answerOf(t, r).Get("code") == "" {
		t.Errorf("A16 iss of the provider: status %d", r.StatusCode)
	}
	if r := b.get(back); r.StatusCode != http.StatusBadRequest {
		t.Errorf("A16 state used: status %d", r.StatusCode)
	}
	back = b.chosen(b.consent(l.request()), "member")
	l.later(10 * time.Minute)
	if r := b.get(back); r.StatusCode != http.StatusBadRequest {
		t.Errorf("A16 state expired: status %d", r.StatusCode)
	}
	if n := l.count("code"); n != 1 {
		t.Errorf("%d codes, want 1", n)
	}
}

// Pressing the button twice is no mistake: the login that comes back last in
// the browser is the one that counts.
//
// clause: E-32
func TestConsentTwice(t *testing.T) {
	t.Parallel()
	l := newLab(t, nil)
	b := l.browser()
	page := b.get(l.url + "/authorize?" + l.request().Encode())
	f := url.Values{"handle": {handleOf(t, page.body)}, "answer": {"allow"}}
	first, second := b.post(l.url+"/consent", f), b.post(l.url+"/consent", f)
	wantPage(t, b.login(first, "member"), http.StatusBadRequest)
	if got := answerOf(t, b.login(second, "member")); got.Get("code") == "" {
		t.Errorf("the client gets %v", got)
	}
}

// A person whom the platform cannot grant anything to yet is sent there.
//
// clause: E-28
func TestUnsettled(t *testing.T) {
	t.Parallel()
	l := newLab(t, nil)
	for user, says := range map[string]string{
		"unregistered": "You are not registered", "pending": "acceptable use policy", "setup": "not set up completely",
	} {
		subject := user
		l.provider.Claims = func(c map[string]any) { c["sub"] = subject }
		b := l.browser()
		r := b.login(b.consent(l.request()), "member")
		wantPage(t, r, http.StatusForbidden)
		if !strings.Contains(r.body, says) || !strings.Contains(r.body, `href="https://platform.example.org/login"`) {
			t.Errorf("A18 %s: the page says\n%s", user, r.body)
		}
	}
	if n := l.count("authorization_grant") + l.count("code") + l.count("request"); n != 0 {
		t.Errorf("A18: %d rows are left", n)
	}
}

// A client's words about itself are shown as words.
//
// clause: E-32
func TestClientName(t *testing.T) {
	t.Parallel()
	l := newLab(t, nil)
	for name, want := range map[string]string{
		"<script>alert(1)</script>":       "&lt;script&gt;alert(1)&lt;/script&gt;",
		"Evil \u202egnihton\u2066 \u200b": "<strong>Evil gnihton</strong>",
		"two\nlines":                      "<strong>twolines</strong>",
		strings.Repeat("n", 10_000):       "<strong>" + strings.Repeat("n", 99) + "…</strong>",
		"\u202e":                          "<strong>unnamed client</strong>",
		"\u3164\u115f\uffa0 \u2800\ufe0f": "<strong>unnamed client</strong>", // blank, and no white space
	} {
		body, err := json.Marshal(map[string]any{
			"client_name": name, "redirect_uris": []string{redirect}, "logo_uri": l.platform.url + "/logo", "client_uri": l.platform.url,
		})
		if err != nil {
			t.Fatal(err)
		}
		page := l.authorize(l.with("client_id", l.register(string(body)).ID))
		if page.StatusCode != http.StatusOK || !strings.Contains(page.body, want) || strings.Contains(page.body, "<script>") ||
			strings.ContainsAny(page.body, "\u202e\u2066\u200b") || strings.Contains(page.body, "<img") {
			t.Errorf("A17 %.30q: status %d, want %q in\n%s", name, page.StatusCode, want, page.body)
		}
	}
	if l.platform.asked != 0 {
		t.Errorf("A17: %d requests for what a client says of itself", l.platform.asked)
	}
}
