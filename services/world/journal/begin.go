package journal

import (
	"context"
	"regexp"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/generated/worlddb"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/world/geom"
)

// Request asks for an operation.
type Request struct {
	ID      uuid.UUID // of the operation, where it is a new one; another for each call
	Project string
	Player  uuid.UUID
	Plan    uuid.UUID
	Hash    string // as the caller has it
	Key     string // 1 to 128 printable ASCII characters but the space
	// Area is where a plan that is begun has to lie, which may have become smaller
	// since it was prepared; nil is anywhere.
	Area *geom.Box
}

var key = regexp.MustCompile(`^[!-~]{1,128}$`)

// Begin makes an operation, or finds the one that the same key and plan have
// made, also when the plan has run out since. created tells that this request
// made it, so that it has to be worked at. Its faults are this package's codes,
// not_found, and invalid_request for the key.
func (s *Store) Begin(ctx context.Context, r Request) (o Operation, created bool, err error) {
	if !key.MatchString(r.Key) {
		return Operation{}, false, fault.New(fault.Invalid, "idempotency_key must be 1 to 128 printable ASCII characters without spaces")
	}
	err = s.write(ctx, func(ctx context.Context, l locked) error {
		id, err := l.begun(ctx, r)
		if err != nil {
			return err
		}
		if id == uuid.Nil {
			id = r.ID
			if err := l.begin(ctx, r); err != nil {
				return err
			}
		}
		created = id == r.ID
		o, err = s.operation(ctx, l.tx, id)
		return err
	})
	if err != nil {
		return Operation{}, false, err
	}
	return o, created, nil
}

// begun finds what the key stands for; uuid.Nil where that is nothing.
func (l locked) begun(ctx context.Context, r Request) (uuid.UUID, error) {
	known, err := queries.FindByKey(ctx, l.tx, worlddb.FindByKeyParams{WorldID: l.world, Project: r.Project, Key: r.Key})
	if found, err := pg.Found(err); err != nil || !found {
		return uuid.Nil, err
	}
	if known.PlanID != r.Plan {
		return uuid.Nil, fault.Newf(KeyReused, "the idempotency_key stands for operation %s of another plan; "+
			"take a new key for a new plan", known.ID)
	}
	head, err := l.head(ctx, r.Plan)
	if err != nil {
		return uuid.Nil, err
	}
	return known.ID, r.owns(head)
}

// owns refuses a plan that is not this request's.
func (r Request) owns(head worlddb.LockPlanRow) error {
	switch {
	case head.Project != r.Project:
		return absent("plan", r.Plan)
	case head.PlayerID != r.Player:
		return fault.Newf(PermissionDenied, "plan %s was prepared for somebody else; prepare one of your own", r.Plan)
	case head.Hash != r.Hash:
		return fault.Newf(HashMismatch, "plan_hash is not that of plan %s; give the plan_hash that came with it", r.Plan)
	}
	return nil
}

// begin makes the operation of a plan under a new key.
func (l locked) begin(ctx context.Context, r Request) error {
	head, err := l.head(ctx, r.Plan)
	if err != nil {
		return err
	}
	if err := r.owns(head); err != nil {
		return err
	}
	if err := l.ready(ctx, r, head); err != nil {
		return err
	}
	if err := l.free(ctx, r.Project); err != nil {
		return err
	}
	err = queries.InsertOperation(ctx, l.tx, worlddb.InsertOperationParams{
		ID: r.ID, WorldID: l.world, Number: l.last + 1, PlanID: r.Plan, Project: r.Project, PlayerID: r.Player, Key: r.Key,
		Kind: head.Kind, UndoesID: head.UndoesID, MinX: head.MinX, MinY: head.MinY, MinZ: head.MinZ,
		MaxX: head.MaxX, MaxY: head.MaxY, MaxZ: head.MaxZ, Total: head.Total, CreatedAt: l.now,
	})
	if err != nil {
		return err
	}
	if err := queries.UsePlan(ctx, l.tx, r.Plan); err != nil {
		return err
	}
	return queries.RaiseNumber(ctx, l.tx, l.world)
}

// ready refuses a plan that cannot be begun, now or for ever.
func (l locked) ready(ctx context.Context, r Request, head worlddb.LockPlanRow) error {
	switch {
	case head.Used:
		return l.used(ctx, r.Plan)
	case head.DiscardedAt != nil:
		return fault.New(PlanDiscarded, "the plan was discarded; prepare a new one")
	case r.Area != nil && head.Total > 0 && !r.Area.Holds(regionOf(head)):
		return fault.New(OutOfBounds, "the plan leaves the project's area, which has changed since; prepare a new one")
	}
	if head.ChainID != nil && head.ChainIndex > 0 {
		status, err := queries.GetStatusInChain(ctx, l.tx, worlddb.GetStatusInChainParams{
			ChainID: *head.ChainID, ChainIndex: head.ChainIndex - 1, WorldID: l.world,
		})
		if _, err := pg.Found(err); err != nil {
			return err
		}
		if err := follows(head.ChainIndex, Status(status)); err != nil {
			return err
		}
	}
	if !l.now.Before(head.ExpiresAt) {
		return fault.Newf(PlanExpired, "the plan ran out at %s; prepare a new one", head.ExpiresAt.Format("2006-01-02T15:04:05Z07:00"))
	}
	return nil
}

func regionOf(head worlddb.LockPlanRow) geom.Box {
	return geom.Box{Min: geom.Pos{X: head.MinX, Y: head.MinY, Z: head.MinZ}, Max: geom.Pos{X: head.MaxX, Y: head.MaxY, Z: head.MaxZ}}
}

// follows refuses a plan of a chain whose predecessor is not applied; "" stands
// for one that is not begun.
func follows(index int32, before Status) error {
	switch {
	case before == Applied:
		return nil
	case before == "":
		return fault.Newf(PlanOutOfOrder, "the plan is number %d of its chain; apply number %d first", index+1, index)
	case before.Ended():
		return fault.Newf(PlanOutOfOrder, "plan number %d of the chain ended as %s, not as applied; prepare what is left anew",
			index, before)
	default:
		return fault.Newf(PlanOutOfOrder, "plan number %d of the chain is %s; wait until it is applied", index, before)
	}
}

// free refuses while nothing may begin.
func (l locked) free(ctx context.Context, project string) error {
	other, err := queries.FindUnfinished(ctx, l.tx, l.world)
	found, err := pg.Found(err)
	switch {
	case err != nil:
		return err
	case found && Status(other.Status) == RecoveryRequired:
		return fault.Newf(NeedsRecovery, "operation %s was interrupted and waits for a person's decision; nothing is written until then",
			other.ID)
	}
	paused, err := queries.IsPaused(ctx, l.tx, worlddb.IsPausedParams{WorldID: l.world, Project: project})
	switch {
	case err != nil:
		return err
	case paused:
		return fault.New(Paused, "the owner has stopped all writes of the project; wait until they resume them")
	case found:
		return &fault.Fault{
			Code:       Busy,
			Message:    "operation " + other.ID.String() + " is not done; wait for it, then repeat the same call",
			RetryAfter: busyAgain,
		}
	}
	return nil
}
