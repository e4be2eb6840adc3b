package assignment

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
)

// absent is told of an assignment that does not exist, and of one of others.
var absent = fault.New(fault.NotFound, "play session not found")

// List gives the newest assignments of a game master or player, 200 at most,
// without their texts, but for how the character begins, and the nodes that they
// publish.
func (s *Service) List(ctx context.Context, viewer uuid.UUID) ([]Assignment, error) {
	now := s.now()
	var list []Assignment
	err := pg.Read(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		given, err := ofGM(ctx, tx, viewer, now)
		if err != nil {
			return err
		}
		got, err := ofPlayer(ctx, tx, viewer, now)
		list = append(given, got...)
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b Assignment) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), slices.Compare(b.ID[:], a.ID[:]))
	})
	return list[:min(len(list), MaxListed)], nil
}

// Get gives an assignment to its game master or its player, and says which of
// them it is. The notes of the game master are for him alone.
func (s *Service) Get(ctx context.Context, viewer, id uuid.UUID) (a Assignment, role Role, err error) {
	err = pg.Look(ctx, s.pool, func(ctx context.Context, conn *pgxpool.Conn) error {
		a, role, err = s.get(ctx, conn, viewer, id)
		return err
	})
	return a, role, err
}

// get is Get without a connection of its own.
func (s *Service) get(ctx context.Context, db DB, viewer, id uuid.UUID) (Assignment, Role, error) {
	a, err := find(ctx, db, viewer, id, s.now())
	switch {
	case err != nil:
		return Assignment{}, "", err
	case a == nil:
		return Assignment{}, "", absent
	case a.GM.ID == viewer:
		return *a, GM, nil
	}
	a.GMNotes = ""
	return *a, Player, nil
}

// roleOf says what somebody is in an assignment.
func roleOf(ctx context.Context, db DB, viewer, id uuid.UUID) (Role, error) {
	gm, player, err := roles(ctx, db, id)
	switch {
	case err != nil:
		return "", err
	case viewer == gm:
		return GM, nil
	case viewer == player:
		return Player, nil
	}
	return "", absent
}
