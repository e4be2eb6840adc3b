package run

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// logOf reads the log of some steps, the first one first.
func logOf(t *testing.T, all []step) (text string, reads int) {
	t.Helper()
	text, err := readLog(t.Context(), func(_ context.Context, attempt, number int64) ([]step, error) {
		reads++
		var before []step
		for i := len(all) - 1; i >= 0 && len(before) < logPage; i-- {
			if s := all[i]; s.Attempt < attempt || s.Attempt == attempt && s.Number < number {
				before = append(before, s)
			}
		}
		return before, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return text, reads
}

func TestLog(t *testing.T) {
	t.Parallel()
	if text, _ := logOf(t, nil); text != "" {
		t.Errorf("of nothing: %q", text)
	}
	var all []step
	want := ""
	for attempt := int64(1); attempt <= 3; attempt++ {
		for number := int64(1); number <= 50; number++ {
			all = append(all, step{Attempt: attempt, Number: number, Name: "s", Output: "o", Failed: number == 50})
			mark := ""
			if number == 50 {
				mark = " failed"
			}
			want += fmt.Sprintf("#%d.%d s%s: o\n", attempt, number, mark)
		}
	}
	if text, reads := logOf(t, all); text != want || reads != 4 {
		t.Errorf("of three attempts, in %d reads:\n%s", reads, text)
	}
}

// A log has at most 512 KiB, of which the end matters.
func TestLogBound(t *testing.T) {
	t.Parallel()
	entry := func(size int) step {
		rest := size - len("#1.1 s: \n")
		return step{Attempt: 1, Name: "s", Output: strings.Repeat("x", rest%2) + strings.Repeat("é", rest/2)}
	}
	for _, c := range []struct {
		size int // of the oldest of three entries
		cut  bool
	}{
		{maxLog - len(leftOut) - 2*4097, false},
		{maxLog - len(leftOut) - 2*4097 + 1, true},
		{maxLog - len(leftOut) - 2*4097 + 2, true},
		{maxLog, true},
	} {
		all := []step{entry(c.size), entry(4097), entry(4097)}
		for i := range all {
			all[i].Number = int64(i) + 1
		}
		if n := len(entryOf(all[1])); n != 4097 {
			t.Fatalf("an entry has %d bytes", n)
		}
		text, _ := logOf(t, all)
		if len(text) > maxLog || !utf8.ValidString(text) || !strings.HasSuffix(text, entryOf(all[2])) {
			t.Errorf("with %d: %d bytes, valid %v", c.size, len(text), utf8.ValidString(text))
		}
		if cut := strings.HasPrefix(text, leftOut); cut != c.cut || !cut && len(text) != c.size+2*4097 {
			t.Errorf("with %d: cut %v, %d bytes", c.size, cut, len(text))
		}
	}
}
