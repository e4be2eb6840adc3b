package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/services/play/web"
	"github.com/pharos-mcp/pharos/services/play/web/words"
)

// hostile is a text that tries to leave its place in HTML, in an attribute, in a
// text area and in Markdown.
const hostile = `"><script>alert(1)</script>'><img src=x onerror=alert(1)></textarea></title><svg onload=alert(1)>` +
	"\n\n[click](javascript:alert(1)) [data](data:text/html,x) [rel](/logout/) [proto](//evil.example) <javascript:alert(1)> ![p](http://evil.example/p.png)" +
	"\n\n<div style=\"position:fixed\" id=\"content\" onclick=\"x()\">block</div>\n\n<form action=/logout/ method=post><button>Go</button></form>\n\n# Heading {#content}\n\n" +
	"| a | b |\n|:-|-:|\n| <b>x</b> | y |\n\n```html\n<script>\n```\n\n&lt;script&gt; {{.Who}} \u202e \u2028 end-of-hostile"

// TestHostile: whatever people and models write, it is shown as the text that it
// is. What a page may not have, TestHostile's browser refuses on every page.
//
// clause: P-46
func TestHostile(t *testing.T) {
	t.Parallel()
	l, p := stocked(t, hostile)
	for _, language := range words.Languages {
		b := l.as("gm", language)
		for _, r := range web.Routes() {
			if r.Method == http.MethodGet {
				b.must(at(r, l.addresses(p, "2")))
			}
		}
		for path, marks := range map[string]int{
			p.url(): 8, p.url() + "journal/": 2, p.url() + "review/": 4, "/wiki/pages/lore/": 1, p.versionURL() + "nodes/harbor/": 2,
			"/scenarios/" + p.scenario.String() + "/": 1, "/wiki/pages/lore/edit/": 1,
		} {
			s := b.must(path)
			if got := strings.Count(content(s.doc), "end-of-hostile"); got < marks {
				t.Errorf("%s shows %d hostile texts, want %d", path, got, marks)
			}
			if !strings.Contains(content(s.doc), "<script>alert(1)</script>") {
				t.Errorf("%s does not show what was written", path)
			}
		}
		s := b.must("/wiki/?q=" + "hostile%22%3E%3Cscript%3Ealert(1)")
		s.says(`hostile"><script>alert(1)`)
		// A form that comes back has what was typed, to the letter.
		back := b.submit(b.must("/wiki/new/"), "/wiki/new/", map[string][]string{"id": one(`"><script>`), "title": one(`"><script>`), "body": one("\n" + hostile)})
		if got := back.form("/wiki/new/"); got.Get("body") != strings.ReplaceAll("\n"+hostile, "\n", "\r\n") || got.Get("id") != `"><script>` {
			t.Errorf("the body came back as %q", got.Get("body"))
		}
	}
	l.as("player", "en").must(p.url()).hides(secretNotes, secretNode, hiddenNode)
}
