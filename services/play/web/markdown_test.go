package web

import (
	"strings"
	"testing"
	"time"
)

// TestMarkdown: memory is shown formatted, and nothing in it acts.
//
// clause: P-46, P-53
func TestMarkdown(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"# Now\n\nAt the *pier*.": "<h3>Now</h3>\n<p>At the <em>pier</em>.</p>\n",
		"###### Deep":             "<h3>Deep</h3>\n",
		"## A\n#### B\n###### C\n##### D\n# E\n## F\n### G\n#### H\n##### I": "<h3>A</h3>\n<h4>B</h4>\n<h5>C</h5>\n<h5>D</h5>\n<h3>E</h3>\n<h4>F</h4>\n<h5>G</h5>\n<h6>H</h6>\n<h6>I</h6>\n",
		"- a\n- b":                              "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n",
		"3. a":                                  "<ol start=\"3\">\n<li>a</li>\n</ol>\n",
		"~~gone~~":                              "<p><del>gone</del></p>\n",
		"[a](https://a.example/?x=1&y=2 \"t\")": "<p><a href=\"https://a.example/?x=1&amp;y=2\" rel=\"nofollow noreferrer\">a</a></p>\n",
		"[a](javascript:alert(1))":              "<p>a</p>\n",
		"[a](JaVaScRiPt&#58;alert(1))":          "<p>a</p>\n",
		"[a](/logout/)":                         "<p>a</p>\n",
		"[a](//b.example)":                      "<p>a</p>\n",
		"![alt *x*](http://a.example/p.png)":    "<p><a href=\"http://a.example/p.png\" rel=\"nofollow noreferrer\">alt <em>x</em></a></p>\n",
		"a <b onclick=x>c</b>":                  "<p>a &lt;b onclick=x&gt;c&lt;/b&gt;</p>\n",
		"<script>\nalert(1)\n</script>":         "<pre><code>&lt;script&gt;\nalert(1)\n&lt;/script&gt;</code></pre>\n",
		"<!-- a -->":                            "<pre><code>&lt;!-- a --&gt;</code></pre>\n",
		"```html\n<i>\n```":                     "<pre><code>&lt;i&gt;\n</code></pre>\n",
		"| a | b |\n|:-|--|\n| c | d |":         "<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>c</td>\n<td>d</td>\n</tr>\n</tbody>\n</table>\n",
		"a\x00b":                                "<p>a\ufffdb</p>\n",
		"":                                      "",
		"<https://a.example> <x@a.example> <y:z>": "<p><a href=\"https://a.example\" rel=\"nofollow noreferrer\">https://a.example</a> <a href=\"mailto:x@a.example\" rel=\"nofollow noreferrer\">x@a.example</a> &lt;y:z&gt;</p>\n",
	} {
		if got := string(markdown(source, 2)); got != want {
			t.Errorf("%q\ngot  %q\nwant %q", source, got, want)
		}
	}
}

// TestMarkdownTime: the longest memory takes no time to speak of, however it is
// made.
func TestMarkdownTime(t *testing.T) {
	t.Parallel()
	const most = 16_000
	for _, piece := range []string{"[", "![", "*a **b ", ">", "- ", "`", "<", "<a ", "[a](", "| a ", "~", "&", "\\", "![a](b", "_a", "[a]: b\n", "1. ", "#\n", "*_"} {
		begun := time.Now()
		markdown(strings.Repeat(piece, most/len(piece)), 2)
		if took := time.Since(begun); took > 2*time.Second {
			t.Errorf("%d of %q take %v", most/len(piece), piece, took)
		}
	}
}

func TestLocal(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/plays/?a=b#c": "/plays/?a=b#c", "/": "/", "": "-", "plays": "-", "//evil.example": "-", "/\\evil.example": "-", "https://evil.example/": "-",
		"javascript:alert(1)": "-", "/a\r\nSet-Cookie: x": "-", "///evil": "-", "/%zz": "-", "/\tx": "-",
	} {
		if got := local(path, "-"); got != want {
			t.Errorf("local(%q) = %q, want %q", path, got, want)
		}
	}
}

func TestFirstLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		" # Arin \nA ranger": "Arin", "Arin": "Arin", strings.Repeat("ł", 60): strings.Repeat("ł", 60),
		strings.Repeat("ł", 61): strings.Repeat("ł", 59) + "…", "###": "", "\n\n* Bea *\n": "Bea *", "": "",
	} {
		if got := firstLine(text); got != want {
			t.Errorf("firstLine(%q) = %q, want %q", text, got, want)
		}
	}
}
