package web_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// browser is a browser without scripts: it keeps cookies, follows redirects
// after a form, and sends the forms that a page has.
type browser struct {
	t       *testing.T
	site    http.Handler
	cookies map[string]string
	accept  string // Accept-Language
}

// screen is what a browser shows.
type screen struct {
	t      *testing.T
	path   string // where it is
	status int
	header http.Header
	text   string // as it came
	doc    *html.Node
}

// send sends one request and follows nothing.
func (b *browser) send(r *http.Request) *http.Response {
	b.t.Helper()
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	if b.accept != "" {
		r.Header.Set("Accept-Language", b.accept)
	}
	w := httptest.NewRecorder()
	b.site.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		if b.cookies == nil {
			b.cookies = map[string]string{}
		}
		if b.cookies[c.Name] = c.Value; c.MaxAge < 0 {
			delete(b.cookies, c.Name)
		}
	}
	return w.Result()
}

// show follows redirects to a page, and holds the page to what all pages are.
func (b *browser) show(method, path string, form url.Values) *screen {
	b.t.Helper()
	for range 5 {
		r := httptest.NewRequest(method, "http://play.test"+path, nil)
		if method == http.MethodPost {
			r = httptest.NewRequest(method, "http://play.test"+path, strings.NewReader(form.Encode()))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			r.Header.Set("Sec-Fetch-Site", "same-origin")
		}
		res := b.send(r)
		if res.StatusCode == http.StatusSeeOther {
			method, path, form = http.MethodGet, res.Header.Get("Location"), nil
			if path, _, _ = strings.Cut(path, "#"); !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") {
				b.t.Fatalf("a redirect leads to %q", path)
			}
			continue
		}
		s := newScreen(b.t, path, res)
		s.sound()
		return s
	}
	b.t.Fatalf("%s redirects without end", path)
	return nil
}

// open shows a page.
func (b *browser) open(path string) *screen {
	b.t.Helper()
	return b.show(http.MethodGet, path, nil)
}

// must shows a page that is there.
func (b *browser) must(path string) *screen {
	b.t.Helper()
	s := b.open(path)
	s.is(http.StatusOK)
	return s
}

// form gives the values of the form with an action, as a browser would send
// them untouched.
func (s *screen) form(action string) url.Values {
	s.t.Helper()
	var found *html.Node
	for n := range s.all("form") {
		if attr(n, "action") == action {
			found = n
		}
	}
	if found == nil {
		s.t.Fatalf("%s (%d) has no form to %s", s.path, s.status, action)
	}
	values := url.Values{}
	for n := range found.Descendants() {
		name := attr(n, "name")
		if n.Type != html.ElementNode || name == "" {
			continue
		}
		switch kind := attr(n, "type"); {
		case n.Data == "input" && (kind == "checkbox" || kind == "radio"):
			if has(n, "checked") {
				values.Add(name, attr(n, "value"))
			}
		case n.Data == "input":
			values.Add(name, attr(n, "value"))
		case n.Data == "textarea":
			values.Add(name, strings.ReplaceAll(content(n), "\n", "\r\n")) // as browsers do
		case n.Data == "select":
			for o := range n.Descendants() {
				if o.Data == "option" && has(o, "selected") {
					values.Add(name, attr(o, "value"))
				}
			}
		}
	}
	return values
}

// submit sends a form of a page with some of its answers changed: a name and
// its values, where "" alone is a question without an answer.
func (b *browser) submit(s *screen, action string, answers map[string][]string) *screen {
	b.t.Helper()
	values := s.form(action)
	for name, answer := range answers {
		values[name] = answer
	}
	return b.show(http.MethodPost, action, values)
}

// is holds a page to its status.
func (s *screen) is(status int) *screen {
	s.t.Helper()
	if s.status != status {
		s.t.Fatalf("%s: status %d, want %d: %s", s.path, s.status, status, content(s.doc))
	}
	return s
}

// says holds a page to having texts, as people read it.
func (s *screen) says(texts ...string) *screen {
	s.t.Helper()
	shown := strings.Join(strings.Fields(content(s.doc)), " ")
	for _, text := range texts {
		if !strings.Contains(shown, strings.Join(strings.Fields(text), " ")) {
			s.t.Errorf("%s (%d) does not say %q:\n%s", s.path, s.status, text, shown)
		}
	}
	return s
}

// hides holds a page to having none of some texts anywhere in its bytes.
func (s *screen) hides(texts ...string) *screen {
	s.t.Helper()
	for _, text := range texts {
		if strings.Contains(s.text, text) {
			s.t.Errorf("%s (%d) has %q", s.path, s.status, text)
		}
	}
	return s
}
