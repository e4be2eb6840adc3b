package pipeline

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/project"
)

// VersionNotPublished is the rejection of a run that names a version which is
// not there, or not published.
const VersionNotPublished command.Rejection = "version_not_published"

// Runnable is a version that a run may name.
type Runnable struct {
	Project uuid.UUID
	Version
}

// Use is what a command that starts a run does after its receipt: it enters the
// project of the pipeline, in which the party must work, and holds off until
// the end of the transaction every change of the pipeline. The rejection is ""
// where runs may name the version.
func Use(
	ctx context.Context, tx pgx.Tx, id uuid.UUID, number int64, party uuid.UUID,
) (Runnable, command.Rejection, error) {
	in, found, err := projectOf(ctx, tx, id)
	if err != nil || !found {
		return Runnable{}, command.NotFound, err
	}
	if reason, err := project.Enter(ctx, tx, in, party, project.Member); err != nil || reason != "" {
		return Runnable{}, reason, err
	}
	p, found, err := share(ctx, tx, id)
	switch {
	case err != nil || !found:
		return Runnable{}, command.NotFound, err
	case p.State == Retired:
		return Runnable{}, isRetired, nil
	}
	v, found, err := getVersion(ctx, tx, id, number)
	if err != nil || !found || v.PublishedAt == nil {
		return Runnable{}, VersionNotPublished, err
	}
	return Runnable{in, v}, "", nil
}

// DefinitionOf gives the definition of a version, which never changes.
func DefinitionOf(ctx context.Context, db DB, id uuid.UUID, number int64) (Definition, bool, error) {
	v, found, err := getVersion(ctx, db, id, number)
	return v.Definition, found, err
}
