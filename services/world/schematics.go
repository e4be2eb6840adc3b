package world

import (
	"context"
	"encoding/json"

	catalog "github.com/pharos-mcp/pharos/generated/world"
	"github.com/pharos-mcp/pharos/generated/worldapi"
	"github.com/pharos-mcp/pharos/services/world/asset"
	"github.com/pharos-mcp/pharos/services/world/plan"
	"github.com/pharos-mcp/pharos/services/world/project"
	"github.com/pharos-mcp/pharos/services/world/schem"
)

// AssetList implements catalog.Handler (W-30).
func (s *Service) AssetList(ctx context.Context, in *catalog.AssetListInput) (to worldapi.AssetListModel, err error) {
	c, err := s.admit("asset_list", in.Body.PlayerID, in.Body.ProjectID)
	if err != nil {
		return to, err
	}
	query := ""
	if in.Body.Query != nil {
		query = *in.Body.Query
	}
	assets, err := s.Assets.List(ctx, query, c.readable())
	if err != nil {
		return to, err
	}
	to.Assets = make([]worldapi.AssetModel, len(assets))
	for i, a := range assets {
		to.Assets[i] = assetTo(a)
	}
	return to, nil
}

// SchematicExport implements catalog.Handler (W-31).
func (s *Service) SchematicExport(ctx context.Context, in *catalog.SchematicExportInput) (to worldapi.AssetModel, err error) {
	c, err := s.admit("schematic_export", in.Body.PlayerID, in.Body.ProjectID)
	if err != nil {
		return to, err
	}
	e := asset.Export{
		Name: in.Body.Name, Box: boxFrom(in.Body.Min, in.Body.Max), Area: c.project.Area, MaxBlocks: c.project.MaxPlanBlocks,
		Options: c.readable(),
	}
	if in.Body.Origin != nil {
		origin := posFrom(*in.Body.Origin)
		e.Origin = &origin
	}
	a, err := s.Assets.Export(ctx, s.Host, e)
	if err != nil {
		return to, plan.HostFault(err)
	}
	return assetTo(a), nil
}

// SchematicImportPrepare implements catalog.Handler (W-32).
func (s *Service) SchematicImportPrepare(
	ctx context.Context, in *catalog.SchematicImportPrepareInput,
) (to worldapi.PlanModel, err error) {
	c, err := s.admit("schematic_import_prepare", in.Body.PlayerID, in.Body.ProjectID)
	if err != nil {
		return to, err
	}
	schematic, a, err := s.Assets.Read(in.Body.AssetID, c.readable())
	if err != nil {
		return to, err
	}
	rotation := 0
	if in.Body.Rotation != nil {
		rotation = int(*in.Body.Rotation)
	}
	placements, err := schematic.Place(posFrom(in.Body.Target), rotation, s.Host.Blocks())
	if err != nil {
		return to, err
	}
	source, err := json.Marshal(struct {
		AssetID  string                 `json:"asset_id"`
		SHA256   string                 `json:"sha256"`
		Target   worldapi.PositionModel `json:"target"`
		Rotation int                    `json:"rotation"`
	}{a.ID, a.SHA256, in.Body.Target, rotation})
	if err != nil {
		return to, err
	}
	plans, err := plan.Place(ctx, s.Host, c.planner(), placements, source, plan.Request{})
	if err != nil {
		return to, err
	}
	return s.keep(ctx, plans, false)
}

// readable is what the project allows in a schematic.
func (c caller) readable() schem.Options {
	return schem.Options{Policy: c.project.Policy, StructureVoid: c.project.Has(project.StructureVoid)}
}

func assetTo(a asset.Asset) worldapi.AssetModel {
	return worldapi.AssetModel{
		AssetID: a.ID, Name: a.Name, Width: int64(a.Width), Height: int64(a.Height), Length: int64(a.Length),
		BlockCount: int64(a.BlockCount), DataVersion: int64(a.DataVersion),
		Offset: worldapi.AssetOffsetModel{X: int64(a.Offset.X), Y: int64(a.Offset.Y), Z: int64(a.Offset.Z)},
		Sha256: a.SHA256, Bytes: a.Bytes,
	}
}
