package broker

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"strings"
)

// cookieName is the cookie that binds a request to the browser that began it.
// Each request has its own, so that two tabs do not disturb each other. The tag
// grows from the handle and travels in the upstream state, to find it again.
func (b *Broker) cookieName(tag string) string {
	if strings.HasPrefix(b.config.Issuer, "https://") {
		return "__Host-pharos-" + tag
	}
	return "pharos-" + tag // without TLS a browser takes no __Host- cookie
}

func tagOf(handle string) string {
	sum := sha256.Sum256([]byte("tag " + handle))
	return hex.EncodeToString(sum[:4])
}

func (b *Broker) setBinding(w http.ResponseWriter, handle, binding string) {
	http.SetCookie(w, &http.Cookie{
		Name: b.cookieName(tagOf(handle)), Value: binding, Path: "/", MaxAge: int(requestTime.Seconds()),
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: strings.HasPrefix(b.config.Issuer, "https://"),
	})
}

func (b *Broker) clearBinding(w http.ResponseWriter, tag string) {
	http.SetCookie(w, &http.Cookie{
		Name: b.cookieName(tag), Path: "/", MaxAge: -1,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: strings.HasPrefix(b.config.Issuer, "https://"),
	})
}

// binding is the cookie's value under a tag, or "".
func (b *Broker) binding(r *http.Request, tag string) string {
	c, err := r.Cookie(b.cookieName(tag))
	if err != nil {
		return ""
	}
	return c.Value
}

// consent takes the answer of the page. It counts only from the browser that
// was asked: the form's handle and the cookie belong together.
func (b *Broker) consent(w http.ResponseWriter, r *http.Request) {
	f, err := form(r)
	if err != nil {
		b.page(w, http.StatusBadRequest, badRequestPage(err.Error()))
		return
	}
	if !b.sameOrigin(r) {
		b.page(w, http.StatusForbidden, strangerPage)
		return
	}
	handle := f.Get("handle")
	binding := b.binding(r, tagOf(handle))
	a, err := b.store.asked(r.Context(), handle, binding, b.now())
	switch {
	case errors.Is(err, errNoRequest):
		b.page(w, http.StatusForbidden, strangerPage)
	case err != nil:
		b.unavailablePage(w, r, err)
	case f.Get("answer") == "allow":
		b.sendUpstream(w, r, handle, binding)
	default:
		if err := b.store.end(r.Context(), handle); err != nil {
			b.unavailablePage(w, r, err)
			return
		}
		b.clearBinding(w, tagOf(handle))
		b.back(w, r, a.redirect, url.Values{
			"error": {"access_denied"}, "error_description": {"the person did not allow it"}, "state": {a.state},
		})
	}
}

// sendUpstream sends an approved request to the provider that logs people in.
func (b *Broker) sendUpstream(w http.ResponseWriter, r *http.Request, handle, binding string) {
	state := prefixState + tagOf(handle) + "_" + newSecret("")
	errand := newErrand(handle)
	target, err := b.upstream.loginURL(r.Context(), state, errand)
	if err != nil {
		b.retryPage(w, r, handle, "the login service does not answer", err)
		return
	}
	sealed, err := seal(state, "errand", errand.text())
	if err != nil {
		b.unavailablePage(w, r, err)
		return
	}
	err = b.store.approve(r.Context(), approval{handle, binding, state, sealed}, b.now())
	switch {
	case errors.Is(err, errNoRequest):
		b.page(w, http.StatusForbidden, strangerPage)
		return
	case err != nil:
		b.unavailablePage(w, r, err)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Referrer-Policy", "no-referrer")
	http.Redirect(w, r, target, http.StatusSeeOther)
}

// sameOrigin reports whether a form comes from a page of the broker, as far as
// the browser says. An older one says less. Sec-Fetch-Site alone does not do: to
// a page whose own name was made to lead here, the broker is of its origin.
func (b *Broker) sameOrigin(r *http.Request) bool {
	site, origin := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Origin")
	return (site == "" || site == "same-origin") && (origin == "" || origin == b.config.Issuer)
}
