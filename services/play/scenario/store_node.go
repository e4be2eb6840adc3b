package scenario

import (
	"context"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/generated/playdb"
	"github.com/pharos-mcp/pharos/internal/pg"
)

func nodeOf(r playdb.PlayNode) Node {
	return Node{
		ID: r.ID, Kind: r.Kind, Title: r.Title, Body: r.Body, GMNotes: r.GMNotes, Position: r.Position,
		Revision: r.Revision, UpdatedAt: r.UpdatedAt,
	}
}

// findNode gives a node of a version, or nil.
func findNode(ctx context.Context, db playdb.DBTX, scenario uuid.UUID, version int64, id string) (*Node, error) {
	r, err := queries.GetNode(ctx, db, playdb.GetNodeParams{ScenarioID: scenario, Version: version, ID: id})
	if found, err := pg.Found(err); err != nil || !found {
		return nil, err
	}
	n := nodeOf(r)
	return &n, nil
}

// countNodes counts the nodes of a version, of one kind unless it is "".
func countNodes(ctx context.Context, db playdb.DBTX, scenario uuid.UUID, version int64, kind string) (int, error) {
	if kind == "" {
		n, err := queries.CountNodes(ctx, db, playdb.CountNodesParams{ScenarioID: scenario, Version: version})
		return int(n), err
	}
	n, err := queries.CountNodesOfKind(ctx, db, playdb.CountNodesOfKindParams{
		ScenarioID: scenario, Version: version, Kind: kind,
	})
	return int(n), err
}

// listNodes lists nodes of a version in their order, of one kind unless it is
// "".
func listNodes(
	ctx context.Context, db playdb.DBTX, scenario uuid.UUID, version int64, kind string, offset, limit int,
) ([]Node, error) {
	var rows []playdb.PlayNode
	var err error
	if kind == "" {
		rows, err = queries.ListNodes(ctx, db, playdb.ListNodesParams{
			ScenarioID: scenario, Version: version, Start: int32(offset), Most: int32(limit),
		})
	} else {
		rows, err = queries.ListNodesOfKind(ctx, db, playdb.ListNodesOfKindParams{
			ScenarioID: scenario, Version: version, Kind: kind, Start: int32(offset), Most: int32(limit),
		})
	}
	list := make([]Node, len(rows))
	for i, r := range rows {
		list[i] = nodeOf(r)
	}
	return list, err
}

// nextPosition is the one behind all nodes of a version, or the last that there
// is.
func nextPosition(ctx context.Context, db playdb.DBTX, scenario uuid.UUID, version int64) (int32, error) {
	last, err := queries.LastNodePosition(ctx, db, playdb.LastNodePositionParams{ScenarioID: scenario, Version: version})
	if found, err := pg.Found(err); err != nil || !found {
		return 0, err
	}
	return min(last+1, MaxPosition), nil
}

func insertNode(ctx context.Context, db playdb.DBTX, scenario uuid.UUID, version int64, n Node) error {
	return queries.InsertNode(ctx, db, playdb.InsertNodeParams{
		ScenarioID: scenario, Version: version, ID: n.ID, Kind: n.Kind, Position: n.Position, Title: n.Title, Body: n.Body,
		GMNotes: n.GMNotes, CreatedAt: n.UpdatedAt,
	})
}

func updateNode(ctx context.Context, db playdb.DBTX, scenario uuid.UUID, version int64, n Node) error {
	return queries.UpdateNode(ctx, db, playdb.UpdateNodeParams{
		ScenarioID: scenario, Version: version, ID: n.ID, Kind: n.Kind, Position: n.Position, Title: n.Title, Body: n.Body,
		GMNotes: n.GMNotes, UpdatedAt: n.UpdatedAt,
	})
}

func deleteNode(ctx context.Context, db playdb.DBTX, scenario uuid.UUID, version int64, id string) error {
	return queries.DeleteNode(ctx, db, playdb.DeleteNodeParams{ScenarioID: scenario, Version: version, ID: id})
}
