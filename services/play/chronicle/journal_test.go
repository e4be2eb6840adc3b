package chronicle_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/services/play/chronicle"
)

// clause: P-11
func TestJournal(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.harbor(0)
	read := func(offset, limit int) (int, []chronicle.Entry) {
		t.Helper()
		total, page, err := s.Journal(t.Context(), id, offset, limit)
		if err != nil {
			t.Fatal(err)
		}
		return total, page
	}
	if total, page := read(0, 10); total != 0 || page == nil || len(page) != 0 {
		t.Errorf("an empty journal has %d entries: %v", total, page)
	}
	var events []event
	var want []string
	for v := 2; v <= 60; v++ {
		if v%7 == 0 {
			events = append(events, review)
			continue
		}
		events = append(events, turn(fmt.Sprint(v)))
		want = append(want, fmt.Sprintf("turn %d %d", v, v))
	}
	s.happen(id, events...)
	// Pages of any size, with more written while one is read: together they are
	// the journal, without a gap or an entry twice.
	for _, limit := range []int{1, 3, 10, 19, 20} {
		var got []string
		for {
			total, page := read(len(got), limit)
			if total != len(want) {
				t.Fatalf("total %d, want %d", total, len(want))
			}
			if len(page) == 0 {
				break
			}
			for _, e := range page {
				got = append(got, fmt.Sprintf("%s %d %s", e.Kind, e.Version, e.Narration))
			}
			if len(want) < 60 {
				v := 61 + len(want) - 51
				s.happen(id, turn(fmt.Sprint(v)))
				want = append(want, fmt.Sprintf("turn %d %d", v, v))
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("in pages of %d (-want +got):\n%s", limit, diff)
		}
	}
	for _, c := range []struct{ offset, limit, want int }{
		{0, 0, 1}, {0, -5, 1}, {-1, 2, 2}, {0, 21, 20}, {0, 1 << 40, 20}, {len(want) - 1, 5, 1}, {len(want), 5, 0}, {1 << 60, 5, 0},
	} {
		if _, page := read(c.offset, c.limit); len(page) != c.want {
			t.Errorf("offset %d, limit %d: %d entries, want %d", c.offset, c.limit, len(page), c.want)
		}
	}
}
