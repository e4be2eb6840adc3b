package web_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/services/play/web"
)

// TestForms: a form is one of text, of one type and no larger than the largest
// that a page has.
//
// clause: P-46
func TestForms(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	b := l.as("gm", "en")
	send := func(body, media string, header map[string]string) *screen {
		t.Helper()
		r := httptest.NewRequest(http.MethodPost, "http://play.test/wiki/new/", io.MultiReader(strings.NewReader(body))) // of no length
		r.Header.Set("Content-Type", media)
		for name, value := range header {
			r.Header.Set(name, value)
		}
		s := newScreen(t, "/wiki/new/", b.send(r))
		s.sound()
		return s
	}
	const form = "application/x-www-form-urlencoded"
	send("id=A", form+"; charset=utf-8", nil).is(http.StatusUnprocessableEntity)
	for _, media := range []string{"", "multipart/form-data; boundary=x", "application/json", "text/plain", form + "x", ";"} {
		send("id=a&title=b", media, nil).is(http.StatusUnsupportedMediaType)
	}
	for _, body := range []string{"id=a%00", "title=%ff", "%00=a", "a=%ed%a0%80", "a=%zz", "a;b", "title=\xff", "id=a&title=b&title=b", "id=a&title=b&id="} {
		send(body, form, nil).is(http.StatusBadRequest)
	}
	fill := "id=A&body=" + strings.Repeat("a", 1<<20-len("id=A&body="))
	send(fill, form, nil).is(http.StatusUnprocessableEntity)
	send(fill+"a", form, nil).is(http.StatusRequestEntityTooLarge)
	for name, header := range map[string]map[string]string{
		"another site":            {"Sec-Fetch-Site": "cross-site"},
		"another host":            {"Sec-Fetch-Site": "same-site"},
		"the origin of another":   {"Origin": "https://evil.example"},
		"no origin":               {"Origin": "null"},
		"the origin of a subpart": {"Origin": "http://x.play.test"},
	} {
		if s := send("id=a&title=b", form, header); s.status != http.StatusForbidden {
			t.Errorf("a form of %s: %d", name, s.status)
		}
	}
	if _, err := l.config.Wiki.Read(t.Context(), l.people["gm"].ID, "a"); err == nil {
		t.Error("a refused form made a page")
	}
	send("id=a&title=b", form, map[string]string{"Origin": "http://play.test"}).is(http.StatusSeeOther)
}

// TestSlowForm: a form has a time to arrive in.
func TestSlowForm(t *testing.T) {
	if testing.Short() {
		t.Skip("takes ten seconds")
	}
	t.Parallel()
	l := newLab(t)
	server := httptest.NewServer(l.site)
	t.Cleanup(server.Close)
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	if _, err := fmt.Fprintf(conn, "POST /login/ HTTP/1.1\r\nHost: play.test\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\na=b"); err != nil {
		t.Fatal(err)
	}
	begun := time.Now()
	answer, err := io.ReadAll(conn)
	if took := time.Since(begun); err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 408 ") || took < 9*time.Second || took > 20*time.Second {
		t.Errorf("after %v: %v, %.200s", took, err, answer)
	}
}

// TestAssets: the style and the icon may be kept for ever, as their names change
// with them.
func TestAssets(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	b := l.anonymous()
	found := 0
	for n := range b.must("/login/").all("link") {
		found++
		r := httptest.NewRequest(http.MethodGet, "http://play.test"+attr(n, "href"), nil)
		res := b.send(r)
		if res.StatusCode != http.StatusOK || res.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" ||
			len(res.Cookies()) > 0 || res.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %v", attr(n, "href"), res.StatusCode, res.Header)
		}
		r.Method = http.MethodPost
		if res := b.send(r); res.StatusCode != http.StatusMethodNotAllowed {
			t.Errorf("a POST to %s: %d", attr(n, "href"), res.StatusCode)
		}
	}
	if found != 2 {
		t.Errorf("%d files", found)
	}
}

// TestDown: without its database, a page says so, and offers the same form
// again; nothing internal is shown.
//
// clause: P-35
func TestDown(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	p := l.play("")
	b := l.as("gm", "pl")
	s := b.must("/wiki/new/")
	l.pool.Close()
	for _, path := range []string{"/plays/", p.url(), "/wiki/"} {
		got := b.open(path)
		if got.status != http.StatusInternalServerError && got.status != http.StatusServiceUnavailable {
			t.Errorf("%s: %d", path, got.status)
		}
		got.hides("closed pool", "pgx", "SELECT")
	}
	got := b.submit(s, "/wiki/new/", map[string][]string{"id": one("lore"), "title": one("Typed <text>")})
	if got.status == http.StatusServiceUnavailable && got.form("/wiki/new/").Get("title") != "Typed <text>" {
		t.Error("what was typed is lost")
	}
	b.open("/login/").hides("pgx")
}

// TestBusy: a form that met a lock is offered again as it was, and works then.
//
// clause: P-26, P-35
func TestBusy(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	b := l.as("gm", "en")
	s := b.must("/wiki/new/")
	held, err := l.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = held.Rollback(context.WithoutCancel(t.Context())) }() // the pool waits for it
	if _, err := held.Exec(t.Context(), "LOCK TABLE play.wiki_page IN ACCESS EXCLUSIVE MODE"); err != nil {
		t.Fatal(err)
	}
	text := "Typed <text>\nof two lines"
	s = b.submit(s, "/wiki/new/", map[string][]string{"id": one("lore"), "title": one("Lore"), "body": one(text)})
	s.is(http.StatusServiceUnavailable).says("Send it again", "nothing was changed")
	if s.header.Get("Retry-After") == "" || s.form("/wiki/new/").Get("body") != text {
		t.Errorf("the form came back as %v", s.form("/wiki/new/"))
	}
	if err := held.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.submit(s, "/wiki/new/", nil).is(http.StatusOK).says("Created.", "Typed <text>")
}

// TestLoggedOut: a form that was sent after the session had ended is not lost:
// it is sent again after a login.
func TestLoggedOut(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	b := l.as("gm", "en")
	s := b.must("/wiki/new/")
	if err := l.config.Accounts.Logout(t.Context(), b.cookies["pharos_login"]); err != nil {
		t.Fatal(err)
	}
	s = b.submit(s, "/wiki/new/", map[string][]string{"id": one("lore"), "title": one("Lore")}).is(http.StatusUnauthorized)
	b.submit(b.must("/login/"), "/login/", map[string][]string{"username": one("gm"), "password": one(password)}) // in a new tab
	b.submit(s, "/wiki/new/", nil).is(http.StatusOK).says("Created.")
}

// TestRefuse: what stands around the pages can refuse with them, under the same
// policy.
func TestRefuse(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for _, status := range []int{400, 403, 404, 405, 408, 409, 413, 415, 422, 429, 500, 503, 504} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodPost, "http://play.test/plays/new/", nil)
		r.Header.Set("Accept-Language", "pl")
		l.site.Refuse(w, r, status)
		s := newScreen(t, fmt.Sprint(status), w.Result())
		s.is(status)
		s.safe()
		for n := range s.all("form") {
			if attr(n, "action") != "/language/" {
				t.Errorf("%d offers a form to %s", status, attr(n, "action"))
			}
		}
	}
}

// TestSecure: under TLS, cookies are bound to the host, and HTTPS is remembered.
//
// clause: P-47
func TestSecure(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for _, secure := range []bool{false, true} {
		config := l.config
		config.Secure = secure
		site := web.New(config)
		r := httptest.NewRequest(http.MethodPost, "http://play.test/login/", strings.NewReader("username=gm&password="+strings.ReplaceAll(password, " ", "+")))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		site.ServeHTTP(w, r)
		cookie, hsts := w.Result().Header.Get("Set-Cookie"), w.Result().Header.Get("Strict-Transport-Security")
		if w.Code != http.StatusSeeOther || strings.HasPrefix(cookie, "__Host-") != secure || strings.Contains(cookie, "; Secure") != secure ||
			!strings.Contains(cookie, "; HttpOnly; ") || !strings.Contains(cookie, "SameSite=Lax") || (hsts != "") != secure {
			t.Errorf("secure %v: %d, %q, %q", secure, w.Code, cookie, hsts)
		}
	}
}
