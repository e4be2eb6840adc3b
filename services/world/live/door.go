package live

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"slices"
	"sync"
)

// cookie is the name of what a browser keeps. Browsers do not tell the ports of a
// machine apart, so it is a name that no other service has.
const cookie = "pharos_world_live"

// maxSessions is how many browsers are let in: one more, and the first has to
// open a new link.
const maxSessions = 16

// digest is what is kept of a secret.
type digest [sha256.Size]byte

// door knows who may look.
type door struct {
	mu       sync.Mutex
	token    string
	sessions []digest // in the order in which they came
}

func newDoor() *door { return &door{token: rand.Text()} }

func (d *door) link() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return "/enter?token=" + d.token
}

// redeem makes a token that is good into a session, and a new token in its place.
func (d *door) redeem(token string) (session string, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	given, want := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(d.token))
	if subtle.ConstantTimeCompare(given[:], want[:]) != 1 {
		return "", false
	}
	d.token, session = rand.Text(), rand.Text()
	d.sessions = append(d.sessions, sha256.Sum256([]byte(session)))
	if len(d.sessions) > maxSessions {
		d.sessions = slices.Delete(d.sessions, 0, 1)
	}
	return session, true
}

// admits reports whether a request has the cookie of a session.
func (d *door) admits(r *http.Request) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range r.CookiesNamed(cookie) {
		if slices.Contains(d.sessions, sha256.Sum256([]byte(c.Value))) {
			return true
		}
	}
	return false
}

// enter lets in who has the link. Who is in already is only sent on.
func (p *Page) enter(w http.ResponseWriter, r *http.Request, locked []byte) {
	if r.Method != http.MethodGet { // looking whether it is there does not use it up
		write(w, http.StatusMethodNotAllowed, text, []byte("the link is opened with GET\n"))
		return
	}
	if !p.door.admits(r) {
		session, ok := p.door.redeem(r.URL.Query().Get("token"))
		if !ok {
			write(w, http.StatusForbidden, html, locked)
			return
		}
		http.SetCookie(w, &http.Cookie{Name: cookie, Value: session, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
		if p.config.Taken != nil {
			p.config.Taken(p.Link())
		}
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// inside lets only pages of ours through that were let in.
func (p *Page) inside(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		site := r.Header.Get("Sec-Fetch-Site")
		switch {
		case r.Method != http.MethodGet:
			write(w, http.StatusMethodNotAllowed, text, []byte("it is only read\n"))
		case site != "" && site != "same-origin" && site != "none":
			write(w, http.StatusForbidden, text, []byte("another site's page may not ask\n"))
		case !p.door.admits(r):
			write(w, http.StatusUnauthorized, text, []byte("open the link that the program prints\n"))
		default:
			next(w, r)
		}
	}
}
