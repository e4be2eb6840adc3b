package chronicle_test

import (
	"testing"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
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
