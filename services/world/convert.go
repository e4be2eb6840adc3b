package world

import (
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/generated/worldapi"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/journal"
	"github.com/pharos-mcp/pharos/services/world/plan"
)

// Schemas bound every coordinate, so that it fits.

func posFrom(p worldapi.PositionModel) geom.Pos {
	return geom.Pos{X: int32(p.X), Y: int32(p.Y), Z: int32(p.Z)}
}

func boxFrom(a, b worldapi.PositionModel) geom.Box { return geom.NewBox(posFrom(a), posFrom(b)) }

func posTo(p geom.Pos) worldapi.PositionModel {
	return worldapi.PositionModel{X: int64(p.X), Y: int64(p.Y), Z: int64(p.Z)}
}

func boxTo(b geom.Box) worldapi.BoxModel {
	return worldapi.BoxModel{Min: posTo(b.Min), Max: posTo(b.Max)}
}

// timeTo writes a time in UTC to the millisecond.
func timeTo(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func countsTo(counts []plan.Count) []worldapi.CountModel {
	to := make([]worldapi.CountModel, len(counts))
	for i, c := range counts {
		to[i] = worldapi.CountModel{State: c.State, Count: int64(c.Count)}
	}
	return to
}

func layersTo(layers []plan.Layer) []worldapi.LayerModel {
	to := make([]worldapi.LayerModel, len(layers))
	for i, l := range layers {
		to[i] = worldapi.LayerModel{Y: int64(l.Y), Rows: l.Rows}
	}
	return to
}

// operationTo is an operation as its status tells it.
func operationTo(o journal.Operation) worldapi.OperationModel {
	created := timeTo(o.Created)
	to := worldapi.OperationModel{
		OperationID: o.ID.String(), PlanID: o.Plan.String(), IdempotencyKey: &o.Key, Status: string(o.Status), Paused: o.Paused,
		Total: int64(o.Total), Written: int64(o.Written), Conflicts: int64(o.Conflicts),
		ConflictSamples: make([]worldapi.MismatchModel, len(o.Sample)), CreatedAt: &created,
	}
	for i, c := range o.Sample {
		to.ConflictSamples[i] = worldapi.MismatchModel{
			X: int64(c.X), Y: int64(c.Y), Z: int64(c.Z), Expected: c.Expected, Actual: c.Actual,
		}
	}
	if o.Reason != "" {
		to.Reason = &o.Reason
	}
	if o.Ended != nil {
		ended := timeTo(*o.Ended)
		to.EndedAt = &ended
	}
	return to
}

// recentTo are operations in short.
func recentTo(operations []journal.Operation) []worldapi.RecentModel {
	to := make([]worldapi.RecentModel, len(operations))
	for i, o := range operations {
		to[i] = worldapi.RecentModel{
			OperationID: o.ID.String(), PlanID: o.Plan.String(), IdempotencyKey: o.Key, Status: string(o.Status),
			CreatedAt: timeTo(o.Created),
		}
	}
	return to
}

// kept is a plan as the journal keeps it.
func kept(p plan.Plan, chain *uuid.UUID, skipped int) journal.Plan {
	to := journal.Plan{
		ID: uuid.New(), Project: p.Project, Player: p.Player, Kind: journal.Kind(p.Kind), Hash: p.Hash,
		Changes: make([]journal.Change, len(p.Changes)), Dependencies: make([]journal.Dependency, len(p.Dependencies)),
		Region: p.Region, Recipe: p.Recipe, Part: p.Part, Undoes: p.Undoes, Skipped: skipped, Chain: chain, ChainIndex: p.Index,
	}
	for i, c := range p.Changes {
		to.Changes[i] = journal.Change{Pos: c.Pos, Before: c.Before, After: c.After}
	}
	for i, d := range p.Dependencies {
		to.Dependencies[i] = journal.Dependency{Pos: d.Pos, State: d.State}
	}
	return to
}

// planTo is a plan as whoever prepared it is told of it.
func planTo(p journal.Plan) worldapi.PlanModel {
	return worldapi.PlanModel{
		PlanID: p.ID.String(), PlanHash: p.Hash, ChangedBlocks: int64(len(p.Changes)), Region: boxTo(p.Region),
		ExpiresAt: timeTo(p.Expires),
	}
}
