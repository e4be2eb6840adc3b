package web

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/pharos-mcp/pharos/services/play/web/words"
)

// languageCookie keeps the language that somebody chose before they log in.
func (s *Site) languageCookie() string {
	if s.config.Secure {
		return "__Host-pharos_language"
	}
	return "pharos_language"
}

// languageAge is a year.
const languageAge = 365 * 24 * 60 * 60

// languageOf is the language of a request by somebody who is not known: the one
// that was chosen, else the one that the browser asks for.
func (s *Site) languageOf(r *http.Request) *words.Words {
	if cookie, err := r.Cookie(s.languageCookie()); err == nil && words.Known(cookie.Value) {
		return words.For(cookie.Value)
	}
	return words.Match(strings.Join(r.Header.Values("Accept-Language"), ","))
}

// changeLanguage answers the form that every page has.
func (v *visit) changeLanguage() error {
	tag := v.form.Get("language")
	if !words.Known(tag) {
		return formError{http.StatusBadRequest}
	}
	if v.who != nil {
		if err := v.config.Accounts.SetLanguage(v.r.Context(), v.who.ID, tag); err != nil {
			return err
		}
	}
	http.SetCookie(v.w, &http.Cookie{
		Name: v.languageCookie(), Value: tag, Path: "/", MaxAge: languageAge, HttpOnly: true,
		Secure: v.config.Secure, SameSite: http.SameSiteLaxMode,
	})
	back := local(v.form.Get("back"), "/")
	u, err := url.Parse(back)
	if err != nil {
		return v.see("/")
	}
	if v.who != nil {
		query := u.Query()
		query.Set("done", "language")
		u.RawQuery = query.Encode()
	}
	return v.see(u.String())
}
