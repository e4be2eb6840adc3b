package world

import (
	"context"
	"slices"

	catalog "github.com/pharos-mcp/pharos/generated/world"
	"github.com/pharos-mcp/pharos/generated/worldapi"
	"github.com/pharos-mcp/pharos/services/world/journal"
	"github.com/pharos-mcp/pharos/services/world/operation"
	"github.com/pharos-mcp/pharos/services/world/plan"
)

// recent is how many operations project_context tells of.
const recent = 32

// ProjectContext implements catalog.Handler (W-10).
func (s *Service) ProjectContext(ctx context.Context, in *catalog.ProjectContextInput) (to worldapi.ContextModel, err error) {
	c, err := s.admit("project_context", in.Body.PlayerID, in.Body.ProjectID)
	if err != nil {
		return to, err
	}
	paused, err := s.Engine.Paused(ctx, c.project.ID)
	if err != nil {
		return to, err
	}
	newest, err := s.Journal.Recent(ctx, c.project.ID, recent)
	if err != nil {
		return to, err
	}
	unfinished, err := s.Journal.Unfinished(ctx)
	if err != nil {
		return to, err
	}
	unfinished = slices.DeleteFunc(unfinished, func(o journal.Operation) bool { return o.Project != c.project.ID })
	to = worldapi.ContextModel{
		Version: 1, ProjectID: c.project.ID, Owner: c.project.Owner.String(), World: s.worldTo(), Area: boxTo(c.project.Area),
		Limits: worldapi.ContextLimitsModel{
			MaxInspectPositions: plan.MaxInspect, MaxPlanBlocks: int64(c.project.MaxPlanBlocks), MaxDependencies: plan.MaxDependencies,
			SliceBlocks: operation.SliceBlocks, PlanSeconds: int64(journal.Lifetime.Seconds()),
		},
		Permissions: []string{}, Capabilities: c.capabilities(), Extensions: []string{}, Paused: paused,
		Operations: recentTo(unfinished), Recent: recentTo(newest),
	}
	for _, p := range c.project.Permissions {
		to.Permissions = append(to.Permissions, string(p))
	}
	for _, e := range c.project.Extensions {
		to.Extensions = append(to.Extensions, string(e))
	}
	return to, nil
}

func (s *Service) worldTo() *worldapi.ContextWorldModel {
	info := s.Host.Info()
	to := &worldapi.ContextWorldModel{
		Minecraft: info.Version, DataVersion: int64(info.DataVersion), MinY: int64(info.MinY), MaxY: int64(info.MaxY),
		Writable: info.ReadOnly == "",
	}
	if !to.Writable {
		to.ReadOnlyReason = &info.ReadOnly
	}
	return to
}
