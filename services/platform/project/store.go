package project

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/generated/platformdb"
)

// DB is what statements run on: a transaction or a pool of connections.
type DB = platformdb.DBTX

var queries = platformdb.New()

// standingOf gives the zero standing to who is no member.
func standingOf(ctx context.Context, db DB, project, party uuid.UUID) (standing, error) {
	row, err := queries.GetStanding(ctx, db, platformdb.GetStandingParams{ProjectID: project, PartyID: party})
	if errors.Is(err, pgx.ErrNoRows) {
		return standing{}, nil
	}
	return standing{Role(row.Role), State(row.State)}, err
}

// share holds off changes of a project; false means that there is none.
func share(ctx context.Context, tx DB, project uuid.UUID) (bool, error) {
	_, err := queries.ShareProject(ctx, tx, project)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// addUse adds to the usage of a project, which must be there.
func addUse(ctx context.Context, tx DB, project uuid.UUID, u Use) error {
	n, err := queries.AddUsage(ctx, tx, platformdb.AddUsageParams{
		ProjectID: project, Started: u.Started, Succeeded: u.Succeeded, Failed: u.Failed, Cancelled: u.Cancelled,
		Milliseconds: u.Took.Milliseconds(),
	})
	if err == nil && n != 1 {
		return fmt.Errorf("project %s has no usage to add to", project)
	}
	return err
}
