package web_test

import (
	"net/http"
	"net/url"
	"testing"
)

// TestLogin: who cannot log in is told one thing, and after too many attempts to
// wait; a login gives a new session.
//
// clause: P-47
func TestLogin(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	if err := l.config.Accounts.SetActive(t.Context(), "other", false); err != nil {
		t.Fatal(err)
	}
	b := l.anonymous()
	s := b.must("/login/")
	for _, who := range []string{"gm", "nobody", "other", "Odd Name"} {
		got := b.submit(s, "/login/", map[string][]string{"username": one(who), "password": one("a wrong password")})
		got.is(http.StatusUnauthorized).says("The user name or the password is not right, or the account is inactive.").hides("a wrong password")
		if kept := got.form("/login/").Get("username"); kept != who {
			t.Errorf("the name came back as %q", kept)
		}
	}
	b.submit(s, "/login/", nil).is(http.StatusUnprocessableEntity)
	got := b.submit(s, "/login/", map[string][]string{"username": one("player"), "password": one(password)}).is(http.StatusOK)
	first := b.cookies["pharos_login"]
	if got.path != "/plays/" || first == "" {
		t.Errorf("the login leads to %s", got.path)
	}
	if got := b.open("/login/"); got.path != "/plays/" {
		t.Errorf("who is logged in comes to %s", got.path)
	}
	b.show(http.MethodPost, "/login/", url.Values{"username": one("player"), "password": one(password)})
	if b.cookies["pharos_login"] == first {
		t.Error("a second login keeps the session")
	}
	if _, err := l.config.Accounts.Session(t.Context(), first); err == nil {
		t.Error("the session before is still good")
	}
	for range 30 {
		if got = b.submit(s, "/login/", map[string][]string{"username": one("gm"), "password": one("a wrong password")}); got.status == http.StatusTooManyRequests {
			break
		}
	}
	got.is(http.StatusTooManyRequests).says("too many attempts")
	if got.header.Get("Retry-After") == "" {
		t.Error("when to try again is not said")
	}
	// An account that is deactivated loses its session at once.
	if err := l.config.Accounts.SetActive(t.Context(), "player", false); err != nil {
		t.Fatal(err)
	}
	b.open("/plays/").says("Log in")
}

// TestNext: a login leads back to a page of this site and to no other.
func TestNext(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for next, want := range map[string]string{
		"/wiki/?q=a": "/wiki/?q=a", "https://evil.example/": "/plays/", "//evil.example": "/plays/", "/\\evil.example": "/plays/", "": "/plays/",
	} {
		b := l.anonymous()
		s := b.must("/login/?next=" + url.QueryEscape(next))
		if got := b.submit(s, "/login/", map[string][]string{"username": one("gm"), "password": one(password)}).path; got != want {
			t.Errorf("next %q leads to %s, want %s", next, got, want)
		}
	}
}

// TestLanguage: a browser's language holds until somebody chooses one, and an
// account's over both.
//
// clause: P-46, P-53
func TestLanguage(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	in := func(s *screen, want string) *screen {
		t.Helper()
		if got := s.header.Get("Content-Language"); got != want {
			t.Errorf("%s is in %q, want %q", s.path, got, want)
		}
		return s
	}
	b := l.anonymous()
	b.accept = "de, pl;q=0.9, en;q=0.5"
	s := in(b.must("/login/?next=%2Fwiki%2F"), "pl")
	s = in(b.submit(s, "/language/", map[string][]string{"language": one("en")}), "en")
	if got := s.form("/login/").Get("next"); got != "/wiki/" {
		t.Errorf("after the language, next is %q", got)
	}
	in(b.open("/nothing"), "en")
	s = in(b.submit(s, "/login/", map[string][]string{"username": one("gm"), "password": one(password)}), "en")
	s = in(b.submit(s, "/language/", map[string][]string{"language": one("pl")}), "pl").says("Zmieniono język.")
	if s.path != "/wiki/?done=language" {
		t.Errorf("the language leads to %s", s.path)
	}
	other := l.as("gm", "pl") // as the account says now, whatever the browser does
	other.accept = "en"
	in(other.must("/plays/"), "pl")
	in(other.submit(other.must("/account/"), "/language/", map[string][]string{"language": one("en")}), "en")
	other.show(http.MethodPost, "/language/", url.Values{"language": one("de"), "back": one("/plays/")}).is(http.StatusBadRequest)
	for _, back := range []string{"//evil.example", "https://evil.example", "\\\\evil.example"} {
		if got := other.show(http.MethodPost, "/language/", url.Values{"language": one("en"), "back": one(back)}).path; got != "/plays/" {
			t.Errorf("back to %q leads to %s", back, got)
		}
	}
}

// TestBearer: where a bearer stands beside it, a login counts for nothing.
//
// clause: P-48
func TestBearer(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	b := l.as("gm", "en")
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://play.test/plays/", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer x")
	if res := b.send(r); res.StatusCode != http.StatusSeeOther || res.Header.Get("Location") != "/login/?next=%2Fplays%2F" {
		t.Errorf("%d, to %s", res.StatusCode, res.Header.Get("Location"))
	}
}
