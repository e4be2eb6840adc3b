package web_test

import (
	"io"
	"iter"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func newScreen(t *testing.T, path string, res *http.Response) *screen {
	t.Helper()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := html.Parse(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return &screen{t, path, res.StatusCode, res.Header, string(text), doc}
}

// all gives the elements of a name, of the whole page.
func (s *screen) all(name string) iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		for n := range s.doc.Descendants() {
			if n.Type == html.ElementNode && n.Data == name && !yield(n) {
				return
			}
		}
	}
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

// content is the text of an element.
func content(n *html.Node) string {
	var text strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			text.WriteString(d.Data)
		}
	}
	return text.String()
}

// slips are what a page has when something went wrong in a template or a text.
var slips = regexp.MustCompile(`%!|<no value>|ZgotmplZ|\{\{|\[object|%[ds]`)

// sound holds a page to what every page is: HTML without scripts and styles of
// its own, whole without them, with names for everything that can be filled in.
func (s *screen) sound() {
	s.t.Helper()
	if !strings.HasPrefix(s.header.Get("Content-Type"), "text/html") {
		return
	}
	s.safe()
	ids := map[string]bool{}
	for n := range s.doc.Descendants() {
		if id := attr(n, "id"); n.Type == html.ElementNode && has(n, "id") {
			if id == "" || ids[id] || strings.ContainsAny(id, " \t\n") {
				s.t.Errorf("%s: id %q is empty, odd or there twice", s.path, id)
			}
			ids[id] = true
		}
	}
	s.refers(ids)
	s.labelled()
	s.outlined()
	if found := slips.FindString(s.text); found != "" && !strings.Contains(s.text, "end-of-hostile") {
		s.t.Errorf("%s: the page has %q", s.path, found)
	}
}

// safe holds a page to the policy that it is sent with.
func (s *screen) safe() {
	s.t.Helper()
	for name, want := range map[string]string{
		"Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; " +
			"frame-ancestors 'none'; base-uri 'none'",
		"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Referrer-Policy": "same-origin",
	} {
		if got := s.header.Get(name); got != want {
			s.t.Errorf("%s: %s is %q, want %q", s.path, name, got, want)
		}
	}
	for n := range s.doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch n.Data {
		case "script", "style", "iframe", "object", "embed", "base", "svg", "math", "audio", "video":
			s.t.Errorf("%s: the page has <%s>", s.path, n.Data)
		case "img", "link":
			if at := attr(n, "src") + attr(n, "href"); !strings.HasPrefix(at, "/static/") {
				s.t.Errorf("%s: %s fetches %q", s.path, n.Data, at)
			}
		case "form":
			if at := attr(n, "action"); !strings.HasPrefix(at, "/") || strings.HasPrefix(at, "//") || !has(n, "method") {
				s.t.Errorf("%s: a form goes to %q", s.path, at)
			}
		case "a":
			to := attr(n, "href")
			local := strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//") || strings.HasPrefix(to, "#")
			outside := strings.HasPrefix(to, "http://") || strings.HasPrefix(to, "https://") || strings.HasPrefix(to, "mailto:")
			if !local && (!outside || !strings.Contains(attr(n, "rel"), "noreferrer")) {
				s.t.Errorf("%s: a link leads to %q, rel %q", s.path, to, attr(n, "rel"))
			}
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
				s.t.Errorf("%s: <%s> has the attribute %s", s.path, n.Data, a.Key)
			}
		}
	}
}

// refers holds everything that names an element to one that is there.
func (s *screen) refers(ids map[string]bool) {
	s.t.Helper()
	for n := range s.doc.Descendants() {
		for _, a := range n.Attr {
			switch {
			case a.Key == "for" || a.Key == "aria-labelledby" || a.Key == "aria-describedby":
				for id := range strings.FieldsSeq(a.Val) {
					if !ids[id] {
						s.t.Errorf("%s: %s of <%s> names %q, which is not there", s.path, a.Key, n.Data, id)
					}
				}
			case a.Key == "href" && strings.HasPrefix(a.Val, "#") && !ids[a.Val[1:]]:
				s.t.Errorf("%s: a link leads to %s, which is not there", s.path, a.Val)
			}
		}
	}
}

// labelled holds every question to having a label, and every table a caption.
func (s *screen) labelled() {
	s.t.Helper()
	labels := map[string]bool{}
	for n := range s.all("label") {
		if strings.TrimSpace(content(n)) != "" {
			labels[attr(n, "for")] = true
		}
	}
	for _, name := range []string{"input", "textarea", "select"} {
		for n := range s.all(name) {
			if attr(n, "type") != "hidden" && !labels[attr(n, "id")] {
				s.t.Errorf("%s: <%s name=%q> has no label", s.path, name, attr(n, "name"))
			}
		}
	}
	for n := range s.all("button") {
		if strings.TrimSpace(content(n)+attr(n, "aria-label")) == "" {
			s.t.Errorf("%s: a button says nothing", s.path)
		}
	}
	for n := range s.all("a") {
		if strings.TrimSpace(content(n)) == "" {
			s.t.Errorf("%s: a link to %s says nothing", s.path, attr(n, "href"))
		}
	}
	for _, inner := range [][2]string{{"table", "caption"}, {"fieldset", "legend"}} {
		for n := range s.all(inner[0]) {
			first := ""
			for c := range n.ChildNodes() {
				if c.Type == html.ElementNode {
					first = c.Data
					break
				}
			}
			if first != inner[1] && !inProse(n) {
				s.t.Errorf("%s: a %s begins with %q, not with its %s", s.path, inner[0], first, inner[1])
			}
		}
	}
}

// outlined holds a page to one first heading, headings that skip no level, the
// landmarks, a title and a language.
func (s *screen) outlined() {
	s.t.Helper()
	last, firsts := 0, 0
	for n := range s.doc.Descendants() {
		if n.Type != html.ElementNode || len(n.Data) != 2 || n.Data[0] != 'h' || n.Data[1] < '1' || n.Data[1] > '6' {
			continue
		}
		level := int(n.Data[1] - '0')
		if level == 1 {
			firsts++
		}
		if level > last+1 {
			s.t.Errorf("%s: a heading of level %d follows one of level %d", s.path, level, last)
		}
		last = level
	}
	if firsts != 1 {
		s.t.Errorf("%s: %d headings of level 1", s.path, firsts)
	}
	for _, name := range []string{"main", "header", "footer", "title"} {
		count := 0
		for n := range s.all(name) {
			count++
			if name == "title" && strings.TrimSpace(content(n)) == "" {
				s.t.Errorf("%s: no title", s.path)
			}
		}
		if count != 1 {
			s.t.Errorf("%s: %d of <%s>", s.path, count, name)
		}
	}
	for n := range s.all("html") {
		if lang := attr(n, "lang"); lang != s.header.Get("Content-Language") || lang != "en" && lang != "pl" {
			s.t.Errorf("%s: the language is %q and %q", s.path, lang, s.header.Get("Content-Language"))
		}
	}
}

// inProse reports whether an element is part of what people wrote, whose levels
// are theirs.
func inProse(n *html.Node) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if strings.Contains(attr(p, "class"), "prose") {
			return true
		}
	}
	return false
}
