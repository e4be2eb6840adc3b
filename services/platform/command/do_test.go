package command_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/command"
)

// clock is a time that the test moves.
type clock struct{ ns atomic.Int64 }

func newClock() *clock {
	c := &clock{}
	c.ns.Store(time.Date(2026, 11, 30, 12, 0, 0, 123456789, time.UTC).UnixNano())
	return c
}

func (c *clock) now() time.Time       { return time.Unix(0, c.ns.Load()) }
func (c *clock) pass(d time.Duration) { c.ns.Add(int64(d)) }

// made is what the commands of these tests make.
type made struct {
	Serial int64
	At     time.Time
	Tags   []string
}

// fixture is a door and a table that commands write to.
type fixture struct {
	*clock
	door *command.Door
	pool *pgxpool.Pool
}

func newFixture(t *testing.T) fixture {
	t.Helper()
	pool := pgtest.Database(t, "platform")
	if _, err := pool.Exec(t.Context(), "CREATE TABLE thing (id uuid PRIMARY KEY, serial bigserial)"); err != nil {
		t.Fatal(err)
	}
	c := newClock()
	return fixture{c, command.NewDoor(pool, c.now), pool}
}

// make writes one row, or is rejected where it is there.
func (f fixture) make(ctx context.Context, c command.Command, request any) (command.Result[made], error) {
	return command.Do(ctx, f.door, c, request,
		func(ctx context.Context, tx pgx.Tx, now time.Time) (command.Result[made], error) {
			var serial int64
			err := tx.QueryRow(ctx,
				"INSERT INTO thing (id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING serial", c.ID).Scan(&serial)
			if errors.Is(err, pgx.ErrNoRows) {
				return command.Rejected[made](1, command.AlreadyExists), nil
			}
			return command.Created(1, made{serial, now, nil}), err
		})
}

func (f fixture) count(t *testing.T, table string) (n int64) {
	t.Helper()
	if err := f.pool.QueryRow(t.Context(), "SELECT count(*) FROM "+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func as(ctx context.Context, party string) context.Context {
	return access.With(ctx, access.Principal{Party: uuid.MustParse(party)})
}

func newCommand() command.Command {
	return command.Command{Operation: "makeThing", ID: uuid.New(), Key: uuid.New()}
}

// clause: E-41
func TestSameRequest(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := as(t.Context(), thing)
	c := newCommand()
	results := make([]command.Result[made], 16)
	var all sync.WaitGroup
	for i := range results {
		all.Go(func() {
			var err error
			if results[i], err = f.make(ctx, c, "content"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	f.pass(command.Kept - time.Microsecond)
	late, err := f.make(ctx, c, "content")
	if err != nil {
		t.Fatal(err)
	}
	want := command.Result[made]{
		Outcome: command.Outcome{ID: c.ID, Version: 1, Status: 201},
		Value:   made{results[0].Value.Serial, time.Date(2026, 11, 30, 12, 0, 0, 123456000, time.UTC), nil},
	}
	for i, r := range append(results, late) {
		if d := cmp.Diff(want, r); d != "" {
			t.Errorf("answer %d: %s", i, d)
		}
	}
	if n, kept := f.count(t, "thing"), f.count(t, "platform.receipt"); n != 1 || kept != 1 {
		t.Errorf("%d rows, %d receipts", n, kept)
	}
}

// clause: E-41
func TestOtherRequest(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := as(t.Context(), thing)
	c := newCommand()
	if _, err := f.make(ctx, c, "content"); err != nil {
		t.Fatal(err)
	}
	otherID, otherRevision := c, c
	otherID.ID, otherRevision.Expected = uuid.New(), 1
	for name, try := range map[string]struct {
		c       command.Command
		request any
	}{
		"content":  {c, "other"},
		"id":       {otherID, "content"},
		"If-Match": {otherRevision, "content"},
	} {
		r, err := f.make(ctx, try.c, try.request)
		want := command.Result[made]{Outcome: command.Outcome{ID: try.c.ID, Rejection: command.KeyReuse, Status: 409}}
		if d := cmp.Diff(want, r); d != "" || err != nil {
			t.Errorf("%s: %v %s", name, err, d)
		}
	}
	if r, err := f.make(ctx, c, "content"); err != nil || r.Status != 201 {
		t.Errorf("the first request again: %+v, %v", r, err)
	}
	if n := f.count(t, "thing"); n != 1 {
		t.Errorf("%d rows", n)
	}
}

// TestScope is what a key belongs to: a Party and an operation.
// clause: E-41
func TestScope(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	c := newCommand()
	if _, err := f.make(as(t.Context(), thing), c, "content"); err != nil {
		t.Fatal(err)
	}
	other := c
	other.Operation = "makeOther"
	for name, r := range map[string]func() (command.Result[made], error){
		"another Party":     func() (command.Result[made], error) { return f.make(as(t.Context(), keyA), c, "x") },
		"another operation": func() (command.Result[made], error) { return f.make(as(t.Context(), thing), other, "x") },
	} {
		if got, err := r(); err != nil || got.Rejection != command.AlreadyExists {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// TestRejection is kept like success: it stays when the state has changed.
// clause: E-41
func TestRejection(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := as(t.Context(), thing)
	first, second := newCommand(), newCommand()
	second.ID = first.ID
	if _, err := f.make(ctx, first, nil); err != nil {
		t.Fatal(err)
	}
	want := command.Result[made]{
		Outcome: command.Outcome{ID: first.ID, Version: 1, Rejection: command.AlreadyExists, Status: 409},
	}
	for range 2 {
		r, err := f.make(ctx, second, nil)
		if d := cmp.Diff(want, r); d != "" || err != nil {
			t.Errorf("%v %s", err, d)
		}
		if _, err := f.pool.Exec(ctx, "DELETE FROM thing"); err != nil {
			t.Fatal(err)
		}
	}
}

// clause: E-41
func TestFaultLeavesNothing(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := as(t.Context(), thing)
	c := newCommand()
	for _, wrong := range []error{fault.New(fault.Forbidden, "no"), errors.New("broken")} {
		r, err := command.Do(ctx, f.door, c, nil,
			func(ctx context.Context, tx pgx.Tx, _ time.Time) (command.Result[made], error) {
				if _, err := tx.Exec(ctx, "INSERT INTO thing (id) VALUES ($1)", c.ID); err != nil {
					return command.Result[made]{}, err
				}
				return command.Applied(1, made{}), wrong
			})
		if !errors.Is(err, wrong) || !cmp.Equal(r, command.Result[made]{}) {
			t.Errorf("%+v, %v", r, err)
		}
	}
	if n, kept := f.count(t, "thing"), f.count(t, "platform.receipt"); n != 0 || kept != 0 {
		t.Errorf("%d rows, %d receipts", n, kept)
	}
	if r, err := f.make(ctx, c, nil); err != nil || r.Rejection != "" {
		t.Errorf("afterwards: %+v, %v", r, err)
	}
}

// TestExpiry ends a receipt after 24 hours, forgotten or not.
// clause: E-41
func TestExpiry(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ctx := as(t.Context(), thing)
	c := newCommand()
	if _, err := f.make(ctx, c, nil); err != nil {
		t.Fatal(err)
	}
	f.pass(command.Kept - time.Microsecond)
	if n, err := f.door.Expire(ctx); n != 0 || err != nil {
		t.Errorf("before its time: %d, %v", n, err)
	}
	if r, err := f.make(ctx, c, nil); err != nil || r.Rejection != "" {
		t.Errorf("just before: %+v, %v", r, err)
	}
	f.pass(time.Microsecond)
	if r, err := f.make(ctx, c, nil); err != nil || r.Rejection != command.AlreadyExists {
		t.Errorf("just after: %+v, %v", r, err)
	}
	if n, err := f.door.Expire(ctx); n != 0 || err != nil {
		t.Errorf("the new receipt: %d, %v", n, err)
	}
	f.pass(command.Kept)
	var forgotten atomic.Int64
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			n, err := f.door.Expire(ctx)
			if err != nil {
				t.Error(err)
			}
			forgotten.Add(n)
		})
	}
	all.Wait()
	if n := forgotten.Load(); n != 1 || f.count(t, "platform.receipt") != 0 {
		t.Errorf("%d forgotten", n)
	}
}
