// Package login is how a browser shows its login session to play's pages and
// REST: the cookie, and what keeps pages of other origins from using it.
//
// A cookie counts only where no Authorization header stands beside it: a request
// with a bearer is judged by that alone, on every route.
package login

import (
	"net/http"

	"github.com/pharos-mcp/pharos/services/play/account"
)

// Cookie is the name of the session's cookie. Where the connection is encrypted,
// the name binds it to this very host.
func Cookie(secure bool) string {
	if secure {
		return "__Host-pharos_login"
	}
	return "pharos_login"
}

// Set is the cookie that gives a browser the session of a secret. Only requests
// of this site carry it, no script reads it, and the browser forgets it when the
// session ends for good.
func Set(secure bool, secret string) *http.Cookie {
	c := cookie(secure)
	c.Value, c.MaxAge = secret, int(account.AbsoluteTime.Seconds())
	return c
}

// Clear is the cookie that takes a session from its browser.
func Clear(secure bool) *http.Cookie {
	c := cookie(secure)
	c.MaxAge = -1
	return c
}

func cookie(secure bool) *http.Cookie {
	return &http.Cookie{
		Name: Cookie(secure), Path: "/", Secure: secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
}

// From is the secret of the session that a request shows, or "". It is "" where
// a bearer, or any other Authorization, is given: a cookie never counts there,
// not even when that fails. It is "" too where two cookies have the name, of
// which one may have been slipped in.
func From(r *http.Request, secure bool) string {
	cookies := r.CookiesNamed(Cookie(secure))
	if len(r.Header.Values("Authorization")) > 0 || len(cookies) != 1 {
		return ""
	}
	return cookies[0].Value
}
