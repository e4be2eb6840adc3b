package access

import (
	"net/http"
	"time"
)

// endOfCookies is when a browser forgets a cookie that it should not have.
var endOfCookies = time.Unix(1, 0)

// cookieName is the name of the session's cookie. Where it is encrypted, the
// name binds it to this very host.
func (s *Service) cookieName() string {
	if s.secure {
		return "__Host-pharos_session"
	}
	return "pharos_session"
}

// cookie is the cookie of a session's secret, which only this origin's requests
// carry and no script reads.
func (s *Service) cookie(secret string, expires time.Time) *http.Cookie {
	return &http.Cookie{
		Name: s.cookieName(), Value: secret, Path: "/", Expires: expires,
		Secure: s.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
}

// SetCookie is the header that gives a browser the session which begins.
func (s *Service) SetCookie(g Grant) string { return s.cookie(g.Cookie, g.ExpiresAt).String() }

// ClearCookie is the header that takes a session from its browser.
func (s *Service) ClearCookie() string { return s.cookie("", endOfCookies).String() }
