package main

import (
	"slices"
	"testing"
)

// TestFates: every number has a fate, and each fate has numbers.
func TestFates(t *testing.T) {
	t.Parallel()
	seen := map[*fate]int{}
	const numbers = 1000000
	for n := range uint64(numbers) {
		seen[fateOf(n)]++
	}
	for i := range fates {
		want := fates[i].share * numbers / 10000
		if got := seen[&fates[i]]; got < want*7/10 || got > want*13/10 {
			t.Errorf("fate %d has %d of %d numbers, want about %d", i, got, numbers, want)
		}
	}
}

// TestIdentifiers: a ticket's identifier has its number.
func TestIdentifiers(t *testing.T) {
	t.Parallel()
	for _, n := range []uint64{0, 1, most - 1} {
		if got, err := numberOf(identifier(n)); err != nil || got != n {
			t.Errorf("%s is %d, %v, want %d", identifier(n), got, err, n)
		}
	}
}

// TestHalves: sizes are compared from the middle on, and outliers do not count.
func TestHalves(t *testing.T) {
	t.Parallel()
	first := make([]int64, 15)
	second := []int64{50, 900, 50, 7, 7, 7, 7, 7, 7, 7, 7, 7, 60, 1, 60}
	if middle, end := halves(append(first, second...)); middle != 50 || end != 60 {
		t.Errorf("halves are %d and %d", middle, end)
	}
}

// TestLog: lost answers are counted by their reason, whatever numbers are in
// it and however the log arrives.
func TestLog(t *testing.T) {
	t.Parallel()
	l := &logReader{lost: map[string]int{}}
	for _, part := range []string{
		`{"code":"upstream_lost","error":"read 127.0.0.1:1->127.0.0.1:80`, `80: reset \"by\" peer"}` + "\n",
		`{"code":"upstream_lost","error":"read 127.0.0.1:2->127.0.0.1:8080: reset \"by\" peer"}` + "\n" + `{"code":"upstream_lost"}` + "\n",
		`{"code":"upstream_502","error":"panic"}` + "\n",
	} {
		_, _ = l.Write([]byte(part))
	}
	want := []string{"1 times lost: no reason", `2 times lost: read #.#.#.#:#->#.#.#.#:#: reset \"by\" peer`}
	if got := l.reasons(); !slices.Equal(got, want) || l.panics.Load() != 1 {
		t.Errorf("got %q and %d panics, want %q and 1", got, l.panics.Load(), want)
	}
}
