package report_test

import (
	"bytes"
	"fmt"
	"html"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	renderhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"

	"github.com/pharos-mcp/pharos/services/play/report"
)

// dialects are CommonMark, and CommonMark with everything that is usual.
var dialects = map[string]goldmark.Markdown{
	"CommonMark": goldmark.New(goldmark.WithRendererOptions(unsafe...)),
	"extended": goldmark.New(
		goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList, extension.CJK),
		goldmark.WithParserOptions(parser.WithAttribute(), parser.WithHeadingAttribute()),
		goldmark.WithRendererOptions(unsafe...),
	),
}

// unsafe shows the HTML of a text, where it had some.
var unsafe = []renderer.Option{renderhtml.WithUnsafe()}

// outline lists the parts of a report as a dialect reads it. Of a quotation it
// says only what is there beside lines of text.
func outline(source []byte, dialect goldmark.Markdown) string {
	var b strings.Builder
	var walk func(n ast.Node, depth int, quoted bool)
	walk = func(n ast.Node, depth int, quoted bool) {
		switch n := n.(type) {
		case *ast.Text, *ast.String:
			return
		case *ast.Paragraph:
			if quoted {
				break
			}
			fmt.Fprintf(&b, "%*s%s\n", depth, "", n.Kind())
		case *ast.Heading:
			fmt.Fprintf(&b, "%*s%s %d %d\n", depth, "", n.Kind(), n.Level, len(n.Attributes()))
		default:
			fmt.Fprintf(&b, "%*s%s\n", depth, "", n.Kind())
		}
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			walk(c, depth+1, quoted || n.Kind() == ast.KindBlockquote)
		}
	}
	walk(dialect.Parser().Parse(text.NewReader(source)), 0, false)
	return b.String()
}

// hostile are pieces that mean something to Markdown, to HTML or to a reader of
// lines.
var hostile = []string{
	"\n", "\r\n", "\r", "\u2028", "\u0085", "\v", "\n\n", " ", "    ", "\t", "\u00a0", "# ", "## x ##", "===", "---", "- - -", "***", "___", "- ", "+ ",
	"* ", "1. ", "1) ", "123456789. ", "> ", ">", "```", "~~~", "`", "``", "|", "| a | b |\n| - | - |\n", ":-", "-:", ": definition", "[^1]: note",
	"[^1]", "[x] ", "[a](b)", "![a](b)", "[a]: http://x.y", "<b>", "</blockquote>", "<!--", "-->", "<script>", "<?php ?>", "<![CDATA[", "<http://a.b>",
	"http://a.b/c", "https://a.b", "www.a.bc", "ftp://a.b", "mailto:a@b.cd", "a@b.cd", "xmpp:a@b.cd", "\\", "\\\\", "&lt;", "&#42;", "&amp;", "~~a~~", "**a**",
	"_a_", "*", "_", "{#id}", "{.class}", "$x$", "^", "==x==", "!", "[", "]", "(", ")", "a", "Mira", "ł", "\x00", "\u0301", "\u202e", "👩‍🚀", "...", "\"", "'",
	"--", "---\n", "+++", "[TOC]", ":smile:", "@someone", "#12", "\ufeff", "12:30", "3.14", "{{ x }}", "{% x %}", "%%", "\xff", "<details>", "x\n===", "x\n---",
}

// made makes up a text of some of them.
func made(random *rand.Rand) string {
	var b strings.Builder
	for range random.IntN(12) {
		b.WriteString(hostile[random.IntN(len(hostile))])
	}
	return b.String()
}

// shows holds a report of texts against one of a harmless text.
func shows(t testing.TB, s, language string) {
	t.Helper()
	source := []byte(written(t, some(s), language))
	for name, dialect := range dialects {
		if diff := cmp.Diff(harmless[name], outline(source, dialect)); diff != "" {
			t.Fatalf("%s, %s: the outline with %q (-want +got):\n%s\n%s", name, language, s, diff, source)
		}
		reads(t, dialect, source, s)
	}
}

// harmless are the outlines of a report of harmless texts by the dialect, which
// are the same in every language.
var harmless = func() map[string]string {
	out := make(map[string]string)
	for name, dialect := range dialects {
		var b bytes.Buffer
		if err := report.Write(&b, some("harmless"), "en"); err != nil {
			panic(err)
		}
		out[name] = outline(b.Bytes(), dialect)
	}
	return out
}()

var (
	tag   = regexp.MustCompile(`<[^>]*>`)
	quote = regexp.MustCompile(`(?s)<blockquote>\n(.*?)</blockquote>`)
)

// reads holds that who reads a report reads the text, in the section of the
// memory, which is the last.
func reads(t testing.TB, dialect goldmark.Markdown, source []byte, s string) {
	t.Helper()
	var b bytes.Buffer
	if err := dialect.Convert(source, &b); err != nil {
		t.Fatal(err)
	}
	quotes := quote.FindAllStringSubmatch(b.String(), -1)
	shown := html.UnescapeString(tag.ReplaceAllString(quotes[len(quotes)-1][1], ""))
	if got, want := letters(shown), letters(s); got != want && !(want == "" && got == "—") {
		t.Fatalf("%q reads %q", s, shown)
	}
}

// letters leaves out what separates lines, and what shows nothing.
func letters(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	return strings.Map(func(r rune) rune {
		if r <= ' ' || 0x7f <= r && r <= 0xa0 || r == '\u2028' || r == '\u2029' || r == '\ufeff' {
			return -1
		}
		return r
	}, strings.Join(strings.Fields(s), ""))
}

// clause: P-44
func TestOutline(t *testing.T) {
	t.Parallel()
	for _, s := range hostile {
		shows(t, s, "en")
		shows(t, "a"+s+"b", "en")
		shows(t, "a\n"+s+"\nb", "pl")
	}
	random := rand.New(rand.NewPCG(4, 4))
	for range 500 {
		shows(t, made(random), "pl")
	}
}

// FuzzOutline has texts break out of a report.
func FuzzOutline(f *testing.F) {
	for _, s := range hostile {
		f.Add("a\n" + s)
	}
	f.Fuzz(func(t *testing.T, s string) { shows(t, s, "en") })
}
