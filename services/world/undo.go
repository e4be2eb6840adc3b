package world

import (
	"context"

	"github.com/pharos-mcp/pharos/edge/fault"
	catalog "github.com/pharos-mcp/pharos/generated/world"
	"github.com/pharos-mcp/pharos/generated/worldapi"
	"github.com/pharos-mcp/pharos/services/world/crashpoint"
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
	if len(estate.Own) == 0 {
		return to, nothing(estate)
	}
	r := plan.Reverse{Operation: id, Writes: make([]plan.Change, len(estate.Own))}
	for i, w := range estate.Own {
		r.Writes[i] = plan.Change{Pos: w.Pos, Before: w.Before, After: w.After}
	}
	p, left, _, err := plan.Undo(ctx, s.Host, c.planner(), r)
	if err != nil {
		return to, err
	}
	skipped := int64(len(estate.Lost) + left)
	reverse, err := s.Journal.PutPlan(ctx, kept(p, nil, int(skipped)))
	if err != nil {
		return to, err
	}
	crashpoint.At(crashpoint.PlanDurable)
	to = planTo(reverse)
	to.Skipped = &skipped
	return to, nil
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
