package scenario

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/generated/playdb"
	"github.com/pharos-mcp/pharos/internal/pg"
)

var queries = playdb.New()

// lockAuthor lets nobody else add to what an account owns.
func lockAuthor(ctx context.Context, db playdb.DBTX, owner uuid.UUID) error {
	_, err := queries.LockAuthor(ctx, db, owner)
	found, err := pg.Found(err)
	if err == nil && !found {
		err = fault.New(fault.NotFound, "there is no such account")
	}
	return err
}

// creationOf gives the digest of the creation of an owner's scenario, or nil.
func creationOf(ctx context.Context, db playdb.DBTX, owner, id uuid.UUID) ([]byte, error) {
	r, err := queries.GetScenario(ctx, db, playdb.GetScenarioParams{ID: id, OwnerID: owner})
	if found, err := pg.Found(err); err != nil || !found {
		return nil, err
	}
	return r.Request, nil
}

// begin writes a new scenario with its first version, a draft.
func begin(
	ctx context.Context, db playdb.DBTX, owner uuid.UUID, n NewScenario, request []byte, now time.Time,
) error {
	has, err := countOf(ctx, db, owner)
	if err != nil {
		return err
	}
	if has >= MaxScenarios {
		return fault.Newf(fault.Conflict, "an account has at most %d scenarios", MaxScenarios)
	}
	fresh, err := queries.InsertScenario(ctx, db, playdb.InsertScenarioParams{
		ID: n.ID, OwnerID: owner, Title: n.Title, Summary: n.Summary, Language: n.Language,
		Request: request, CreatedAt: now,
	})
	if err != nil {
		return err
	}
	if fresh == 0 {
		return taken()
	}
	return insertVersion(ctx, db, n.ID, 1, now)
}

// load gives an owner's scenario with its versions.
func load(ctx context.Context, db playdb.DBTX, owner, id uuid.UUID) (Scenario, error) {
	s, err := orNone(queries.GetScenario(ctx, db, playdb.GetScenarioParams{ID: id, OwnerID: owner}))
	if err != nil {
		return Scenario{}, err
	}
	rows, err := queries.ListScenarioVersions(ctx, db, id)
	for _, r := range rows {
		s.Versions = append(s.Versions, versionOf(r))
	}
	return s, err
}

// lock gives an owner's scenario that nobody else changes meanwhile.
func lock(ctx context.Context, db playdb.DBTX, owner, id uuid.UUID) (Scenario, error) {
	return orNone(queries.LockScenario(ctx, db, playdb.LockScenarioParams{ID: id, OwnerID: owner}))
}

// save writes what of a locked scenario changes.
func save(ctx context.Context, db playdb.DBTX, id uuid.UUID, latest int64, now time.Time) error {
	return queries.UpdateScenario(ctx, db, playdb.UpdateScenarioParams{ID: id, Latest: latest, UpdatedAt: now})
}

// orNone makes a fault of a row that there is not.
func orNone(r playdb.PlayScenario, err error) (Scenario, error) {
	found, err := pg.Found(err)
	if err != nil {
		return Scenario{}, err
	}
	if !found {
		return Scenario{}, noScenario()
	}
	return Scenario{
		ID: r.ID, OwnerID: r.OwnerID, Title: r.Title, Summary: r.Summary, Language: r.Language, Latest: r.Latest,
		CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}, nil
}

func countOf(ctx context.Context, db playdb.DBTX, owner uuid.UUID) (int, error) {
	n, err := queries.CountScenarios(ctx, db, owner)
	return int(n), err
}

func listOf(ctx context.Context, db playdb.DBTX, owner uuid.UUID, offset, limit int) ([]Scenario, error) {
	rows, err := queries.ListScenarios(ctx, db, playdb.ListScenariosParams{
		OwnerID: owner, Start: int32(offset), Most: int32(limit),
	})
	list := make([]Scenario, len(rows))
	for i, r := range rows {
		list[i] = Scenario{
			ID: r.ID, OwnerID: r.OwnerID, Title: r.Title, Summary: r.Summary, Language: r.Language, Latest: r.Latest,
			CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
			Versions: []Version{{r.Latest, r.Status, r.Revision, r.VersionCreatedAt, r.PublishedAt}},
		}
	}
	return list, err
}
