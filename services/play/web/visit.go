package web

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/account"
	"github.com/pharos-mcp/pharos/services/play/login"
	"github.com/pharos-mcp/pharos/services/play/web/words"
)

// visit is one request, and who makes it.
type visit struct {
	*Site
	w     http.ResponseWriter
	r     *http.Request
	words *words.Words
	who   *account.Account // nil: nobody is logged in
	query url.Values
	form  url.Values // of a POST; lines end in \n
	route route
}

// serve answers a request to a route.
func (s *Site) serve(w http.ResponseWriter, r *http.Request, to route) {
	v := &visit{Site: s, w: w, r: r, words: s.languageOf(r), route: to}
	if err := v.enter(); err != nil {
		v.fail(err)
		return
	}
	if v.who == nil && !to.open {
		v.strange()
		return
	}
	if err := to.handle(v); err != nil {
		v.fail(err)
	}
}

// Refuse answers a request with the page for a status, as the handlers around
// the pages may have to.
func (s *Site) Refuse(w http.ResponseWriter, r *http.Request, status int) {
	s.protect(w.Header())
	v := &visit{Site: s, w: w, r: r, words: s.languageOf(r)}
	_ = v.identify() // a page that refuses needs nobody
	v.message(status, statusMessage(&v.words.Errors, status), "")
}

// enter reads what was sent and finds out who sent it.
func (v *visit) enter() error {
	query, err := url.ParseQuery(v.r.URL.RawQuery)
	if err != nil || !clean(query) || !plain(v.r.URL.Path) {
		return fault.New(fault.Invalid, "the address is not text")
	}
	v.query = query
	if v.r.Method == http.MethodPost {
		if err := login.Check(v.r); err != nil {
			return err
		}
		if v.form, err = readForm(v.w, v.r); err != nil {
			return err
		}
	}
	return v.identify()
}

// identify finds the account of the session that the browser shows, if any,
// and takes its language.
func (v *visit) identify() error {
	cookie := login.From(v.r, v.config.Secure)
	if cookie == "" {
		return nil
	}
	who, err := v.config.Accounts.Session(v.r.Context(), cookie)
	if fault.CodeOf(err) == fault.Unauthenticated {
		return nil
	}
	if err != nil {
		return err
	}
	v.who, v.words = &who, words.For(who.Language)
	return nil
}

// strange answers somebody who has to log in first. What a form held is kept
// on the page, to be sent once they have.
func (v *visit) strange() {
	if v.r.Method != http.MethodPost {
		next := v.r.URL.RequestURI()
		v.see("/login/?" + url.Values{"next": {next}}.Encode())
		return
	}
	v.message(http.StatusUnauthorized, v.words.Errors.LoggedOut, "")
}

// see sends the browser to another page.
func (v *visit) see(path string) error {
	// Not http.Redirect: it writes a body, and it cleans the path.
	v.w.Header().Set("Location", path)
	v.w.WriteHeader(http.StatusSeeOther)
	return nil
}

// done sends the browser to a page that says what has been done.
func (v *visit) done(path, notice string) error { return v.see(path + "?done=" + notice) }

// local gives an address of these pages, or another where it is none.
func local(path, otherwise string) string {
	u, err := url.Parse(path)
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil ||
		!strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") ||
		strings.ContainsAny(path, "\\\r\n\t") {
		return otherwise
	}
	return path
}
