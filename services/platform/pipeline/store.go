package pipeline

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/generated/platformdb"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/platform/page"
)

// DB is what statements run on: a transaction or a pool of connections.
type DB = platformdb.DBTX

var queries = platformdb.New()

// projectOf gives the project of a pipeline; false means that there is none.
func projectOf(ctx context.Context, db DB, id uuid.UUID) (uuid.UUID, bool, error) {
	in, err := queries.FindPipeline(ctx, db, id)
	found, err := pg.Found(err)
	return in, found, err
}

// lock gives a pipeline for a change, without its definition.
func lock(ctx context.Context, tx pgx.Tx, id uuid.UUID) (Pipeline, bool, error) {
	row, err := queries.LockPipeline(ctx, tx, id)
	found, err := pg.Found(err)
	return pipelineOf(row), found, err
}

// share holds off changes of a pipeline, and gives it without its definition.
func share(ctx context.Context, tx pgx.Tx, id uuid.UUID) (Pipeline, bool, error) {
	row, err := queries.SharePipeline(ctx, tx, id)
	found, err := pg.Found(err)
	return pipelineOf(row), found, err
}

// insert adds a pipeline with its first version; false means that the
// identifier is taken.
func insert(ctx context.Context, tx pgx.Tx, p Pipeline) (bool, error) {
	n, err := queries.InsertPipeline(ctx, tx, platformdb.InsertPipelineParams{
		ID: p.ID, ProjectID: p.Project, Name: p.Name, Description: p.Description, CreatedBy: p.CreatedBy,
		CreatedAt: p.CreatedAt,
	})
	if err != nil || n == 0 {
		return false, err
	}
	return true, addVersion(ctx, tx, p, p.CreatedBy, p.CreatedAt)
}

// addVersion adds a pipeline's definition as its newest version.
func addVersion(ctx context.Context, tx pgx.Tx, p Pipeline, party uuid.UUID, now time.Time) error {
	definition, err := json.Marshal(p.Definition)
	if err != nil {
		return err
	}
	return queries.InsertPipelineVersion(ctx, tx, platformdb.InsertPipelineVersionParams{
		PipelineID: p.ID, Number: p.Latest, Definition: definition, CreatedBy: party, CreatedAt: now,
	})
}

// publishVersion lets runs name a version.
func publishVersion(ctx context.Context, tx pgx.Tx, id uuid.UUID, number int64, now time.Time) error {
	return queries.PublishPipelineVersion(ctx, tx, platformdb.PublishPipelineVersionParams{
		PipelineID: id, Number: number, PublishedAt: now,
	})
}

// update writes a locked pipeline.
func update(ctx context.Context, tx pgx.Tx, p Pipeline) error {
	return queries.UpdatePipeline(ctx, tx, platformdb.UpdatePipelineParams{
		ID: p.ID, Name: p.Name, Description: p.Description, State: string(p.State), Latest: p.Latest, Published: p.Published,
		Revision: p.Revision, UpdatedAt: p.UpdatedAt,
	})
}

// remove deletes a locked pipeline.
func remove(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	return queries.DeletePipeline(ctx, tx, id)
}

// get gives a pipeline to a member of its project.
func get(ctx context.Context, db DB, id, party uuid.UUID) (Pipeline, bool, error) {
	row, err := queries.GetPipeline(ctx, db, platformdb.GetPipelineParams{ID: id, PartyID: party})
	if found, err := pg.Found(err); err != nil || !found {
		return Pipeline{}, false, err
	}
	p := Pipeline{
		ID: row.ID, Project: row.ProjectID, Name: row.Name, Description: row.Description, State: State(row.State),
		Latest: row.Latest, Published: row.Published, Revision: row.Revision, CreatedBy: row.CreatedBy,
		CreatedAt: row.CreatedAt, UpdatedAt: row.UpdatedAt,
	}
	return p, true, json.Unmarshal(row.Definition, &p.Definition)
}

// list gives the pipelines of a filter to a member, by the index that fits it.
func list(ctx context.Context, db DB, f Filter, party uuid.UUID, p page.Page) ([]Pipeline, error) {
	var rows []platformdb.PlatformPipeline
	var err error
	at, id, size := p.Below().Time, p.Below().ID, p.Fetch()
	if f.State != nil {
		rows, err = queries.ListPipelinesInState(ctx, db, platformdb.ListPipelinesInStateParams{
			PartyID: party, ProjectID: f.Project, State: string(*f.State), BeforeTime: at, BeforeID: id, PageSize: size,
		})
	} else {
		rows, err = queries.ListPipelines(ctx, db, platformdb.ListPipelinesParams{
			PartyID: party, ProjectID: f.Project, BeforeTime: at, BeforeID: id, PageSize: size,
		})
	}
	if err != nil {
		return nil, err
	}
	pipelines := make([]Pipeline, 0, len(rows))
	for _, row := range rows {
		pipelines = append(pipelines, pipelineOf(row))
	}
	return pipelines, nil
}

// getVersion gives one version.
func getVersion(ctx context.Context, db DB, id uuid.UUID, number int64) (Version, bool, error) {
	row, err := queries.GetPipelineVersion(ctx, db, platformdb.GetPipelineVersionParams{PipelineID: id, Number: number})
	if found, err := pg.Found(err); err != nil || !found {
		return Version{}, false, err
	}
	v, err := versionOf(row)
	return v, true, err
}

// versions gives the versions of a pipeline to a member of its project.
func versions(ctx context.Context, db DB, id, party uuid.UUID, p page.Page) ([]Version, error) {
	rows, err := queries.ListPipelineVersions(ctx, db, platformdb.ListPipelineVersionsParams{
		PipelineID: id, PartyID: party, Before: p.Below().Number, PageSize: p.Fetch(),
	})
	if err != nil {
		return nil, err
	}
	all := make([]Version, 0, len(rows))
	for _, row := range rows {
		v, err := versionOf(row)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

func pipelineOf(row platformdb.PlatformPipeline) Pipeline {
	return Pipeline{
		ID: row.ID, Project: row.ProjectID, Name: row.Name, Description: row.Description, State: State(row.State),
		Latest: row.Latest, Published: row.Published, Revision: row.Revision, CreatedBy: row.CreatedBy,
		CreatedAt: row.CreatedAt, UpdatedAt: row.UpdatedAt,
	}
}

func versionOf(row platformdb.PlatformPipelineVersion) (Version, error) {
	v := Version{Number: row.Number, CreatedBy: row.CreatedBy, CreatedAt: row.CreatedAt, PublishedAt: row.PublishedAt}
	return v, json.Unmarshal(row.Definition, &v.Definition)
}
