package fold_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/play/fold"
)

func TestGrams(t *testing.T) {
	t.Parallel()
	one, other := uuid.MustParse("10000000-0000-4000-8000-000000000001"), uuid.MustParse("10000000-0000-4000-8000-000000000002")
	// What is stored stays findable: these numbers are for good.
	want := []int64{
		1031498402756704280, 1031498403234830845, 1031498404055574125,
		1031498404697536217, 1031498405471152300, 1031498406649589066,
	}
	if diff := cmp.Diff(want, fold.Grams(one, "lod")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := fold.Grams(one, "aaaa"); len(got) != 3 {
		t.Errorf("aaaa has %d grams, want a, aa and aaa", len(got))
	}
	for _, n := range fold.Grams(other, "lod") {
		if slices.Contains(want, n) {
			t.Errorf("%d is a gram in two scopes", n)
		}
	}
	for query, n := range map[string]int{"": 0, "a": 1, "ab": 1, "abc": 1, "abcd": 2, "aaaaaa": 1} {
		if got := fold.Needles(one, query); len(got) != n || !slices.IsSorted(got) {
			t.Errorf("%q has the needles %v, want %d sorted", query, got, n)
		}
	}
}

// TestLongPieces: a text may have every short piece of a phrase without having
// the phrase, and then it lacks a long piece, which every text with the phrase
// has.
func TestLongPieces(t *testing.T) {
	t.Parallel()
	scope := uuid.MustParse("10000000-0000-4000-8000-000000000001")
	const phrase = "the keeper of the lamp"
	var pieces []string
	for i := range len(phrase) - 2 {
		pieces = append(pieces, phrase[i:i+3])
	}
	has := func(text string) bool {
		grams := fold.Grams(scope, text)
		return !slices.ContainsFunc(fold.Needles(scope, phrase), func(n int64) bool { return !slices.Contains(grams, n) })
	}
	if has(strings.Join(pieces, "-")) {
		t.Error("a text that has all short pieces of a phrase seems to have the phrase")
	}
	for i := range 40 {
		if text := strings.Repeat("x", i) + phrase + strings.Repeat("yz", i); !has(text) {
			t.Errorf("%q seems not to have %q", text, phrase)
		}
	}
	for query, want := range map[string]int{"abcdefghijklmnop": 14, "abcdefghijklmnopq": 5 + 1} {
		if got := fold.Needles(scope, query); len(got) != want {
			t.Errorf("%q has %d needles, want %d", query, len(got), want)
		}
	}
}
