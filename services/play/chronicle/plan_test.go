package chronicle_test

import (
	"testing"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/play/chronicle"
)

// TestSearchAlongIndexes searches a short session often enough for its plans to
// be kept: not even then is all of it read, as these plans would do when it is
// long.
func TestSearchAlongIndexes(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t, "play")
	s := stageAt(t, pgtest.Pool(t, url+"&pool_max_conns=1"))
	id := s.harbor(0)
	s.happen(id, turns(1, 70)...)
	reads := func() (n int) {
		t.Helper()
		s.exec("SELECT pg_stat_force_next_flush()")
		err := s.pool.QueryRow(t.Context(), "SELECT seq_scan FROM pg_stat_user_tables WHERE relid = 'play.event_text'::regclass").Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := reads()
	for range 10 {
		s.search(id, "vermillion castles")
	}
	if after := reads(); after != before {
		t.Errorf("ten searches read all events %d times", after-before)
	}
}

// TestUnheard: of a session that is newer than what the planner knows, each
// event that a search or a page of the journal is about is read once, not all
// for each of them.
//
// clause: P-11, P-12
func TestUnheard(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t, "play")
	s := stageAt(t, pgtest.Pool(t, url+"&pool_max_conns=1")) // one that counts for itself
	for n := range 20 {
		s.happen(s.harbor(n), turns(uint64(n), 3)...)
	}
	s.exec("ANALYZE play.event, play.event_text")
	const many = 150
	events := turns(99, many)
	for i := range events {
		events[i].action = "They sleep. Zzz." // as in the query, and still not the same
	}
	id := s.harbor(20)
	s.happen(id, events...)
	fetched := func() (n int) {
		t.Helper()
		s.exec("SELECT pg_stat_force_next_flush()")
		err := s.pool.QueryRow(t.Context(), `SELECT sum(idx_tup_fetch) FROM pg_stat_user_tables
			WHERE relid IN ('play.event'::regclass, 'play.event_text'::regclass)`).Scan(&n)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	bounded := func(what string, most int, do func()) {
		t.Helper()
		before := fetched()
		do()
		if n := fetched() - before; n > most {
			t.Errorf("%s, among %d events, read %d", what, many, n)
		}
	}
	bounded("a search for what is not there", 4*many, func() {
		if found := s.search(id, "zzzzzz"); len(found.Journal) > 0 {
			t.Errorf("found %v", found.Journal)
		}
	})
	bounded("a search for what is everywhere", many, func() {
		if found := s.search(id, "zzz"); len(found.Journal) != chronicle.MaxMatches {
			t.Errorf("found %v", found.Journal)
		}
	})
	bounded("a page of the journal", 100, func() {
		if _, page, err := s.Journal(t.Context(), id, 100, 20); len(page) != 20 || err != nil {
			t.Errorf("%d entries, %v", len(page), err)
		}
	})
}
