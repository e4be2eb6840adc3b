package live_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/live"
)

var addresses = map[string]string{
	"/": "text/html", "/healthz": "text/plain", "/assets/live.css": "text/css", "/assets/live.js": "text/javascript",
	"/assets/feed.js": "text/javascript", "/assets/lists.js": "text/javascript", "/assets/orbit.js": "text/javascript",
	"/assets/scene.js": "text/javascript", "/assets/faces.js": "text/javascript",
	"/assets/three/three.module.min.js": "text/javascript", "/assets/three/three.core.min.js": "text/javascript",
	"/assets/three/LICENSE": "text/plain",
}

// TestPages: everything is there to be read, names no other place, and says that
// nothing else may be loaded or run.
func TestPages(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	cookie := s.enter(t)
	for address, mediaType := range addresses {
		w := s.ask(http.MethodGet, address, cookie)
		body := w.Body.String()
		if w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Type"), mediaType) || body == "" {
			t.Errorf("%s: %d, %s", address, w.Code, w.Header().Get("Content-Type"))
		}
		secured(t, address, w)
		if strings.Contains(address, "/three/") {
			continue
		}
		if foreign := regexp.MustCompile(`(?:https?:)?//[\w.-]+\.\w`).FindAllString(body, -1); foreign != nil {
			t.Errorf("%s names %q", address, foreign)
		}
		if regexp.MustCompile(` style=| on\w+="|<script>|<style|innerHTML|eval\(`).MatchString(body) {
			t.Errorf("%s has what its policy forbids", address)
		}
		for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodPatch} {
			if w := s.ask(method, address, cookie); w.Code != http.StatusMethodNotAllowed {
				t.Errorf("%s %s: %d", method, address, w.Code)
			}
		}
	}
	for _, address := range []string{"/assets/", "/assets/live.html", "/assets/three/", "/api/v1/columns/1", "/api/v1/", "/x"} {
		if w := s.ask(http.MethodGet, address, cookie); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", address, w.Code)
		}
	}
}

// secured checks what every answer says.
func secured(t *testing.T, address string, w *httptest.ResponseRecorder) {
	t.Helper()
	policy := w.Header().Get("Content-Security-Policy")
	if !strings.HasPrefix(policy, "default-src 'none'; script-src 'self'; style-src 'self'; ") || strings.Contains(policy, "unsafe") ||
		strings.Contains(policy, "*") || !strings.Contains(policy, "frame-ancestors 'none'") {
		t.Errorf("%s: policy %q", address, policy)
	}
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store",
		"Cross-Origin-Resource-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin",
	} {
		if got := w.Header().Get(name); got != want {
			t.Errorf("%s: %s is %q", address, name, got)
		}
	}
}

// TestElements: whatever a script takes by its id is on the page.
func TestElements(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	cookie := s.enter(t)
	page := s.ask(http.MethodGet, "/", cookie).Body.String()
	scripts := s.ask(http.MethodGet, "/assets/live.js", nil).Body.String() + s.ask(http.MethodGet, "/assets/lists.js", nil).Body.String()
	named := regexp.MustCompile(`\bbyId\('(\w+)'\)`).FindAllStringSubmatch(scripts, -1)
	if len(named) < 10 {
		t.Errorf("the scripts name %d elements", len(named))
	}
	for _, id := range named {
		if strings.Count(page, `id="`+id[1]+`"`) != 1 {
			t.Errorf("there is no %q", id[1])
		}
	}
	moves := s.ask(http.MethodGet, "/assets/orbit.js", nil).Body.String()
	for _, move := range regexp.MustCompile(`data-move="(\w+)"`).FindAllStringSubmatch(page, -1) {
		if move[1] != "home" && !strings.Contains(moves, "case '"+move[1]+"':") {
			t.Errorf("there is no move %q", move[1])
		}
	}
}

// TestLink: it lets in one browser and is replaced; looking at it uses nothing up.
func TestLink(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	link := s.Link()
	for _, wrong := range []string{"/enter", "/enter?token=", link + "x", link[:len(link)-1], strings.ToLower(link)} {
		if w := s.ask(http.MethodGet, wrong, nil); w.Code != http.StatusForbidden || len(w.Result().Cookies()) > 0 {
			t.Errorf("%s: %d", wrong, w.Code)
		}
	}
	if w := s.ask(http.MethodHead, link, nil); w.Code != http.StatusMethodNotAllowed || s.Link() != link {
		t.Errorf("HEAD: %d", w.Code)
	}
	cookie := s.enter(t)
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode || cookie.Path != "/" || cookie.Value == "" {
		t.Errorf("the cookie is %v", cookie)
	}
	next := s.Link()
	if got := s.links(); next == link || len(got) != 1 || got[0] != next {
		t.Errorf("after %s it is %s, and told is %q", link, next, got)
	}
	if w := s.ask(http.MethodGet, link, nil); w.Code != http.StatusForbidden {
		t.Errorf("a second time: %d", w.Code)
	}
	if w := s.ask(http.MethodGet, link, cookie); w.Code != http.StatusSeeOther || s.Link() != next {
		t.Errorf("a second time by who is in: %d", w.Code)
	}
	if strings.Contains(cookie.Value, link) || strings.Contains(link, cookie.Value) {
		t.Error("the cookie is the token")
	}
}

// TestSessions: sixteen browsers are let in; one more, and the first is out.
func TestSessions(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	var cookies []*http.Cookie
	in := func(i int) bool { return s.ask(http.MethodGet, "/", cookies[i]).Code == http.StatusOK }
	for range 16 {
		cookies = append(cookies, s.enter(t))
	}
	if !in(0) || !in(15) {
		t.Error("one of sixteen is out")
	}
	cookies = append(cookies, s.enter(t))
	if in(0) || !in(1) || !in(16) {
		t.Errorf("of seventeen these are in: %t, %t, %t", in(0), in(1), in(16))
	}
}

// TestLocked: without the cookie there is a page that says so, and nothing of the
// world.
func TestLocked(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	for _, cookie := range []*http.Cookie{nil, {Name: "pharos_world_live", Value: "x"}, {Name: "other", Value: s.enter(t).Value}} {
		for _, address := range []string{"/", "/api/v1/events", "/api/v1/columns/0/0"} {
			w := s.ask(http.MethodGet, address, cookie)
			if w.Code != http.StatusUnauthorized || strings.Contains(w.Body.String(), "canvas") {
				t.Errorf("%s: %d", address, w.Code)
			}
			secured(t, address, w)
		}
	}
}

// TestOthers: another site's page that found its way here sees nothing, even with
// the browser's cookie.
func TestOthers(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	cookie := s.enter(t)
	for name, value := range map[string]string{"Host": "evil.example", "Origin": "http://127.0.0.1:8083", "Sec-Fetch-Site": "same-site"} {
		for _, address := range []string{"/api/v1/columns/0/0", "/api/v1/events"} {
			r := httptest.NewRequest(http.MethodGet, address, nil)
			r.Host = "127.0.0.1:8768"
			r.AddCookie(cookie)
			r.Header.Set(name, value)
			if name == "Host" {
				r.Host = value
			}
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			if w.Code != http.StatusForbidden {
				t.Errorf("%s, %s %s: %d", address, name, value, w.Code)
			}
			secured(t, address, w)
		}
	}
	r := httptest.NewRequest(http.MethodGet, "/api/v1/columns/0/0", nil)
	r.Host = "127.0.0.1:8768"
	r.AddCookie(cookie)
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	w := httptest.NewRecorder()
	if s.ServeHTTP(w, r); w.Code != http.StatusOK {
		t.Errorf("our own page: %d", w.Code)
	}
}

// TestDefaults: what is not said has a value of its own.
func TestDefaults(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(c *live.Config) { c.View, c.Poll, c.Taken = 0, 0, nil })
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	var hello struct {
		View int
		Home [3]int32
	}
	s.listen(t, server, s.enter(t)).next("hello", &hello)
	if hello.View != 6 || hello.Home != [3]int32{0, 65, 0} {
		t.Errorf("hello %+v", hello)
	}
}
