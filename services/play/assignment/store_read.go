package assignment

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/generated/playdb"
)

// find gives an assignment that somebody is in, or nil.
func find(ctx context.Context, db DB, viewer, id uuid.UUID, now time.Time) (*Assignment, error) {
	r, err := optional(queries.GetAssignment(ctx, db, playdb.GetAssignmentParams{ID: id, ViewerID: viewer, Now: now}))
	if err != nil || r == nil {
		return nil, err
	}
	return &Assignment{
		ID: r.ID, ScenarioID: r.ScenarioID, ScenarioTitle: r.ScenarioTitle, SourceVersion: r.SourceVersion,
		GM:     Person{r.GMID, r.GMUsername, r.GMDisplayName},
		Player: Person{r.PlayerID, r.PlayerUsername, r.PlayerDisplayName},
		Mode:   r.Mode, Language: r.Language, Status: r.Status, Character: r.Character, Brief: r.Brief,
		Instructions: r.Instructions, Boundaries: r.Boundaries, ReturnCondition: r.ReturnCondition, GMNotes: r.GMNotes,
		PublishedNodeIDs: r.PublishedNodeIds, AutoApprove: r.AutoApprove, Version: r.Version, Memory: r.Memory,
		CurrentScene: r.CurrentScene, Summary: r.Summary, Pending: r.Pending, CreatedAt: r.CreatedAt,
		UpdatedAt: r.UpdatedAt, Token: tokenOf(r.TokenCreatedAt, r.TokenExpiresAt),
	}, nil
}

func tokenOf(created, expires *time.Time) *TokenInfo {
	if created == nil || expires == nil {
		return nil
	}
	return &TokenInfo{*created, *expires}
}

// ofGM lists the newest assignments that a game master gave.
func ofGM(ctx context.Context, db DB, gm uuid.UUID, now time.Time) ([]Assignment, error) {
	rows, err := queries.ListAssignmentsOfGM(ctx, db, playdb.ListAssignmentsOfGMParams{
		GMID: gm, Now: now, Most: MaxListed, Shown: MaxListedCharacter,
	})
	list := make([]Assignment, len(rows))
	for i, r := range rows {
		list[i] = listed(r)
	}
	return list, err
}

// ofPlayer lists the newest assignments that a player was given by others.
func ofPlayer(ctx context.Context, db DB, player uuid.UUID, now time.Time) ([]Assignment, error) {
	rows, err := queries.ListAssignmentsOfPlayer(ctx, db, playdb.ListAssignmentsOfPlayerParams{
		PlayerID: player, Now: now, Most: MaxListed, Shown: MaxListedCharacter,
	})
	list := make([]Assignment, len(rows))
	for i, r := range rows {
		list[i] = listed(playdb.ListAssignmentsOfGMRow(r))
	}
	return list, err
}

func listed(r playdb.ListAssignmentsOfGMRow) Assignment {
	return Assignment{
		ID: r.ID, ScenarioID: r.ScenarioID, ScenarioTitle: r.ScenarioTitle, SourceVersion: r.SourceVersion,
		GM:     Person{r.GMID, r.GMUsername, r.GMDisplayName},
		Player: Person{r.PlayerID, r.PlayerUsername, r.PlayerDisplayName},
		Mode:   r.Mode, Language: r.Language, Status: r.Status, AutoApprove: r.AutoApprove, Version: r.Version,
		Character: r.Character, CurrentScene: r.CurrentScene, Pending: r.Pending,
		CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
		Token: tokenOf(r.TokenCreatedAt, r.TokenExpiresAt),
	}
}

// countConsequences counts an assignment's consequences.
func countConsequences(ctx context.Context, db DB, id uuid.UUID) (int, error) {
	n, err := queries.CountConsequences(ctx, db, id)
	return int(n), err
}

// consequences lists some of an assignment's consequences, those of the newest
// turn first.
func consequences(ctx context.Context, db DB, id uuid.UUID, skip, most int32) ([]Consequence, error) {
	rows, err := queries.ListConsequences(ctx, db, playdb.ListConsequencesParams{
		AssignmentID: id, Skip: skip, Most: most,
	})
	list := make([]Consequence, len(rows))
	for i, r := range rows {
		list[i] = Consequence(r)
	}
	return list, err
}
