package world

import (
	"context"

	catalog "github.com/pharos-mcp/pharos/generated/world"
	"github.com/pharos-mcp/pharos/generated/worldapi"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// BuildApply implements catalog.Handler (W-15).
func (s *Service) BuildApply(ctx context.Context, in *catalog.BuildApplyInput) (to worldapi.OperationModel, err error) {
	c, err := s.admit("build_apply", in.Body.PlayerID, in.Body.ProjectID)
	if err != nil {
		return to, err
	}
	id, err := parse("plan_id", in.Body.PlanID)
	if err != nil {
		return to, err
	}
	o, err := s.Engine.Apply(ctx, journal.Request{
		Project: c.project.ID, Player: c.player, Plan: id, Hash: in.Body.PlanHash, Key: in.Body.IdempotencyKey,
		Area: &c.project.Area,
	})
	if err != nil {
		return to, err
	}
	return operationTo(o), nil
}

// OperationStatus implements catalog.Handler (W-17).
func (s *Service) OperationStatus(ctx context.Context, in *catalog.OperationStatusInput) (to worldapi.OperationModel, err error) {
	c, err := s.admit("operation_status", in.Body.PlayerID, in.Body.ProjectID)
	if err != nil {
		return to, err
	}
	o, err := s.operation(ctx, c, in.Body.OperationID)
	if err != nil {
		return to, err
	}
	return operationTo(o), nil
}

// OperationCancel implements catalog.Handler (W-17).
func (s *Service) OperationCancel(ctx context.Context, in *catalog.OperationCancelInput) (to worldapi.OperationModel, err error) {
	c, err := s.admit("operation_cancel", in.Body.PlayerID, in.Body.ProjectID)
	if err != nil {
		return to, err
	}
	id, err := parse("operation_id", in.Body.OperationID)
	if err != nil {
		return to, err
	}
	o, err := s.Engine.Cancel(ctx, c.project.ID, id)
	if err != nil {
		return to, err
	}
	return operationTo(o), nil
}

// operation finds an operation of the caller's project.
func (s *Service) operation(ctx context.Context, c caller, text string) (journal.Operation, error) {
	id, err := parse("operation_id", text)
	if err != nil {
		return journal.Operation{}, err
	}
	return s.Engine.Status(ctx, c.project.ID, id)
}
