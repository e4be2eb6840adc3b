package journal

import (
	"context"
	"fmt"
	"iter"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/generated/worlddb"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/world/geom"
)

// writersPage is how many operations are read at a time.
const writersPage = 32

// LaterWriters goes through the operations after one that wrote, or may have
// written, in the box, in order: what confirmed slices wrote, and all that the
// slice intended that is open. uuid.Nil is before all. The last pair may be an
// error. It reads page by page, so what is written meanwhile may be missing.
func (s *Store) LaterWriters(ctx context.Context, box geom.Box, after uuid.UUID) iter.Seq2[Writer, error] {
	return func(yield func(Writer, error) bool) {
		number, err := s.number(ctx, after)
		for more := true; more && err == nil; {
			var page []Writer
			page, more, err = s.writers(ctx, box, &number)
			for _, w := range page {
				if !yield(w, nil) {
					return
				}
			}
		}
		if err != nil {
			yield(Writer{}, err)
		}
	}
}

// number finds an operation's place in the order.
func (s *Store) number(ctx context.Context, id uuid.UUID) (number int64, err error) {
	if id == uuid.Nil {
		return 0, nil
	}
	err = s.read(ctx, func(ctx context.Context, tx pgx.Tx) error {
		number, err = queries.GetNumber(ctx, tx, worlddb.GetNumberParams{ID: id, WorldID: s.world})
		if found, err := pg.Found(err); err != nil || !found {
			return orAbsent(err, "operation", id)
		}
		return nil
	})
	return number, err
}

// writers reads a page after a number, which becomes that of the last one read.
func (s *Store) writers(ctx context.Context, box geom.Box, number *int64) (page []Writer, more bool, err error) {
	var rows []worlddb.ListWritersRow
	err = s.read(ctx, func(ctx context.Context, tx pgx.Tx) error {
		rows, err = queries.ListWriters(ctx, tx, worlddb.ListWritersParams{
			WorldID: s.world, After: *number, MinX: box.Min.X, MinY: box.Min.Y, MinZ: box.Min.Z,
			MaxX: box.Max.X, MaxY: box.Max.Y, MaxZ: box.Max.Z, Most: writersPage,
		})
		return err
	})
	if err != nil {
		return nil, false, err
	}
	for _, r := range rows {
		w, err := writerFrom(r, box)
		if err != nil {
			return nil, false, fmt.Errorf("operation %s: %w", r.ID, err)
		}
		if *number = r.Number; len(w.Positions) > 0 {
			page = append(page, w)
		}
	}
	return page, len(rows) == writersPage, nil
}

func writerFrom(r worlddb.ListWritersRow, box geom.Box) (Writer, error) {
	w := Writer{Operation: r.ID, Number: r.Number}
	changes, err := decodeChanges(r.Changes)
	if err != nil {
		return w, err
	}
	wrote, err := decodeMask(r.Wrote, len(changes))
	if err != nil {
		return w, err
	}
	open, err := decodeMask(r.Open, len(changes))
	if err != nil {
		return w, err
	}
	for _, n := range wrote.with(open) {
		if p := changes[n].Pos; box.Contains(p) {
			w.Positions = append(w.Positions, p)
		}
	}
	return w, nil
}
