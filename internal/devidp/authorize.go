package devidp

import (
	"crypto/rand"
	_ "embed"
	"html/template"
	"net/http"
	"net/url"
)

//go:embed choose.html
var chooseHTML string

var choosePage = template.Must(template.New("choose").Parse(chooseHTML))

// request is what a client asks of the authorization endpoint.
type request struct{ state, nonce, challenge string }

// requestOf reads a request and answers one that is wrong. A provider that
// redirected errors would hide a developer's mistake.
func (p *Provider) requestOf(w http.ResponseWriter, q url.Values) (request, bool) {
	for name, want := range map[string]string{
		"client_id": p.ClientID, "redirect_uri": p.Redirect, "response_type": "code", "code_challenge_method": "S256",
	} {
		if q.Get(name) != want {
			http.Error(w, "devidp: "+name+" must be "+want, http.StatusBadRequest)
			return request{}, false
		}
	}
	r := request{q.Get("state"), q.Get("nonce"), q.Get("code_challenge")}
	if r.state == "" || r.nonce == "" || len(r.challenge) != 43 {
		http.Error(w, "devidp: state, nonce and an S256 code_challenge are needed", http.StatusBadRequest)
		return request{}, false
	}
	return r, true
}

// ask shows who there is to be.
func (p *Provider) ask(w http.ResponseWriter, r *http.Request) {
	if _, ok := p.requestOf(w, r.URL.Query()); !ok {
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	// A plain text would be encoded as one value of the query.
	action := template.URL("/authorize?" + r.URL.RawQuery)
	_ = choosePage.Execute(w, map[string]any{"Users": p.Users, "Action": action})
}

// choose ends the login as the chosen user and sends the browser back.
func (p *Provider) choose(w http.ResponseWriter, r *http.Request) {
	asked, ok := p.requestOf(w, r.URL.Query())
	if !ok {
		return
	}
	answer := url.Values{"state": {asked.state}}
	switch user, known := p.user(r.PostFormValue("user")); {
	case r.PostFormValue("user") == "": // the button that refuses
		answer.Set("error", "access_denied")
	case !known:
		http.Error(w, "devidp: there is no such user", http.StatusBadRequest)
		return
	default:
		code := rand.Text()
		if !p.keep(code, login{user, asked.nonce, asked.challenge, p.Now().Add(codeTime)}) {
			http.Error(w, "devidp: too many logins wait", http.StatusServiceUnavailable)
			return
		}
		answer.Set("code", code)
	}
	http.Redirect(w, r, p.Redirect+"?"+answer.Encode(), http.StatusSeeOther)
}

func (p *Provider) user(subject string) (User, bool) {
	for _, u := range p.Users {
		if u.Subject == subject {
			return u, true
		}
	}
	return User{}, false
}

// keep remembers a login under its code unless too many wait.
func (p *Provider) keep(code string, l login) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.Now()
	for old, l := range p.codes {
		if !now.Before(l.expires) {
			delete(p.codes, old)
		}
	}
	if len(p.codes) >= maxCodes {
		return false
	}
	p.codes[code] = l
	return true
}
