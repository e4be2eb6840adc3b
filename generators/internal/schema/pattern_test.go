package schema

import (
	"regexp"
	"strings"
	"testing"
)

func TestPortable(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ source, want string }{
		{`^[a-z]+$`, `^[a-z]+$`},
		{`^[\w-.]+@x$`, `^[\w\-.]+@x$`},
		{`^\@\-\_\#$`, `^@-_#$`},
		{`^{[a-f0-9]{8}}$`, `^\{[a-f0-9]{8}\}$`},
		{`a]b}c`, `a\]b\}c`},
		{`^\u0041\x42\u{43}$`, `^ABC$`},
		{`\uD83D\uDE00`, "\U0001F600"},
		{`\Aab\z`, `^ab$`},
		{`^(?<year>\d{4})-(?P<m>\d\d)$`, `^(\d{4})-(\d\d)$`},
		{`^(?:a|b|)*?$`, `^(?:a|b|)*?$`},
		{`\p{L}\pN[\p{Lu}_]`, `\p{L}\p{N}[\p{Lu}_]`},
		{`/^ab$/`, `^ab$`},
		{`^/ab/$`, `^/ab/$`},
		{`[[a]`, `[\[a]`},
		{`[a^-]`, `[a\^\-]`},
		{`[+--]`, `[+-\-]`},
		{`[\b\0]`, `[\x08\x00]`},
		{"a\tb\x01", `a\tb\x01`},
		{`[\u0080-\u024F]`, `[\x80-ɏ]`},
		{`^a{1,1000}$`, `^a{1,1000}$`},
		{``, ``},
		// No counterpart in one of the engines.
		{`^(?!x).+$`, ``},
		{`(?<=a)b`, ``},
		{`(a)\1`, ``},
		{`(?i)abc`, ``},
		{`a++`, ``},
		{`a**`, ``},
		{`a{2}{3}`, ``},
		{`^*`, ``},
		{`*a`, ``},
		{`[]a]`, ``},
		{`[^]`, ``},
		{`[[:alpha:]]`, ``},
		{`[a-z&&[^b]]`, ``},
		{`[z-a]`, ``},
		{`[a`, ``},
		{`(a`, ``},
		{`a)`, ``},
		{`\p{Greek}`, ``},
		{`\uD800`, ``},
		{`\Qab\E`, ``},
		{`a{3,2}`, ``},
		{`(ab){1,4000}`, ``},
		{`^(a{100}){100}$`, ``},
		{`a\`, ``},
		{strings.Repeat("a", 5000), ``},
		{strings.Repeat("(", 200) + strings.Repeat(")", 200), ``},
	} {
		got, ok := portable(tc.source)
		if got.text != tc.want || ok != (tc.want != "" || tc.source == "") {
			t.Errorf("portable(%q) = %q, %v; want %q", tc.source, got.text, ok, tc.want)
		}
	}
}

func TestPortableCounts(t *testing.T) {
	t.Parallel()
	got, ok := portable(`^[^<>]{1,4096}$`)
	if want := (pattern{text: `^[^<>]*$`, counted: true, min: 1, max: 4096}); !ok || got != want {
		t.Errorf("got %+v, %v; want %+v", got, ok, want)
	}
	for bounds, result := range map[string]string{
		`"maxLength":5000,"minLength":1`: `"maxLength":4096,"minLength":2`,
		`"maxLength":50,"minLength":10`:  `"maxLength":50,"minLength":10`,
	} {
		op := withBody(t, `{"type":"string","pattern":"^[^<>]{2,4096}$",`+bounds+`}`)
		fill(t, `{}`, platform, op)
		want(t, body(op), `{"type":"string","pattern":"^[^<>]*$",`+result+`}`)
	}
}

func TestPatternThatCannotBeCarried(t *testing.T) {
	t.Parallel()
	op := withBody(t, `{"type":"string","pattern":"^(?!x)","description":"A name."}`)
	fill(t, `{}`, platform, op)
	want(t, body(op), `{"type":"string","description":"A name.\nPattern, checked by the API: ^(?!x)"}`)
}

// FuzzPortable holds that whatever comes out compiles, and is a fixpoint.
func FuzzPortable(f *testing.F) {
	for _, seed := range []string{
		`^[\w-.]+$`, `^{a}$`, `\u{1F600}[\x41-\x5a]`, `(?<n>a|b){2,}?`, `[a-\d]`, `\A\p{Lu}\z`, `^.{1,5000}$`, `/^a$/`, `[^\]\\-]`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		p, ok := portable(source)
		if !ok {
			return
		}
		if _, err := regexp.Compile(p.text); err != nil {
			t.Fatalf("portable(%q) = %q: %v", source, p.text, err)
		}
		again, ok := portable(p.text)
		if !ok || again.text != p.text {
			t.Fatalf("portable(%q) = %q, and that again %q, %v", source, p.text, again.text, ok)
		}
	})
}
