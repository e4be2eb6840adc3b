package run

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Numbers of a feed become visible in their order: who has one that is not
// committed yet holds off the next. Feeds do not hold off one another.
func TestFeedOrder(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	run := f.get(f.submit(f.published(steps(echo("one", "1"))), nil))
	first, err := f.pool.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer first.Rollback(t.Context())
	if err := appendEvent(t.Context(), first, run, happening{kind: Started}, noon); err != nil {
		t.Fatal(err)
	}
	second := func(of Run) error {
		tx, err := f.pool.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Rollback(t.Context())
		if _, err := tx.Exec(t.Context(), "SET LOCAL lock_timeout = '50ms'"); err != nil {
			t.Fatal(err)
		}
		return appendEvent(t.Context(), tx, of, happening{kind: Started}, noon)
	}
	if e, ok := errors.AsType[*pgconn.PgError](second(run)); !ok || e.Code != "55P03" {
		t.Errorf("the next number is given before the first is committed: %v", e)
	}
	other := run
	other.SubmittedBy = f.ids["bob"]
	if err := second(other); err != nil {
		t.Errorf("another party's feed: %v", err)
	}
	if err := first.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	err = pgx.BeginFunc(t.Context(), f.pool, func(tx pgx.Tx) error {
		return appendEvent(t.Context(), tx, run, happening{kind: Started}, noon)
	})
	if err != nil {
		t.Fatal(err)
	}
	events, err := feedOf(t.Context(), f.pool, f.ids["ada"], 0, 10)
	if err != nil {
		t.Fatal(err)
	}
	var numbers []int64
	for _, e := range events {
		numbers = append(numbers, e.Sequence)
	}
	if d := cmp.Diff([]int64{1, 2}, numbers); d != "" {
		t.Errorf("numbers (-want +got):\n%s", d)
	}
}
