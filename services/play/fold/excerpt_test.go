package fold_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/play/fold"
)

// clause: P-12
func TestExcerpt(t *testing.T) {
	t.Parallel()
	const pier = "You walk to the pier before dawn, and Mira waits there with a lantern in her hand."
	for _, c := range []struct {
		text, query string
		size        int
		want        string
	}{
		{pier, "mira", 100, pier},
		{pier, "MIRA", 40, "…dawn, and Mira waits there with a…"},
		{pier, "you", 20, "You walk to the…"},
		{pier, "hand", 20, "…her hand."},
		{pier, "not there", 20, "You walk to the…"},
		{pier, "", 20, "You walk to the…"},
		{pier, "mira waits there with a", 10, "…Mira wai…"},
		{"  a  b  ", "b", 100, "a  b"},
		{"", "x", 10, ""},
		{"Łódź w porcie, łódź na morzu", "LODZ NA", 14, "…łódź na…"},
		{"die Straße", "SS", 100, "die Straße"},
		{strings.Repeat("ż", 30) + "Q" + strings.Repeat("ż", 30), "q", 9, "…żżQżżżż…"},
		{strings.Repeat("e\u0301", 30) + "Q", "q", 6, "…Q"},
		{strings.Repeat("👩‍🚀", 30), "👩", 9, "👩‍🚀👩‍🚀…"},
		{strings.Repeat("🇵🇱", 30), "🇵", 8, "🇵🇱🇵🇱🇵🇱…"},
	} {
		got := fold.Excerpt(c.text, c.query, c.size)
		if got != c.want {
			t.Errorf("Excerpt(%q, %q, %d) = %q, want %q", c.text, c.query, c.size, got, c.want)
		}
		if n := utf8.RuneCountInString(got); n > c.size {
			t.Errorf("Excerpt(%q, %q, %d) has %d characters", c.text, c.query, c.size, n)
		}
	}
}

// clause: P-12
func TestExcerpts(t *testing.T) {
	t.Parallel()
	text := "Mira one. " + strings.Repeat("x ", 50) + "mira two, MIRA three. " + strings.Repeat("y ", 50) + "Mirą four."
	want := []string{"Mira one. x x x x…", "…x x mira two,…", "…MIRA three. y y…", "…y y Mirą four."}
	if diff := cmp.Diff(want, fold.Excerpts(text, "mira", 20, 10)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want[:2], fold.Excerpts(text, "mira", 20, 2)); diff != "" {
		t.Errorf("two (-want +got):\n%s", diff)
	}
	// A segment may become two places, of which the first counts.
	if diff := cmp.Diff([]string{"Stra…", "…aße…", "…ſs"}, fold.Excerpts("Straße "+strings.Repeat("\u00ad", 20)+" ſs", "s", 6, 9)); diff != "" {
		t.Errorf("halves (-want +got):\n%s", diff)
	}
	for _, query := range []string{"", " ", "\u0301", "nobody"} {
		if got := fold.Excerpts(text, query, 20, 10); got == nil || len(got) > 0 {
			t.Errorf("Excerpts of %q: %#v, want none", query, got)
		}
	}
}

func TestJoin(t *testing.T) {
	t.Parallel()
	for want, texts := range map[string][]string{
		"": {"", ""}, "a": {"", "a", ""}, "a\n\nb": {"a", "", "b"},
	} {
		if got := fold.Join(texts...); got != want {
			t.Errorf("Join(%q) = %q, want %q", texts, got, want)
		}
	}
}

func TestSeam(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"ab": "a|b", "e\u0301a": "e\u0301|a", "👩‍🚀x": "👩‍🚀|x", "👍🏽👍": "👍🏽|👍", "❤\ufe0fx": "❤\ufe0f|x", "🇵🇱🇩🇪": "🇵🇱|🇩🇪", "a🇵🇱🇩": "a|🇵🇱|🇩",
		"\r\na": "\r\n|a", "\u1100\u1161a": "\u1100\u1161|a", "🏴\U000e0067\U000e007fx": "🏴\U000e0067\U000e007f|x", "की": "की",
	} {
		var b strings.Builder
		for i, r := range text {
			if i > 0 && fold.Seam(text, i) {
				b.WriteByte('|')
			}
			b.WriteRune(r)
		}
		if b.String() != want {
			t.Errorf("%q may be cut so: %q, want %q", text, b.String(), want)
		}
	}
}
