package world

import (
	"context"

	"github.com/pharos-mcp/pharos/edge/fault"
	catalog "github.com/pharos-mcp/pharos/generated/world"
	"github.com/pharos-mcp/pharos/generated/worldapi"
	"github.com/pharos-mcp/pharos/services/world/crashpoint"
	"github.com/pharos-mcp/pharos/services/world/journal"
	"github.com/pharos-mcp/pharos/services/world/operation"
	"github.com/pharos-mcp/pharos/services/world/plan"
)

// listed is how many operations an undo list has where nobody says how many.
const listed = 10

// OperationUndoPrepare implements catalog.Handler (W-17, W-18).
func (s *Service) OperationUndoPrepare(ctx context.Context, in *catalog.OperationUndoPrepareInput) (to worldapi.PlanModel, err error) {
	c, err := s.admit("operation_undo_prepare", in.Body.PlayerID, in.Body.ProjectID)
	if err != nil {
		return to, err
	}
	id, err := parse("operation_id", in.Body.OperationID)
	if err != nil {
		return to, err
	}
	estate, err := s.Engine.Estate(ctx, c.project.ID, id)
	if err != nil {
		return to, err
	}
	reverse, skipped, err := s.undo(ctx, c, estate)
	if err != nil {
		return to, err
	}
	to = planTo(reverse)
	to.Skipped = new(int64(skipped))
	return to, nil
}

// undo has the journal keep the plan that takes back what an operation may take
// back, and tells how many blocks it may not.
func (s *Service) undo(ctx context.Context, c caller, e operation.Estate) (reverse journal.Plan, skipped int, err error) {
	if len(e.Own) == 0 {
		return reverse, 0, nothing(e)
	}
	r := plan.Reverse{Operation: e.Operation.ID, Writes: make([]plan.Change, len(e.Own))}
	for i, w := range e.Own {
		r.Writes[i] = plan.Change{Pos: w.Pos, Before: w.Before, After: w.After}
	}
	p, left, _, err := plan.Undo(ctx, s.Host, c.planner(), r)
	if err != nil {
		return reverse, 0, err
	}
	skipped = len(e.Lost) + left
	if reverse, err = s.Journal.PutPlan(ctx, kept(p, nil, skipped)); err != nil {
		return reverse, 0, err
	}
	crashpoint.At(crashpoint.PlanDurable)
	return reverse, skipped, nil
}

// nothing says why there is nothing to take back.
func nothing(e operation.Estate) error {
	if len(e.Lost) == 0 {
		return fault.Newf(plan.NothingToUndo, "operation %s has written nothing", e.Operation.ID)
	}
	return fault.Newf(plan.NothingToUndo, "none of the %d blocks that operation %s wrote is its own any more: at %s, %s",
		len(e.Lost), e.Operation.ID, e.Lost[0].Pos, e.Lost[0].Why)
}

// OperationUndoList implements catalog.Handler, where the extension is on.
func (s *Service) OperationUndoList(ctx context.Context, in *catalog.OperationUndoListInput) (to worldapi.UndoListModel, err error) {
	c, err := s.admit("operation_undo_list", in.Body.PlayerID, in.Body.ProjectID)
	if err != nil {
		return to, err
	}
	most := listed
	if in.Body.Limit != nil {
		most = int(*in.Body.Limit)
	}
	newest, err := s.Journal.UndoList(ctx, c.project.ID, most)
	if err != nil {
		return to, err
	}
	to.Operations = []worldapi.UndoListOperationsItemModel{}
	for _, o := range newest {
		estate, err := s.Engine.Estate(ctx, c.project.ID, o.ID)
		if err != nil {
			return worldapi.UndoListModel{}, err
		}
		if len(estate.Own) == 0 {
			continue
		}
		to.Operations = append(to.Operations, worldapi.UndoListOperationsItemModel{
			OperationID: o.ID.String(), PlanID: o.Plan.String(), Status: string(o.Status), OwnBlocks: int64(len(estate.Own)),
			CreatedAt: timeTo(o.Created),
		})
	}
	return to, nil
}
