package chronicle

import (
	"context"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/generated/playdb"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/fold"
	"github.com/pharos-mcp/pharos/services/play/report"
)

// DB is what statements run on: a transaction or a pool of connections.
type DB = playdb.DBTX

var queries = playdb.New()

// session is an assignment as it was at a version.
type session struct {
	Assignment
	version int64
	memory  string
	summary *string
	total   int64 // of the journal
}

// known turns the error of a statement for one assignment into NotFound where
// there is none.
func known(err error) error {
	if found, err := pg.Found(err); err != nil || found {
		return err
	}
	return fault.New(fault.NotFound, "play session not found")
}

func find(ctx context.Context, db DB, id uuid.UUID) (session, error) {
	r, err := queries.GetSession(ctx, db, id)
	if err := known(err); err != nil {
		return session{}, err
	}
	return session{
		Assignment: Assignment{
			ID: r.ID, Status: r.Status, Mode: r.Mode, Language: r.Language, ScenarioTitle: r.ScenarioTitle,
			SourceVersion: r.SourceVersion, GM: r.GM, Player: r.Player, Character: r.Character, Brief: r.Brief,
			Instructions: r.Instructions, Boundaries: r.Boundaries, ReturnCondition: r.ReturnCondition,
			AutoApprove: r.AutoApprove, CurrentScene: r.CurrentScene, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
		},
		version: r.Version, memory: r.Memory, summary: r.Summary, total: r.Total,
	}, nil
}

// end is where a session stands.
type end struct {
	version int64
	memory  string
	total   int64 // of the journal
}

func findEnd(ctx context.Context, db DB, id uuid.UUID) (end, error) {
	r, err := queries.GetSessionEnd(ctx, db, id)
	return end{r.Version, r.Memory, r.Total}, known(err)
}

func materials(ctx context.Context, db DB, id uuid.UUID) ([]Material, error) {
	rows, err := queries.ListMaterials(ctx, db, id)
	out := make([]Material, len(rows))
	for i, r := range rows {
		out[i] = Material(r)
	}
	return out, err
}

// titles gives the title of each published node.
func titles(ctx context.Context, db DB, id uuid.UUID) (map[string]string, error) {
	rows, err := queries.ListMaterialTitles(ctx, db, id)
	out := make(map[string]string, len(rows))
	for _, r := range rows {
		out[r.ID] = r.Title
	}
	return out, err
}

// entries gives the events of a journal with numbers after one and up to
// another, the oldest first.
func entries(ctx context.Context, db DB, id uuid.UUID, after, until int64, most int) ([]Entry, error) {
	rows, err := queries.ListJournal(ctx, db, playdb.ListJournalParams{
		AssignmentID: id, After: after, Until: until, Most: int32(most),
	})
	out := make([]Entry, len(rows))
	for i, r := range rows {
		out[i] = Entry{
			Version: r.Version, Kind: r.Kind, Action: r.Action, Narration: r.Narration, Summary: r.Summary,
			Scene: r.Scene, At: r.CreatedAt,
		}
	}
	return out, err
}

// newest gives the consequences of the last turns as they are now.
func newest(ctx context.Context, db DB, id uuid.UUID, most int32) ([]assignment.Consequence, error) {
	rows, err := queries.ListNewestConsequences(ctx, db, playdb.ListNewestConsequencesParams{AssignmentID: id, Most: most})
	out := make([]assignment.Consequence, len(rows))
	for i, r := range rows {
		out[i] = assignment.Consequence{
			ID: r.ID, Version: r.Version, Position: r.Position, Category: r.Category, Description: r.Description,
			Status: r.Status, Note: r.Note, DecidedAt: r.DecidedAt, CreatedAt: r.CreatedAt,
		}
	}
	return out, err
}

// waiting gives the consequences that wait longest, each with its turn.
func waiting(ctx context.Context, db DB, id uuid.UUID, most int32) ([]Waiting, error) {
	rows, err := queries.ListWaiting(ctx, db, playdb.ListWaitingParams{AssignmentID: id, Most: most})
	out := make([]Waiting, len(rows))
	for i, r := range rows {
		out[i] = Waiting{
			assignment.Consequence{
				ID: r.ID, Version: r.Version, Position: r.Position, Category: r.Category, Description: r.Description,
				Status: assignment.Pending, CreatedAt: r.CreatedAt,
			},
			Entry{
				Version: r.Version, Kind: "turn", Action: r.Action, Narration: r.Narration, Scene: r.Scene, At: r.CreatedAt,
			},
		}
	}
	return out, err
}

// alongIndexes keeps the searches of a transaction from reading all there is.
func alongIndexes(ctx context.Context, db DB) error { return queries.SearchAlongIndexes(ctx, db) }

// searchNewest finds a folded text in the events after a number.
func searchNewest(ctx context.Context, db DB, id uuid.UUID, after int64, folded string) ([]Entry, error) {
	rows, err := queries.SearchNewest(ctx, db, playdb.SearchNewestParams{
		AssignmentID: id, After: after, Query: folded, Most: MaxMatches,
	})
	out := make([]Entry, len(rows))
	for i, r := range rows {
		out[i] = Entry{Version: r.Version, Kind: r.Kind, Action: r.Action, Narration: r.Narration, Summary: r.Summary}
	}
	return out, err
}

// searchByGrams finds a folded text in the events up to a number.
func searchByGrams(ctx context.Context, db DB, id uuid.UUID, until int64, folded string, most int) ([]Entry, error) {
	rows, err := queries.SearchByGrams(ctx, db, playdb.SearchByGramsParams{
		AssignmentID: id, Until: until, Query: folded, Needles: fold.Needles(id, folded), Most: int32(most),
	})
	out := make([]Entry, len(rows))
	for i, r := range rows {
		out[i] = Entry{Version: r.Version, Kind: r.Kind, Action: r.Action, Narration: r.Narration, Summary: r.Summary}
	}
	return out, err
}

// findNotes gives the notes of the game master and how many consequences wait.
func findNotes(ctx context.Context, db DB, id uuid.UUID) (notes string, pending int64, err error) {
	r, err := queries.GetReportSource(ctx, db, id)
	return r.GMNotes, r.Pending, known(err)
}

// effectsOf gives the consequences of the turns from one version to another, each
// turn's by its version, as they were when the assignment was at a version.
func effectsOf(ctx context.Context, db DB, id uuid.UUID, since, until, at int64) (map[int64][]report.Consequence, error) {
	rows, err := queries.ListConsequencesOfTurns(ctx, db, playdb.ListConsequencesOfTurnsParams{
		AssignmentID: id, Since: since, Until: until, Most: reported * assignment.MaxConsequences,
	})
	out := make(map[int64][]report.Consequence)
	for _, r := range rows {
		c := report.Consequence{Category: r.Category, Description: r.Description, Status: assignment.Pending}
		if r.DecidedVersion == nil || *r.DecidedVersion <= at {
			c.Status, c.Note, c.DecidedAt = r.Status, r.Note, r.DecidedAt
		}
		out[r.Version] = append(out[r.Version], c)
	}
	return out, err
}
