package world

import (
	"context"

	catalog "github.com/pharos-mcp/pharos/generated/world"
	"github.com/pharos-mcp/pharos/generated/worldapi"
)

// RecoveryReview implements catalog.Handler (W-21).
func (s *Service) RecoveryReview(ctx context.Context, in *catalog.RecoveryReviewInput) (to worldapi.ReviewModel, err error) {
	c, err := s.admit("recovery_review", in.Body.PlayerID, in.Body.ProjectID)
	if err != nil {
		return to, err
	}
	id, err := parse("operation_id", in.Body.OperationID)
	if err != nil {
		return to, err
	}
	r, err := s.Engine.Review(ctx, c.project.ID, id)
	if err != nil {
		return to, err
	}
	return worldapi.ReviewModel{
		OperationID: r.Operation.ID.String(), PlanID: r.Operation.Plan.String(), Positions: int64(r.Positions),
		MatchesBefore: int64(r.Before), MatchesAfter: int64(r.After), ForeignStates: int64(r.Foreign),
		CurrentDigest: r.Digest, SampledAtMillis: r.Sampled.UnixMilli(),
	}, nil
}

// RecoveryAbandon implements catalog.Handler (W-22).
func (s *Service) RecoveryAbandon(ctx context.Context, in *catalog.RecoveryAbandonInput) (to worldapi.OperationModel, err error) {
	c, err := s.admit("recovery_abandon", in.Body.PlayerID, in.Body.ProjectID)
	if err != nil {
		return to, err
	}
	id, err := parse("operation_id", in.Body.OperationID)
	if err != nil {
		return to, err
	}
	o, err := s.Engine.Abandon(ctx, c.project.ID, id, in.Body.ExpectedDigest)
	if err != nil {
		return to, err
	}
	return operationTo(o), nil
}
