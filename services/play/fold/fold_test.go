package fold_test

import (
	"testing"

	"github.com/pharos-mcp/pharos/services/play/fold"
)

func TestText(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                              "",
		" \t\n ":                        "",
		"  Mira\r\n\tat  the pier ":     "mira at the pier",
		"Zażółć GĘŚLĄ jaźń":             "zazolc gesla jazn",
		"ZAZ\u0307O\u0301\u0141C\u0301": "zazolc",
		"Straße STRASSE STRAẞE":         "strasse strasse strasse",
		"Ærøskøbing, Þór, đak, ıŋ":      "aeroskobing, thor, dak, iŋ",
		"İstanbul":                      "istanbul",
		"ﬁn ½ Ｆｕｌｌ":                     "fin 1⁄2 full",
		"ΌΣΟΣ":                          "οσοσ",
		"Ёлка й":                        "елка и",
		"שָׁלוֹם":                       "שלום",
		"が か\u3099 か":                   "が が か",
		"각 \u1100\u1161\u11a8 가":        "각 각 가",
		"❤\ufe0f \u200bso\u00adft 👩\u200d🚀": "❤ soft 👩🚀",
		"a\u00a0b\u2003c\u2028d":            "a b c d",
		"50% _x_ \\ 'q' [a-z].*":            "50% _x_ \\ 'q' [a-z].*",
	} {
		if got := fold.Text(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
}
