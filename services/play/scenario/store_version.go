package scenario

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/generated/playdb"
	"github.com/pharos-mcp/pharos/internal/pg"
)

func versionOf(r playdb.PlayScenarioVersion) Version {
	return Version{r.Version, r.Status, r.Revision, r.CreatedAt, r.PublishedAt}
}

// findVersion gives a version of a scenario that the caller may see.
func findVersion(ctx context.Context, db playdb.DBTX, id uuid.UUID, number int64) (Version, error) {
	r, err := queries.GetScenarioVersion(ctx, db, playdb.GetScenarioVersionParams{ScenarioID: id, Version: number})
	found, err := pg.Found(err)
	if err == nil && !found {
		err = noVersion()
	}
	return versionOf(r), err
}

// see finds out that an owner's scenario has a version.
func see(ctx context.Context, db playdb.DBTX, owner, id uuid.UUID, number int64) error {
	_, err := queries.FindScenarioVersion(ctx, db, playdb.FindScenarioVersionParams{
		OwnerID: owner, ScenarioID: id, Version: number,
	})
	if found, err := pg.Found(err); err != nil || found {
		return err
	}
	if _, err := load(ctx, db, owner, id); err != nil {
		return err
	}
	return noVersion()
}

func insertVersion(ctx context.Context, db playdb.DBTX, id uuid.UUID, number int64, now time.Time) error {
	return queries.InsertScenarioVersion(ctx, db, playdb.InsertScenarioVersionParams{
		ScenarioID: id, Version: number, CreatedAt: now,
	})
}

// copyNodes puts the nodes of a version into the one after it.
func copyNodes(ctx context.Context, db playdb.DBTX, id uuid.UUID, from int64, now time.Time) error {
	return queries.CopyNodes(ctx, db, playdb.CopyNodesParams{
		ScenarioID: id, FromVersion: from, ToVersion: from + 1, CreatedAt: now,
	})
}

func publishVersion(ctx context.Context, db playdb.DBTX, id uuid.UUID, number int64, now time.Time) error {
	return queries.PublishScenarioVersion(ctx, db, playdb.PublishScenarioVersionParams{
		ScenarioID: id, Version: number, PublishedAt: now,
	})
}

func reviseVersion(ctx context.Context, db playdb.DBTX, id uuid.UUID, number int64) error {
	return queries.ReviseScenarioVersion(ctx, db, playdb.ReviseScenarioVersionParams{ScenarioID: id, Version: number})
}
