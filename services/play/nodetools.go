package play

import (
	"context"

	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/generated/author"
	"github.com/pharos-mcp/pharos/generated/authortoolsapi"
	"github.com/pharos-mcp/pharos/services/play/scenario"
)

// ListScenarioNodes implements author.Handler.
func (t scenarioTools) ListScenarioNodes(
	ctx context.Context, in *author.ListScenarioNodesInput,
) (m authortoolsapi.NodePageModel, err error) {
	owner, id, err := ownScenario(ctx, in.ScenarioID)
	if err != nil {
		return m, err
	}
	offset := or(in.Offset, 0)
	total, page, err := t.service.scenarios.Nodes(
		ctx, owner, id, in.Version, or(in.Kind, ""), int(offset), int(or(in.Limit, listLimit)))
	if err != nil {
		return m, err
	}
	return authortoolsapi.NodePageModel{
		Total: int64(total), Offset: offset, Nodes: each(page, func(n scenario.Node) authortoolsapi.NodeItemModel {
			return authortoolsapi.NodeItemModel{
				ID: n.ID, Kind: n.Kind, Title: n.Title, Position: int64(n.Position), Revision: n.Revision,
				UpdatedAt: when(n.UpdatedAt),
			}
		}),
	}, nil
}

// GetScenarioNode implements author.Handler.
func (t scenarioTools) GetScenarioNode(
	ctx context.Context, in *author.GetScenarioNodeInput,
) (m authortoolsapi.NodeModel, err error) {
	owner, id, err := ownScenario(ctx, in.ScenarioID)
	if err != nil {
		return m, err
	}
	return nodeTo(t.service.scenarios.Node(ctx, owner, id, in.Version, in.NodeID))
}

// CreateScenarioNode implements author.Handler.
func (t scenarioTools) CreateScenarioNode(
	ctx context.Context, in *author.CreateScenarioNodeInput,
) (m authortoolsapi.NodeModel, err error) {
	owner, id, err := ownScenario(ctx, in.Body.ScenarioID)
	if err != nil {
		return m, err
	}
	return nodeTo(t.service.scenarios.CreateNode(ctx, owner, id, in.Body.Version, scenario.NewNode{
		ID: in.Body.ID, Kind: in.Body.Kind, Title: in.Body.Title, Body: or(in.Body.Body, ""),
		GMNotes: or(in.Body.GmNotes, ""), Position: positionFrom(in.Body.Position),
	}))
}

// UpdateScenarioNode implements author.Handler.
func (t scenarioTools) UpdateScenarioNode(
	ctx context.Context, in *author.UpdateScenarioNodeInput,
) (m authortoolsapi.NodeModel, err error) {
	owner, id, err := ownScenario(ctx, in.Body.ScenarioID)
	if err != nil {
		return m, err
	}
	return nodeTo(t.service.scenarios.UpdateNode(
		ctx, owner, id, in.Body.Version, in.Body.NodeID, in.Body.ExpectedRevision, scenario.NodeContent{
			Kind: in.Body.Kind, Title: in.Body.Title, Body: in.Body.Body, GMNotes: in.Body.GmNotes,
			Position: positionFrom(in.Body.Position),
		}))
}

// DeleteScenarioNode implements author.Handler.
func (t scenarioTools) DeleteScenarioNode(ctx context.Context, in *author.DeleteScenarioNodeInput) (tool.None, error) {
	owner, id, err := ownScenario(ctx, in.ScenarioID)
	if err != nil {
		return tool.None{}, err
	}
	return tool.None{}, t.service.scenarios.DeleteNode(ctx, owner, id, in.Version, in.NodeID, in.ExpectedRevision)
}

// nodeTo writes a node.
func nodeTo(n scenario.Node, err error) (authortoolsapi.NodeModel, error) {
	return authortoolsapi.NodeModel{
		ID: n.ID, Kind: n.Kind, Title: n.Title, Body: n.Body, GmNotes: n.GMNotes,
		Position: int64(n.Position), Revision: n.Revision, UpdatedAt: when(n.UpdatedAt),
	}, err
}

// positionFrom reads a position, which its schema bounds.
func positionFrom(p *int64) *int32 {
	if p == nil {
		return nil
	}
	position := int32(*p)
	return &position
}
