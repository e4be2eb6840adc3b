package login_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/leak"
	"github.com/pharos-mcp/pharos/services/play/login"
)

// TestMain reads along for secrets in what the tests print.
func TestMain(m *testing.M) { os.Exit(leak.Main(m)) }

// clause: P-47
func TestCookies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cookie *http.Cookie
		header string
	}{
		{login.Set(true, "secret"), "__Host-pharos_login=secret; Path=/; Max-Age=43200; HttpOnly; Secure; SameSite=Lax"},
		{login.Set(false, "secret"), "pharos_login=secret; Path=/; Max-Age=43200; HttpOnly; SameSite=Lax"},
		{login.Clear(true), "__Host-pharos_login=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Lax"},
		{login.Clear(false), "pharos_login=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax"},
	} {
		if diff := cmp.Diff(c.header, c.cookie.String()); diff != "" {
			t.Error(diff)
		}
	}
}

// clause: P-47, P-48
func TestFrom(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cookies, authorization []string
		plain, secure          string
	}{
		"none":                         {},
		"one":                          {cookies: []string{"pharos_login=a; theme=dark"}, plain: "a"},
		"one under HTTPS":              {cookies: []string{"__Host-pharos_login=a"}, secure: "a"},
		"both":                         {cookies: []string{"pharos_login=a; __Host-pharos_login=b"}, plain: "a", secure: "b"},
		"two in one header":            {cookies: []string{"pharos_login=a; pharos_login=b"}},
		"two in two headers":           {cookies: []string{"pharos_login=a", "pharos_login=a"}},
		"beside a bearer":              {cookies: []string{"pharos_login=a; __Host-pharos_login=a"}, authorization: []string{"Bearer x"}},
		"beside an empty bearer":       {cookies: []string{"pharos_login=a; __Host-pharos_login=a"}, authorization: []string{"Bearer "}},
		"beside nothing that is named": {cookies: []string{"pharos_login=a; __Host-pharos_login=a"}, authorization: []string{""}},
		"beside Basic":                 {cookies: []string{"pharos_login=a; __Host-pharos_login=a"}, authorization: []string{"Basic eDp5"}},
		"of another part of pharos":    {cookies: []string{"pharos_session=a; __Host-pharos_session=a"}},
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header["Cookie"], r.Header["Authorization"] = c.cookies, c.authorization
		if got := login.From(r, false); got != c.plain {
			t.Errorf("%s: over HTTP %q, want %q", name, got, c.plain)
		}
		if got := login.From(r, true); got != c.secure {
			t.Errorf("%s: over HTTPS %q, want %q", name, got, c.secure)
		}
	}
}

// clause: P-40, P-47
func TestCheck(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		site, origin string
		passes       bool
	}{
		"another site":                    {"cross-site", "https://evil.example", false},
		"another host of this site":       {"same-site", "https://other.example.org", false},
		"this origin":                     {"same-origin", "https://play.example.org", true},
		"the person at the address bar":   {"none", "", true},
		"what no browser says":            {"somewhere", "", false},
		"a foreign Origin alone":          {"", "https://evil.example", false},
		"another host's Origin alone":     {"", "https://other.example.org", false},
		"another port's Origin alone":     {"", "https://play.example.org:8443", false},
		"the Origin null alone":           {"", "null", false},
		"the Origin null of another site": {"cross-site", "null", false},
		"an Origin that is no URL":        {"", "://", false},
		"the own Origin alone":            {"", "https://play.example.org", true},
		"no browser":                      {"", "", true},
	} {
		for method, changes := range map[string]bool{
			"GET": false, "HEAD": false, "OPTIONS": false, "POST": true, "PUT": true, "PATCH": true, "DELETE": true,
		} {
			r := httptest.NewRequest(method, "https://play.example.org/plays/", nil)
			if c.site != "" {
				r.Header.Set("Sec-Fetch-Site", c.site)
			}
			if c.origin != "" {
				r.Header.Set("Origin", c.origin)
			}
			want := fault.Code("")
			if changes && !c.passes {
				want = fault.Forbidden
			}
			if got := fault.CodeOf(login.Check(r)); got != want {
				t.Errorf("%s of %s: code %q, want %q", method, name, got, want)
			}
		}
	}
}
