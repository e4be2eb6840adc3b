package journal

import (
	"context"
	"fmt"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/generated/worlddb"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/world/geom"
)

// MaxName is how long the name of a part may be, in characters.
const MaxName = 64

// PutPart makes a part of what an operation of the same project wrote, which has
// ended as applied or conflict. Only ID, Project, Player, Name and Operation of
// it count. The same name and operation give the same part.
func (s *Store) PutPart(ctx context.Context, p Part) (part Part, err error) {
	if n := utf8.RuneCountInString(p.Name); n < 1 || n > MaxName || clip(p.Name, len(p.Name)) != p.Name {
		return Part{}, fault.Newf(fault.Invalid, "name must be 1 to %d characters", MaxName)
	}
	err = pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		positions, err := s.written(ctx, tx, p)
		if err != nil {
			return err
		}
		b := bounds(positions)
		err = queries.InsertPart(ctx, tx, worlddb.InsertPartParams{
			ID: p.ID, WorldID: s.world, Project: p.Project, PlayerID: p.Player, Name: p.Name, OperationID: p.Operation,
			Total: int32(len(positions)), Positions: encodePositions(positions),
			MinX: b.Min.X, MinY: b.Min.Y, MinZ: b.Min.Z, MaxX: b.Max.X, MaxY: b.Max.Y, MaxZ: b.Max.Z, Now: s.clock(),
		})
		if err != nil {
			return err
		}
		id, err := queries.FindPart(ctx, tx, worlddb.FindPartParams{OperationID: p.Operation, Name: p.Name})
		if err != nil {
			return err
		}
		part, err = s.part(ctx, tx, p.Project, id)
		return err
	})
	return part, err
}

// written lists what the operation of a new part wrote.
func (s *Store) written(ctx context.Context, tx pgx.Tx, p Part) ([]geom.Pos, error) {
	r, err := queries.GetWritten(ctx, tx, worlddb.GetWrittenParams{ID: p.Operation, WorldID: s.world})
	if found, err := pg.Found(err); err != nil || !found || r.Project != p.Project {
		return nil, orAbsent(err, "operation", p.Operation)
	}
	if status := Status(r.Status); status != Applied && status != Conflicted {
		return nil, fault.Newf(fault.Invalid, "operation %s is %s: a part is what an operation wrote that ended as applied or conflict",
			p.Operation, status)
	}
	changes, err := decodeChanges(r.Changes)
	if err != nil {
		return nil, err
	}
	wrote, err := decodeMask(r.Wrote, len(changes))
	if err != nil {
		return nil, err
	}
	if len(wrote) == 0 {
		return nil, fault.Newf(fault.Invalid, "operation %s wrote nothing that a part could be made of", p.Operation)
	}
	positions := make([]geom.Pos, len(wrote))
	for i, n := range wrote {
		positions[i] = changes[n].Pos
	}
	return positions, nil
}

// bounds is the smallest box with some positions.
func bounds(positions []geom.Pos) geom.Box {
	b := geom.NewBox(positions[0], positions[0])
	for _, p := range positions {
		b = b.Union(geom.NewBox(p, p))
	}
	return b
}

// Part finds a part of a project.
func (s *Store) Part(ctx context.Context, project string, id uuid.UUID) (part Part, err error) {
	err = s.read(ctx, func(ctx context.Context, tx pgx.Tx) error {
		part, err = s.part(ctx, tx, project, id)
		return err
	})
	return part, err
}

func (s *Store) part(ctx context.Context, tx pgx.Tx, project string, id uuid.UUID) (Part, error) {
	r, err := queries.GetPart(ctx, tx, worlddb.GetPartParams{ID: id, WorldID: s.world, Project: project})
	if found, err := pg.Found(err); err != nil || !found {
		return Part{}, orAbsent(err, "part", id)
	}
	p := Part{
		ID: r.ID, World: r.WorldID, Project: r.Project, Player: r.PlayerID, Name: r.Name, Operation: r.OperationID, Count: int(r.Total),
		Bounds: region(r.MinX, r.MinY, r.MinZ, r.MaxX, r.MaxY, r.MaxZ), Created: r.CreatedAt,
	}
	if p.Positions, err = decodePositions(r.Positions); err != nil {
		return Part{}, fmt.Errorf("part %s: %w", id, err)
	}
	return p, nil
}

// Parts lists the newest parts of a project, newest first, without their masks.
func (s *Store) Parts(ctx context.Context, project string, most int) (parts []Part, err error) {
	err = s.read(ctx, func(ctx context.Context, tx pgx.Tx) error {
		rows, err := queries.ListParts(ctx, tx, worlddb.ListPartsParams{WorldID: s.world, Project: project, Most: listed(most)})
		if err != nil {
			return err
		}
		parts, err = each(rows, func(r worlddb.ListPartsRow) (Part, error) {
			return Part{
				ID: r.ID, World: r.WorldID, Project: r.Project, Player: r.PlayerID, Name: r.Name, Operation: r.OperationID,
				Count: int(r.Total), Bounds: region(r.MinX, r.MinY, r.MinZ, r.MaxX, r.MaxY, r.MaxZ), Created: r.CreatedAt,
			}, nil
		})
		return err
	})
	return parts, err
}
