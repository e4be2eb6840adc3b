package journal

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/generated/worlddb"
)

// PauseOperation has an operation stop between two slices, or go on. One that
// has ended stays as it is.
func (s *Store) PauseOperation(ctx context.Context, operation uuid.UUID, paused bool) (Operation, error) {
	return s.change(ctx, operation, func(ctx context.Context, l locked, _ progress) error {
		return queries.SetPaused(ctx, l.tx, worlddb.SetPausedParams{ID: operation, WorldID: l.world, Paused: paused})
	})
}

// PauseProject has all operations of a project stop between two slices and none
// begin, or lets them again. When it returns, no slice whose intent is not there
// yet begins.
func (s *Store) PauseProject(ctx context.Context, project string, paused bool) error {
	return s.write(ctx, func(ctx context.Context, l locked) error {
		if paused {
			return queries.PutPause(ctx, l.tx, worlddb.PutPauseParams{WorldID: l.world, Project: project, Since: l.now})
		}
		return queries.DeletePause(ctx, l.tx, worlddb.DeletePauseParams{WorldID: l.world, Project: project})
	})
}

// ProjectPaused tells whether a project is paused.
func (s *Store) ProjectPaused(ctx context.Context, project string) (paused bool, err error) {
	err = s.read(ctx, func(ctx context.Context, tx pgx.Tx) error {
		paused, err = queries.IsPaused(ctx, tx, worlddb.IsPausedParams{WorldID: s.world, Project: project})
		return err
	})
	return paused, err
}
