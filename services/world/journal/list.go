package journal

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/generated/worlddb"
	"github.com/pharos-mcp/pharos/internal/pg"
)

// MaxListed is how many a list has at most, whatever is asked for.
const MaxListed = 256

func listed(most int) int32 { return int32(max(0, min(most, MaxListed))) }

// Operation finds an operation.
func (s *Store) Operation(ctx context.Context, id uuid.UUID) (o Operation, err error) {
	err = s.read(ctx, func(ctx context.Context, tx pgx.Tx) error {
		o, err = s.operation(ctx, tx, id)
		return err
	})
	return o, err
}

func (s *Store) operation(ctx context.Context, tx pgx.Tx, id uuid.UUID) (Operation, error) {
	r, err := queries.GetOperation(ctx, tx, worlddb.GetOperationParams{ID: id, WorldID: s.world})
	if found, err := pg.Found(err); err != nil || !found {
		return Operation{}, orAbsent(err, "operation", id)
	}
	return operationFrom(r)
}

// Unfinished lists what has not ended.
func (s *Store) Unfinished(ctx context.Context) (list []Operation, err error) {
	err = s.read(ctx, func(ctx context.Context, tx pgx.Tx) error {
		list, err = s.unfinished(ctx, tx)
		return err
	})
	return list, err
}

func (s *Store) unfinished(ctx context.Context, tx pgx.Tx) ([]Operation, error) {
	rows, err := queries.ListUnfinished(ctx, tx, s.world)
	if err != nil {
		return nil, err
	}
	return each(rows, func(r worlddb.ListUnfinishedRow) (Operation, error) {
		return operationFrom(worlddb.GetOperationRow(r))
	})
}

// Recent lists the newest operations of a project, newest first.
func (s *Store) Recent(ctx context.Context, project string, most int) (list []Operation, err error) {
	err = s.read(ctx, func(ctx context.Context, tx pgx.Tx) error {
		rows, err := queries.ListRecent(ctx, tx, worlddb.ListRecentParams{WorldID: s.world, Project: project, Most: listed(most)})
		if err != nil {
			return err
		}
		list, err = each(rows, func(r worlddb.ListRecentRow) (Operation, error) {
			return operationFrom(worlddb.GetOperationRow(r))
		})
		return err
	})
	return list, err
}

// UndoList lists the newest operations of a project that have ended, wrote
// something and were not abandoned, newest first.
func (s *Store) UndoList(ctx context.Context, project string, most int) (list []Undoable, err error) {
	err = s.read(ctx, func(ctx context.Context, tx pgx.Tx) error {
		rows, err := queries.ListUndoable(ctx, tx, worlddb.ListUndoableParams{WorldID: s.world, Project: project, Most: listed(most)})
		if err != nil {
			return err
		}
		list, err = each(rows, undoableFrom)
		return err
	})
	return list, err
}

func undoableFrom(r worlddb.ListUndoableRow) (Undoable, error) {
	o, err := operationFrom(worlddb.GetOperationRow{
		ID: r.ID, WorldID: r.WorldID, Number: r.Number, PlanID: r.PlanID, Project: r.Project, PlayerID: r.PlayerID, Key: r.Key,
		Kind: r.Kind, UndoesID: r.UndoesID, MinX: r.MinX, MinY: r.MinY, MinZ: r.MinZ, MaxX: r.MaxX, MaxY: r.MaxY, MaxZ: r.MaxZ,
		Status: r.Status, Total: r.Total, Written: r.Written, Conflicts: r.Conflicts, Sample: r.Sample, Paused: r.Paused,
		CancelRequested: r.CancelRequested, UndoOff: r.UndoOff, Reason: r.Reason, Digest: r.Digest,
		CreatedAt: r.CreatedAt, EndedAt: r.EndedAt,
	})
	u := Undoable{Operation: o}
	if r.UndoneBy != uuid.Nil {
		u.UndoneBy = &r.UndoneBy
	}
	return u, err
}

// each makes rows into values.
func each[R, V any](rows []R, f func(R) (V, error)) ([]V, error) {
	values := make([]V, len(rows))
	for i, r := range rows {
		v, err := f(r)
		if err != nil {
			return nil, err
		}
		values[i] = v
	}
	return values, nil
}
