package assignment

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/generated/playdb"
	"github.com/pharos-mcp/pharos/internal/pg"
)

// DB is what statements run on: a transaction or a connection.
type DB = playdb.DBTX

var queries = playdb.New()

// scene is the kind of nodes that an assignment can be in, and published the
// status of versions that it can be of.
const (
	scene     = "scene"
	published = "published"
)

// optional gives nil for a row that is not there.
func optional[T any](row T, err error) (*T, error) {
	if found, err := pg.Found(err); err != nil || !found {
		return nil, err
	}
	return &row, nil
}

// owns tells whether a scenario is somebody's.
func owns(ctx context.Context, db DB, owner, scenario uuid.UUID) (bool, error) {
	return queries.OwnsScenario(ctx, db, playdb.OwnsScenarioParams{ID: scenario, OwnerID: owner})
}

// source gives the status of a version of somebody's scenario, or "".
func source(ctx context.Context, db DB, owner, scenario uuid.UUID, version int64) (string, error) {
	status, err := queries.GetSource(ctx, db, playdb.GetSourceParams{
		ScenarioID: scenario, OwnerID: owner, Version: version,
	})
	_, err = pg.Found(err)
	return status, err
}

// node is a part of a scenario.
type node struct{ id, kind string }

// kinds gives those of some nodes that a version has, in their order.
func kinds(ctx context.Context, db DB, scenario uuid.UUID, version int64, ids []string) ([]node, error) {
	rows, err := queries.ListKinds(ctx, db, playdb.ListKindsParams{ScenarioID: scenario, Version: version, Ids: ids})
	nodes := make([]node, len(rows))
	for i, r := range rows {
		nodes[i] = node{r.ID, r.Kind}
	}
	return nodes, err
}

// isScene tells whether a version has a scene of that name.
func isScene(ctx context.Context, db DB, scenario uuid.UUID, version int64, id string) (bool, error) {
	return queries.IsScene(ctx, db, playdb.IsSceneParams{ScenarioID: scenario, Version: version, ID: id})
}

// findPlayer gives who has a username and is active, or nil.
func findPlayer(ctx context.Context, db DB, username string) (*uuid.UUID, error) {
	return optional(queries.FindPlayer(ctx, db, username))
}

// made is what an assignment was made of.
type made struct {
	gm, attempt uuid.UUID
	request     [32]byte
}

// creationOf gives what made an assignment, or nil.
func creationOf(ctx context.Context, db DB, id uuid.UUID) (*made, error) {
	r, err := optional(queries.GetCreation(ctx, db, id))
	if err != nil || r == nil {
		return nil, err
	}
	return &made{r.GMID, r.AttemptID, [32]byte(r.Request)}, nil
}

// insert writes a new assignment, and tells whether its identifier was free.
func insert(ctx context.Context, db DB, c creation, player uuid.UUID, start string, now time.Time) (bool, error) {
	n, err := queries.InsertAssignment(ctx, db, playdb.InsertAssignmentParams{
		ID: c.ID, GMID: c.gm, PlayerID: player, ScenarioID: c.ScenarioID, SourceVersion: c.SourceVersion, Mode: c.Mode,
		Language: c.Language, Character: c.Character, Brief: c.Brief, Instructions: c.Instructions,
		Boundaries: c.Boundaries, ReturnCondition: c.ReturnCondition, GMNotes: c.GMNotes,
		PublishedNodeIds: c.PublishedNodeIDs, AutoApprove: c.AutoApprove, Request: c.request[:], AttemptID: c.attempt,
		CurrentScene: start, CreatedAt: now,
	})
	return n == 1, err
}

// roles gives who is in an assignment; nobody where it does not exist.
func roles(ctx context.Context, db DB, id uuid.UUID) (gm, player uuid.UUID, err error) {
	r, err := queries.GetRoles(ctx, db, id)
	_, err = pg.Found(err)
	return r.GMID, r.PlayerID, err
}

// holdActive reports whether everybody in an assignment is active, and keeps
// them so until the transaction ends.
func holdActive(ctx context.Context, tx pgx.Tx, id uuid.UUID) (bool, error) {
	gm, player, err := roles(ctx, tx, id)
	if err != nil {
		return false, err
	}
	standing, err := queries.HoldStanding(ctx, tx, []uuid.UUID{gm, player})
	return !slices.Contains(standing, false), err
}

// putToken gives an assignment a token in place of the one before.
func putToken(ctx context.Context, db DB, id uuid.UUID, digest []byte, t TokenInfo) error {
	return queries.PutAccessToken(ctx, db, playdb.PutAccessTokenParams{
		AssignmentID: id, Digest: digest, CreatedAt: t.CreatedAt, ExpiresAt: t.ExpiresAt,
	})
}

// deleteToken ends the token of an assignment.
func deleteToken(ctx context.Context, db DB, id uuid.UUID) error {
	return queries.DeleteAccessToken(ctx, db, id)
}

// findSeat gives the seat that a token is for.
func findSeat(ctx context.Context, db DB, digest []byte, now time.Time) (s Seat, found bool, err error) {
	r, err := queries.FindSeat(ctx, db, playdb.FindSeatParams{Digest: digest, Now: now})
	found, err = pg.Found(err)
	return Seat{AssignmentID: r.ID, PlayerID: r.PlayerID, Language: r.Language}, found, err
}
