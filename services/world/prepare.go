package world

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	catalog "github.com/pharos-mcp/pharos/generated/world"
	"github.com/pharos-mcp/pharos/generated/worldapi"
	"github.com/pharos-mcp/pharos/services/world/crashpoint"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/journal"
	"github.com/pharos-mcp/pharos/services/world/plan"
)

// BuildPrepare implements catalog.Handler (W-12 … W-14).
func (s *Service) BuildPrepare(ctx context.Context, in *catalog.BuildPrepareInput) (to worldapi.PlanModel, err error) {
	c, err := s.admit("build_prepare", in.Body.PlayerID, in.Body.ProjectID)
	if err != nil {
		return to, err
	}
	recipe, err := json.Marshal(in.Body.Recipe)
	if err != nil {
		return to, err
	}
	r := plan.Request{Dependencies: make([]geom.Pos, len(in.Body.Dependencies)), Chain: in.Body.Chain != nil && *in.Body.Chain}
	for i, d := range in.Body.Dependencies {
		r.Dependencies[i] = posFrom(d)
	}
	if in.Body.PartID != nil {
		if r.Mask, err = s.mask(ctx, c, *in.Body.PartID); err != nil {
			return to, err
		}
	}
	plans, err := plan.Build(ctx, s.Host, c.planner(), recipe, r)
	if err != nil {
		return to, err
	}
	return s.keep(ctx, plans, r.Chain)
}

// mask is the part that a plan has to keep to.
func (s *Service) mask(ctx context.Context, c caller, id string) (*plan.Mask, error) {
	p, err := s.part(ctx, c, id)
	if err != nil {
		return nil, err
	}
	return &plan.Mask{Part: p.ID, Positions: p.Positions}, nil
}

// keep has the journal keep plans before anybody is told of them.
func (s *Service) keep(ctx context.Context, plans []plan.Plan, chained bool) (worldapi.PlanModel, error) {
	var chain *uuid.UUID
	if chained && len(plans) > 1 {
		id := uuid.New()
		chain = &id
	}
	all := make([]journal.Plan, len(plans))
	for i, p := range plans {
		all[i] = kept(p, chain, 0)
	}
	var err error
	if chain == nil {
		all[0], err = s.Journal.PutPlan(ctx, all[0])
	} else {
		all, err = s.Journal.PutChain(ctx, all)
	}
	if err != nil {
		return worldapi.PlanModel{}, err
	}
	crashpoint.At(crashpoint.PlanDurable)
	to := planTo(all[0])
	for _, p := range all[1:] {
		to.Chain = append(to.Chain, worldapi.LinkModel{
			PlanID: p.ID.String(), PlanHash: p.Hash, ChangedBlocks: int64(len(p.Changes)), Region: boxTo(p.Region),
		})
	}
	return to, nil
}

// BuildRender implements catalog.Handler, where the extension is on.
func (s *Service) BuildRender(ctx context.Context, in *catalog.BuildRenderInput) (to worldapi.RenderingModel, err error) {
	c, err := s.admit("build_render", in.Body.PlayerID, in.Body.ProjectID)
	if err != nil {
		return to, err
	}
	p, err := s.plan(ctx, c, in.Body.PlanID)
	if err != nil {
		return to, err
	}
	changes := make([]plan.Change, len(p.Changes))
	for i, change := range p.Changes {
		changes[i] = plan.Change{Pos: change.Pos, Before: change.Before, After: change.After}
	}
	r := plan.Render(p.Region, changes)
	return worldapi.RenderingModel{
		PlanID: p.ID.String(), Region: boxTo(r.Region), Removed: countsTo(r.Removed), Placed: countsTo(r.Placed), Layers: layersTo(r.Layers),
	}, nil
}

// PlanDiscard implements catalog.Handler, where the extension is on.
func (s *Service) PlanDiscard(ctx context.Context, in *catalog.PlanDiscardInput) (to worldapi.PlanDiscard200Model, err error) {
	c, err := s.admit("plan_discard", in.Body.PlayerID, in.Body.ProjectID)
	if err != nil {
		return to, err
	}
	p, err := s.plan(ctx, c, in.Body.PlanID)
	if err != nil {
		return to, err
	}
	if _, err := s.Journal.DiscardPlan(ctx, p.ID); err != nil {
		return to, err
	}
	return worldapi.PlanDiscard200Model{PlanID: p.ID.String(), Discarded: true}, nil
}

// plan finds a plan of the caller's project.
func (s *Service) plan(ctx context.Context, c caller, text string) (journal.Plan, error) {
	id, err := parse("plan_id", text)
	if err != nil {
		return journal.Plan{}, err
	}
	p, err := s.Journal.Plan(ctx, id)
	if err == nil && p.Project != c.project.ID {
		err = fault.Newf(fault.NotFound, "there is no plan %s", id)
	}
	return p, err
}
