package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/generated/worlddb"
	"github.com/pharos-mcp/pharos/internal/pg"
)

// ErrStop is a slice that must not begin, or must not be confirmed: the
// operation or its project is paused, or it is to be cancelled, or it is not
// active. The operation that comes with it says which.
var ErrStop = errors.New("the operation must not go on")

// progress is an operation whose world is locked.
type progress struct {
	worlddb.GetProgressRow
	id                uuid.UUID
	status            Status
	wrote, left, done mask // done is both
}

func (l locked) progress(ctx context.Context, operation uuid.UUID) (progress, error) {
	r, err := queries.GetProgress(ctx, l.tx, worlddb.GetProgressParams{ID: operation, WorldID: l.world})
	if found, err := pg.Found(err); err != nil || !found {
		return progress{}, orAbsent(err, "operation", operation)
	}
	p := progress{GetProgressRow: r, id: operation, status: Status(r.Status)}
	if p.wrote, err = decodeMask(r.Wrote, int(r.Total)); err != nil {
		return progress{}, fmt.Errorf("operation %s: %w", operation, err)
	}
	if p.left, err = decodeMask(r.LeftAlone, int(r.Total)); err != nil {
		return progress{}, fmt.Errorf("operation %s: %w", operation, err)
	}
	p.done = p.wrote.with(p.left)
	return p, nil
}

// Intent makes durable what a slice may write. Only Operation, Index and Intent
// of it count. A slice whose intent is there already is no reason to stop, so
// that it can be asked again what became of one.
func (s *Store) Intent(ctx context.Context, slice Slice) (Operation, error) {
	return s.change(ctx, slice.Operation, func(ctx context.Context, l locked, p progress) error {
		intent := mask(slice.Intent)
		if err := intent.check(int(p.Total)); err != nil {
			return err
		}
		kept, found, err := l.slice(ctx, slice)
		switch {
		case err != nil:
			return err
		case found && bytes.Equal(kept.Intent, intent.encode()):
			return nil
		case found:
			return fmt.Errorf("slice %d of operation %s has another intent", slice.Index, p.id)
		case !p.status.Active(), p.CancelRequested, p.Paused:
			return ErrStop
		case p.done.meets(intent):
			return fmt.Errorf("slice %d of operation %s has what an earlier one has", slice.Index, p.id)
		}
		if err := queries.SetApplying(ctx, l.tx, worlddb.SetApplyingParams{ID: p.id, WorldID: l.world}); err != nil {
			return err
		}
		return queries.InsertSlice(ctx, l.tx, worlddb.InsertSliceParams{
			OperationID: p.id, Number: int32(slice.Index), Intent: intent.encode(), CreatedAt: l.now,
		})
	})
}

// Confirm says what a slice wrote, after that is on the disk, and what it left
// alone. Only Operation, Index, Written and Conflicts of it count. sample is of
// the conflicts; what is beyond MaxSample of the operation is left out.
func (s *Store) Confirm(ctx context.Context, slice Slice, sample []Conflict) (Operation, error) {
	return s.change(ctx, slice.Operation, func(ctx context.Context, l locked, p progress) error {
		wrote, left := mask(slice.Written), mask(slice.Conflicts)
		if err := errors.Join(wrote.check(int(p.Total)), left.check(int(p.Total))); err != nil {
			return err
		}
		kept, found, err := l.slice(ctx, slice)
		switch {
		case err != nil:
			return err
		case !found:
			return fmt.Errorf("slice %d of operation %s has no intent", slice.Index, p.id)
		case kept.ConfirmedAt != nil && bytes.Equal(kept.Wrote, wrote.encode()) && bytes.Equal(kept.LeftAlone, left.encode()):
			return nil
		case kept.ConfirmedAt != nil:
			return fmt.Errorf("slice %d of operation %s is confirmed with other writes", slice.Index, p.id)
		case p.status != Applying:
			return ErrStop
		}
		intent, err := decodeMask(kept.Intent, int(p.Total))
		if err != nil {
			return err
		}
		if !intent.holds(wrote) || wrote.meets(left) || p.done.meets(left) {
			return fmt.Errorf("slice %d of operation %s cannot have written that", slice.Index, p.id)
		}
		_, err = queries.ConfirmSlice(ctx, l.tx, worlddb.ConfirmSliceParams{
			OperationID: p.id, Number: int32(slice.Index), Wrote: wrote.encode(), LeftAlone: left.encode(), ConfirmedAt: l.now,
		})
		if err != nil {
			return err
		}
		return l.add(ctx, p, wrote, left, sample)
	})
}

// add counts what a slice wrote and left alone.
func (l locked) add(ctx context.Context, p progress, wrote, left mask, sample []Conflict) error {
	known, err := sampleFrom(p.Sample)
	if err != nil {
		return err
	}
	text, err := sampleText(append(known, sample...))
	if err != nil {
		return err
	}
	wrote, left = p.wrote.with(wrote), p.left.with(left)
	_, err = queries.SetProgress(ctx, l.tx, worlddb.SetProgressParams{
		ID: p.id, WorldID: l.world, Written: int32(len(wrote)), Conflicts: int32(len(left)),
		Wrote: wrote.encode(), LeftAlone: left.encode(), Sample: text,
	})
	return err
}

// slice finds what is kept of a slice.
func (l locked) slice(ctx context.Context, s Slice) (worlddb.GetSliceRow, bool, error) {
	if s.Index < 0 || s.Index > maxIndex {
		return worlddb.GetSliceRow{}, false, fmt.Errorf("there is no slice %d", s.Index)
	}
	r, err := queries.GetSlice(ctx, l.tx, worlddb.GetSliceParams{OperationID: s.Operation, Number: int32(s.Index)})
	found, err := pg.Found(err)
	return r, found, err
}

// maxIndex is that of the last slice that an operation may have.
const maxIndex = 8191

// Slices lists the slices of an operation in order.
func (s *Store) Slices(ctx context.Context, operation uuid.UUID) (list []Slice, err error) {
	err = s.read(ctx, func(ctx context.Context, tx pgx.Tx) error {
		list = nil
		o, err := s.operation(ctx, tx, operation)
		if err != nil {
			return err
		}
		rows, err := queries.ListSlices(ctx, tx, operation)
		if err != nil {
			return err
		}
		for _, r := range rows {
			one := Slice{Operation: operation, Index: int(r.Number), Confirmed: r.ConfirmedAt != nil}
			for _, m := range []struct {
				to   *[]int
				data []byte
			}{{&one.Intent, r.Intent}, {&one.Written, r.Wrote}, {&one.Conflicts, r.LeftAlone}} {
				places, err := decodeMask(m.data, o.Total)
				if err != nil {
					return fmt.Errorf("slice %d of operation %s: %w", r.Number, operation, err)
				}
				*m.to = slices.Clip(places)
			}
			list = append(list, one)
		}
		return nil
	})
	return list, err
}
