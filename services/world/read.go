package world

import (
	"context"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/edge/tool"
	catalog "github.com/pharos-mcp/pharos/generated/world"
	"github.com/pharos-mcp/pharos/generated/worldapi"
	"github.com/pharos-mcp/pharos/services/world/plan"
)

// RegionInspect implements catalog.Handler (W-11).
func (s *Service) RegionInspect(ctx context.Context, in *catalog.RegionInspectInput) (to worldapi.RegionModel, err error) {
	c, err := s.admit("region_inspect", in.Body.PlayerID, in.Body.ProjectID)
	if err != nil {
		return to, err
	}
	r, err := plan.Inspect(ctx, s.Host, c.planner(), boxFrom(in.Body.Min, in.Body.Max), in.Body.Detail == "blocks")
	if err != nil {
		return to, err
	}
	to = worldapi.RegionModel{
		Min: posTo(r.Box.Min), Max: posTo(r.Box.Max), Positions: int64(r.Positions), Palette: countsTo(r.Palette),
		Revision: int64(r.Revision),
	}
	if in.Body.Detail == "blocks" {
		to.Layers = layersTo(r.Layers)
	}
	return to, nil
}

// HeightMap implements catalog.Handler, where the extension is on.
func (s *Service) HeightMap(ctx context.Context, in *catalog.HeightMapInput) (to worldapi.HeightsModel, err error) {
	c, err := s.admit("height_map", in.Body.PlayerID, in.Body.ProjectID)
	if err != nil {
		return to, err
	}
	column := func(c worldapi.ColumnModel) plan.Column { return plan.Column{X: int32(c.X), Z: int32(c.Z)} }
	m, err := plan.Heights(ctx, s.Host, c.planner(), column(in.Body.Min), column(in.Body.Max))
	if err != nil {
		return to, err
	}
	return worldapi.HeightsModel{
		Min: worldapi.ColumnModel{X: int64(m.Min.X), Z: int64(m.Min.Z)}, Max: worldapi.ColumnModel{X: int64(m.Max.X), Z: int64(m.Max.Z)},
		Rows: m.Rows,
	}, nil
}

// RegionChanges implements catalog.Handler: there is no journal of what others
// change (W-19).
func (s *Service) RegionChanges(_ context.Context, in *catalog.RegionChangesInput) (tool.RawJSON, error) {
	if _, err := s.admit("region_changes", in.Body.PlayerID, in.Body.ProjectID); err != nil {
		return nil, err
	}
	return nil, fault.New(ResyncRequired, "changes by others are not kept; read the blocks again with region_inspect")
}
