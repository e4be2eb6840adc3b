package admission

import (
	"strconv"
	"testing"
	"time"
)

// clause: E-58
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		keys, entries int
		key           func(i int) string
	}{
		"in callers":    {10, 1000, strconv.Itoa},
		"in admissions": {1000, 10, func(i int) string { return strconv.Itoa(i % 2) }},
	} {
		clock := newClock()
		m := NewMemory(Limits{Rate: 100}, clock.now)
		m.keys, m.entries = c.keys, c.entries
		for i := range 10 {
			want(t, m, c.key(i), "in")()
		}
		want(t, m, c.key(10), "room, 1 s")
		clock.advance(59 * time.Second)
		want(t, m, c.key(10), "room, 1 s")
		clock.advance(20 * time.Second)
		want(t, m, c.key(10), "in")()
		if len(m.callers) != 1 || m.times != 1 || len(m.leases) != 0 {
			t.Errorf("%s: it remembers %d callers, %d admissions and %d leases, want 1, 1 and none",
				name, len(m.callers), m.times, len(m.leases))
		}
	}
}

func TestMemoryForgetsWhoIsGone(t *testing.T) {
	t.Parallel()
	clock := newClock()
	m := NewMemory(Limits{Rate: 5, Lease: 30 * time.Second}, clock.now)
	for i := range 1000 {
		release := want(t, m, strconv.Itoa(i), "in")
		if i%2 == 0 {
			release()
		}
	}
	clock.advance(time.Hour)
	want(t, m, "one", "in")
	if len(m.callers) != 1 || m.times != 1 || len(m.leases) != 1 {
		t.Errorf("it remembers %d callers, %d admissions and %d leases, want one of each",
			len(m.callers), m.times, len(m.leases))
	}
	unrated := NewMemory(Limits{Key: 1}, clock.now)
	for i := range 10 {
		want(t, unrated, strconv.Itoa(i), "in")()
	}
	if len(unrated.callers) != 0 {
		t.Errorf("without a rate it remembers %d callers", len(unrated.callers))
	}
}

func BenchmarkMemory(b *testing.B) {
	m := NewMemory(Limits{Rate: 1 << 19, Window: time.Millisecond, Key: 32, All: 256}, nil)
	b.ReportAllocs()
	for b.Loop() {
		release, err := m.Admit(b.Context(), "one")
		if err != nil {
			b.Fatal(err)
		}
		release()
	}
}
