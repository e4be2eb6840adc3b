package devidp_test

import (
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/pharos-mcp/pharos/internal/devidp"
)

const redirect = "http://127.0.0.1:8080/callback"

// start serves a provider and returns how go-oidc sees it.
func start(t *testing.T, change func(*devidp.Options)) (*oidc.Provider, *oauth2.Config) {
	t.Helper()
	var handler http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
	t.Cleanup(server.Close)
	o := devidp.Options{Issuer: server.URL, ClientID: "broker", Redirect: redirect}
	if change != nil {
		change(&o)
	}
	provider, err := devidp.New(o)
	if err != nil {
		t.Fatal(err)
	}
	handler = provider
	p, err := oidc.NewProvider(t.Context(), server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return p, &oauth2.Config{ClientID: "broker", Endpoint: p.Endpoint(), RedirectURL: redirect, Scopes: []string{"openid"}}
}

// choose logs in as a user and returns what the browser brings back.
func choose(t *testing.T, c *oauth2.Config, user, verifier string) url.Values {
	t.Helper()
	target := c.AuthCodeURL("the-state", oidc.Nonce("the-nonce"), oauth2.S256ChallengeOption(verifier))
	own := new(http.Transport) // a server that another test closes takes the idle connections of the common one along
	defer own.CloseIdleConnections()
	client := http.Client{
		Transport: own, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	page, err := client.Get(target)
	if err != nil {
		t.Fatal(err)
	}
	if page.StatusCode != http.StatusOK {
		t.Fatalf("the page of users: status %v", page.StatusCode)
	}
	text, err := io.ReadAll(page.Body)
	page.Body.Close()
	form := regexp.MustCompile(`action="([^"]*)"`).FindSubmatch(text)
	if err != nil || form == nil {
		t.Fatalf("no form in the page of users, %v:\n%s", err, text)
	}
	action, err := page.Request.URL.Parse(html.UnescapeString(string(form[1])))
	if err != nil {
		t.Fatal(err)
	}
	reply, err := client.PostForm(action.String(), url.Values{"user": {user}})
	if err != nil {
		t.Fatal(err)
	}
	if reply.StatusCode != http.StatusSeeOther {
		t.Fatalf("choosing: status %v", reply.StatusCode)
	}
	reply.Body.Close()
	back, err := reply.Location()
	if err != nil || !strings.HasPrefix(back.String(), redirect+"?") || back.Query().Get("state") != "the-state" {
		t.Fatalf("redirected to %v, error %v", back, err)
	}
	return back.Query()
}

// TestLogin logs in as each user, with a client library that knows nothing of
// this provider.
//
// clause: E-31
func TestLogin(t *testing.T) {
	t.Parallel()
	p, c := start(t, nil)
	for _, user := range devidp.Users() {
		verifier := oauth2.GenerateVerifier()
		code := choose(t, c, user.Subject, verifier).Get("code")
		tokens, err := c.Exchange(t.Context(), code, oauth2.VerifierOption(verifier))
		if err != nil {
			t.Fatalf("%s: %v", user.Subject, err)
		}
		raw, _ := tokens.Extra("id_token").(string)
		id, err := p.Verifier(&oidc.Config{ClientID: "broker"}).Verify(t.Context(), raw)
		if err != nil {
			t.Fatalf("%s: %v", user.Subject, err)
		}
		var claims struct {
			VopersonID string `json:"voperson_id"`
		}
		if err := id.Claims(&claims); err != nil {
			t.Fatal(err)
		}
		if id.Subject != user.Subject || id.Nonce != "the-nonce" || claims.VopersonID != user.VopersonID {
			t.Errorf("%s: sub %q, nonce %q, voperson_id %q", user.Subject, id.Subject, id.Nonce, claims.VopersonID)
		}
		if _, err := c.Exchange(t.Context(), code, oauth2.VerifierOption(verifier)); err == nil {
			t.Errorf("%s: the code was redeemed twice", user.Subject)
		}
	}
	if got := choose(t, c, "", oauth2.GenerateVerifier()); got.Get("error") != "access_denied" || got.Has("code") {
		t.Errorf("refusing gives %v", got)
	}
}

// TestCode sees that a code is for its verifier and for a minute.
func TestCode(t *testing.T) {
	t.Parallel()
	clock := time.Now()
	_, c := start(t, func(o *devidp.Options) { o.Now = func() time.Time { return clock } })
	code := choose(t, c, "member", oauth2.GenerateVerifier()).Get("code")
	if _, err := c.Exchange(t.Context(), code, oauth2.VerifierOption(oauth2.GenerateVerifier())); err == nil {
		t.Error("another verifier redeems the code")
	}
	for age, want := range map[time.Duration]bool{time.Minute - time.Nanosecond: true, time.Minute: false} {
		verifier := oauth2.GenerateVerifier()
		code := choose(t, c, "member", verifier).Get("code")
		clock = clock.Add(age)
		if _, err := c.Exchange(t.Context(), code, oauth2.VerifierOption(verifier)); (err == nil) != want {
			t.Errorf("after %s: error %v, want it redeemed: %t", age, err, want)
		}
	}
}

// TestIssuer refuses to be anywhere but on loopback.
//
// clause: E-31
func TestIssuer(t *testing.T) {
	t.Parallel()
	for issuer, want := range map[string]bool{
		"http://127.0.0.1:8084": true, "http://127.8.8.8:1": true, "http://[::1]:8084": true,
		"https://127.0.0.1:8084": false, "http://localhost:8084": false, "http://10.0.0.1:8084": false, "http://0.0.0.0:8084": false,
		"http://127.0.0.1": false, "http://127.0.0.1:8084/": false, "http://127.0.0.1:8084/x": false, "http://127.0.0.1.example.org:8084": false,
		"http://a@127.0.0.1:8084": false, "http://127.0.0.1:8084?x": false, "http://[::ffff:127.0.0.1]:8084": true, "": false, "http://2130706433:1": false,
	} {
		_, err := devidp.New(devidp.Options{Issuer: issuer, ClientID: "broker", Redirect: redirect})
		if (err == nil) != want {
			t.Errorf("issuer %q: error %v, want it taken: %t", issuer, err, want)
		}
	}
}

// TestFault sees that a test can make the provider lie.
func TestFault(t *testing.T) {
	t.Parallel()
	p, c := start(t, func(o *devidp.Options) {
		o.Fault = func() devidp.Fault {
			return devidp.Fault{Claims: func(claims map[string]any) { claims["aud"] = "another" }}
		}
	})
	verifier := oauth2.GenerateVerifier()
	tokens, err := c.Exchange(t.Context(), choose(t, c, "member", verifier).Get("code"), oauth2.VerifierOption(verifier))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Verifier(&oidc.Config{ClientID: "broker"}).Verify(t.Context(), tokens.Extra("id_token").(string)); err == nil {
		t.Error("the token for another verifies")
	}
}

// TestHost refuses who comes by another name, which may be a page of others.
//
// clause: E-31
func TestHost(t *testing.T) {
	t.Parallel()
	provider, err := devidp.New(devidp.Options{Issuer: "http://127.0.0.1:8084", ClientID: "broker", Redirect: redirect})
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]int{
		"127.0.0.1:8084": http.StatusOK, "evil.test:8084": http.StatusForbidden, "127.0.0.1": http.StatusForbidden, "": http.StatusForbidden,
	} {
		w, r := httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/jwks", nil)
		r.Host = host
		if provider.ServeHTTP(w, r); w.Code != want {
			t.Errorf("%q: status %d, want %d", host, w.Code, want)
		}
	}
}

// TestRequest refuses what a broker should not ask.
func TestRequest(t *testing.T) {
	t.Parallel()
	_, c := start(t, nil)
	right, err := url.Parse(c.AuthCodeURL("s", oidc.Nonce("n"), oauth2.S256ChallengeOption(oauth2.GenerateVerifier())))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"client_id": "another", "redirect_uri": redirect + "/", "response_type": "token", "code_challenge_method": "plain",
		"state": "", "nonce": "", "code_challenge": "short",
	} {
		q := right.Query()
		q.Set(name, value)
		target := *right
		target.RawQuery = q.Encode()
		reply, err := http.Get(target.String())
		if err != nil {
			t.Fatal(err)
		}
		reply.Body.Close()
		if reply.StatusCode != http.StatusBadRequest {
			t.Errorf("%s=%s: status %d, want 400", name, value, reply.StatusCode)
		}
	}
}
