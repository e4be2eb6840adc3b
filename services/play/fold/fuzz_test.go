package fold_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/uuid"
	"golang.org/x/text/unicode/norm"

	"github.com/pharos-mcp/pharos/services/play/fold"
)

// FuzzText holds what is promised of every text and every query.
func FuzzText(f *testing.F) {
	for _, s := range []string{
		"Zażółć gęślą jaźń", "Z\u0323\u0307a\u0328", "Straße", "👩🏽‍🚀 🇵🇱🇩🇪", "\u1100\u1161\u11a8", "ㄱㅏ", "か\u3099", "ﷺ", "a\xffb", "½ﬁ",
		"\u0301", "\u00ad", "שָׁלוֹם", "\u0e17\u0e35\u0e48", "İ", "a  \u00a0 b", strings.Repeat("\u0301", 70), "\r\n",
	} {
		f.Add(s, uint(0), uint(len(s)), 20)
		f.Add(s+" Mira "+s, uint(3), uint(9), 12)
	}
	scope := uuid.MustParse("10000000-0000-4000-8000-000000000001")
	f.Fuzz(func(t *testing.T, s string, i, j uint, size int) {
		folded := fold.Text(s)
		if !utf8.ValidString(folded) {
			t.Fatalf("%q folded to %q", s, folded)
		}
		if utf8.ValidString(s) {
			if got := fold.Text(norm.NFD.String(s)); got != fold.Text(norm.NFC.String(s)) {
				t.Fatalf("%q: decomposed %q, composed %q", s, got, fold.Text(norm.NFC.String(s)))
			}
		}
		from, to := cut(s, i), cut(s, j)
		query := s[min(from, to):max(from, to)]
		if !strings.Contains(folded, fold.Text(query)) {
			t.Fatalf("%q is not in %q: %q in %q", query, s, fold.Text(query), folded)
		}
		grams := fold.Grams(scope, folded)
		if !slices.IsSorted(grams) || len(slices.Compact(slices.Clone(grams))) != len(grams) {
			t.Fatalf("%q: grams %v", s, grams)
		}
		for _, n := range fold.Needles(scope, fold.Text(query)) {
			if _, found := slices.BinarySearch(grams, n); !found {
				t.Fatalf("%q of %q has a needle that is no gram", query, s)
			}
		}
		excerpts(t, s, query, 3+(size&0xff))
	})
}

// cut is the place of the i-th segment, going round.
func cut(s string, i uint) int {
	places := []int{0}
	for at := 0; at < len(s); {
		at += fold.Next(s[at:])
		places = append(places, at)
	}
	return places[i%uint(len(places))]
}

// excerpts holds an excerpt of a text against it.
func excerpts(t *testing.T, s, query string, size int) {
	t.Helper()
	got := fold.Excerpt(s, query, size)
	if n := utf8.RuneCountInString(got); n > size {
		t.Fatalf("%q: an excerpt of %d characters, more than %d: %q", s, n, size, got)
	}
	if utf8.ValidString(s) && !utf8.ValidString(got) {
		t.Fatalf("%q: the excerpt %q", s, got)
	}
	from, to, found := fold.Find(s, query)
	if found != (fold.Text(query) != "") {
		t.Fatalf("%q in %q: found %v", query, s, found)
	}
	if !found || !utf8.ValidString(s) {
		return
	}
	// Its own ellipses may be those of the text.
	piece := got
	if !strings.Contains(s, piece) {
		piece = strings.TrimSuffix(strings.TrimPrefix(piece, "…"), "…")
	}
	if !strings.Contains(s, piece) && !strings.Contains(s, strings.TrimPrefix(got, "…")) && !strings.Contains(s, strings.TrimSuffix(got, "…")) {
		t.Fatalf("%q: the excerpt %q is no piece of it", s, got)
	}
	if got := fold.Text(s[from:to]); !strings.Contains(got, fold.Text(query)) {
		t.Fatalf("%q in %q: found %q", query, s, s[from:to])
	}
	if match := s[from:to]; utf8.RuneCountInString(match) <= size/3 && !strings.Contains(got, strings.TrimSpace(match)) {
		t.Fatalf("%q: the excerpt %q has no %q", s, got, match)
	}
}
