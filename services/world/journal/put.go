package journal

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/generated/worlddb"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/world/geom"
)

// PutPlan keeps a plan, once, and returns it with its times.
func (s *Store) PutPlan(ctx context.Context, p Plan) (Plan, error) {
	kept, err := s.put(ctx, []Plan{p})
	if err != nil {
		return Plan{}, err
	}
	return kept[0], nil
}

// PutChain keeps the plans of a chain, all or none, and returns them with their
// times. All but the first run out as long after the end of the one before.
func (s *Store) PutChain(ctx context.Context, plans []Plan) ([]Plan, error) {
	if len(plans) == 0 || len(plans) > MaxChain {
		return nil, fmt.Errorf("a chain has %d plans, not 1 to %d", len(plans), MaxChain)
	}
	for i, p := range plans {
		if p.Chain == nil || *p.Chain != *plans[0].Chain || p.ChainIndex != i {
			return nil, fmt.Errorf("plan %d is not number %d of the chain", i, i)
		}
	}
	return s.put(ctx, plans)
}

func (s *Store) put(ctx context.Context, plans []Plan) ([]Plan, error) {
	for _, p := range plans {
		if err := p.check(); err != nil {
			return nil, err
		}
	}
	kept := make([]Plan, len(plans))
	err := pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		if err := s.putWorld(ctx, tx); err != nil {
			return err
		}
		for i, p := range plans {
			n, err := queries.InsertPlan(ctx, tx, s.planRow(p))
			if err != nil {
				return err
			}
			if kept[i], err = s.plan(ctx, tx, p.ID); err != nil {
				return err
			}
			if n == 0 && kept[i].Hash != p.Hash {
				return errors.New("the identifier of a plan is taken")
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return kept, nil
}

func (s *Store) planRow(p Plan) worlddb.InsertPlanParams {
	return worlddb.InsertPlanParams{
		ID: p.ID, WorldID: s.world, Project: p.Project, PlayerID: p.Player, Kind: string(p.Kind), Hash: p.Hash,
		Total: int32(len(p.Changes)), Changes: encodeChanges(p.Changes), Dependencies: encodeDependencies(p.Dependencies),
		Recipe: append([]byte{}, p.Recipe...),
		MinX:   p.Region.Min.X, MinY: p.Region.Min.Y, MinZ: p.Region.Min.Z, MaxX: p.Region.Max.X, MaxY: p.Region.Max.Y, MaxZ: p.Region.Max.Z,
		PartID: p.Part, UndoesID: p.Undoes, Skipped: int32(p.Skipped), ChainID: p.Chain, ChainIndex: int32(p.ChainIndex),
		Now: s.clock(), Seconds: Lifetime.Seconds(),
	}
}

// Plan finds a plan with all its blocks.
func (s *Store) Plan(ctx context.Context, id uuid.UUID) (p Plan, err error) {
	err = s.read(ctx, func(ctx context.Context, tx pgx.Tx) error {
		p, err = s.plan(ctx, tx, id)
		return err
	})
	return p, err
}

func (s *Store) plan(ctx context.Context, tx pgx.Tx, id uuid.UUID) (Plan, error) {
	r, err := queries.GetPlan(ctx, tx, worlddb.GetPlanParams{ID: id, WorldID: s.world})
	if found, err := pg.Found(err); err != nil || !found {
		return Plan{}, orAbsent(err, "plan", id)
	}
	p := Plan{
		ID: r.ID, World: r.WorldID, Project: r.Project, Player: r.PlayerID, Kind: Kind(r.Kind), Hash: r.Hash,
		Region: region(r.MinX, r.MinY, r.MinZ, r.MaxX, r.MaxY, r.MaxZ), Part: r.PartID, Undoes: r.UndoesID, Skipped: int(r.Skipped),
		Chain: r.ChainID, ChainIndex: int(r.ChainIndex), Created: r.CreatedAt, Expires: r.ExpiresAt, Discarded: r.DiscardedAt,
	}
	if len(r.Recipe) > 0 {
		p.Recipe = r.Recipe
	}
	if p.Changes, err = decodeChanges(r.Changes); err != nil {
		return Plan{}, fmt.Errorf("plan %s: %w", id, err)
	}
	if p.Dependencies, err = decodeDependencies(r.Dependencies); err != nil {
		return Plan{}, fmt.Errorf("plan %s: %w", id, err)
	}
	return p, nil
}

func region(minX, minY, minZ, maxX, maxY, maxZ int32) geom.Box {
	return geom.Box{Min: geom.Pos{X: minX, Y: minY, Z: minZ}, Max: geom.Pos{X: maxX, Y: maxY, Z: maxZ}}
}

// DiscardPlan has a plan never be begun. One that made an operation is plan_used.
func (s *Store) DiscardPlan(ctx context.Context, id uuid.UUID) (p Plan, err error) {
	err = s.write(ctx, func(ctx context.Context, l locked) error {
		head, err := l.head(ctx, id)
		if err != nil {
			return err
		}
		if head.Used {
			return l.used(ctx, id)
		}
		if err := queries.DiscardPlan(ctx, l.tx, worlddb.DiscardPlanParams{ID: id, DiscardedAt: l.now}); err != nil {
			return err
		}
		p, err = s.plan(ctx, l.tx, id)
		return err
	})
	return p, err
}

// head locks what decides about a plan.
func (l locked) head(ctx context.Context, id uuid.UUID) (worlddb.LockPlanRow, error) {
	head, err := queries.LockPlan(ctx, l.tx, worlddb.LockPlanParams{ID: id, WorldID: l.world})
	if found, err := pg.Found(err); err != nil || !found {
		return head, orAbsent(err, "plan", id)
	}
	return head, nil
}

// used refuses a plan that has an operation.
func (l locked) used(ctx context.Context, plan uuid.UUID) error {
	operation, err := queries.FindByPlan(ctx, l.tx, plan)
	if err != nil {
		return err
	}
	return fault.Newf(PlanUsed, "the plan has operation %s already; ask operation_status for it", operation)
}

// Kept is how long a plan that ran out without an operation can still be read.
const Kept = 24 * time.Hour

// Prune deletes at most so many of the plans that ran out longer than Kept ago
// without an operation, and tells how many. It looks at those of all worlds.
func (s *Store) Prune(ctx context.Context, most int) (int, error) {
	var n int64
	err := pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) (err error) {
		n, err = queries.PrunePlans(ctx, tx, worlddb.PrunePlansParams{Now: s.clock(), Seconds: Kept.Seconds(), Most: int32(most)})
		return err
	})
	return int(n), err
}
