package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	worldjournal "github.com/pharos-mcp/pharos/services/world/journal"
	"github.com/pharos-mcp/pharos/services/world/operation"
	"github.com/pharos-mcp/pharos/services/world/plan"
)

// The goals of the world, in times of what each is compared with.
const (
	worldApplyGoal   = 2
	worldInspectGoal = 2
	worldOpenGoal    = 3
)

// How often each is measured.
const (
	worldApplyRounds   = 15
	worldInspectRounds = 101
	worldOpenRounds    = 51
)

// worldPart measures the owner of a world: a plan of 4,096 blocks that is
// prepared and applied, beside the same edits alone; a read of as many
// positions, beside decoding their chunks; and opening a large world, beside
// opening its files.
func worldPart(ctx context.Context, stdout io.Writer) ([]goal, error) {
	var goals []goal
	for _, measure := range []func(context.Context, io.Writer) (goal, error){worldApply, worldInspect, worldOpen} {
		g, err := measure(ctx, stdout)
		if err != nil {
			return nil, err
		}
		goals = append(goals, g)
	}
	return goals, nil
}

// careful are the settings of a server that loses nothing when the machine
// crashes.
var careful = []string{"fsync=on", "full_page_writes=on", "synchronous_commit=on"}

// worldApply measures a plan, with PostgreSQL that syncs, no ticks, and every
// slice flushed to the disk on both sides.
func worldApply(ctx context.Context, stdout io.Writer) (goal, error) {
	b := &builder{}
	defer b.close()
	folder, err := os.MkdirTemp("", "bench-world-")
	if err != nil {
		return goal{}, err
	}
	b.ends = append(b.ends, func() { _ = os.RemoveAll(folder) })
	err = errors.Join(b.world(filepath.Join(folder, "world")), b.journal(ctx, careful...))
	if err == nil {
		err = b.start(ctx, true)
	}
	if err != nil {
		return goal{}, err
	}
	syncs, err := b.syncs(ctx)
	if err != nil {
		return goal{}, err
	}
	if !syncs {
		return goal{}, errors.New("the database does not sync what it commits")
	}
	fmt.Fprintf(stdout, "world: %d rounds of a plan of %d blocks in slices of %d and of the same edits\n",
		worldApplyRounds, builderBox.Volume(), operation.SliceBlocks)
	var prepared, applied, edited, ratios []float64
	for round := range worldApplyRounds + 1 {
		p, a, err := b.plan(ctx)
		if err != nil {
			return goal{}, err
		}
		_, after := b.states()
		begun := time.Now()
		if err := b.editSlices(ctx, after, func(int) {}); err != nil {
			return goal{}, err
		}
		e := time.Since(begun)
		if round == 0 {
			continue // the originals are kept, and the chunks read
		}
		prepared, applied, edited = append(prepared, p.Seconds()), append(applied, a.Seconds()), append(edited, e.Seconds())
		ratios = append(ratios, (p+a).Seconds()/e.Seconds())
	}
	fmt.Fprintf(stdout, "world: %.1f ms to prepare and %.1f ms to apply, the edits alone %.1f ms\n",
		1000*median(prepared), 1000*median(applied), 1000*median(edited))
	return goal{name: "world-apply-to-edits", measured: median(ratios), bound: worldApplyGoal, unit: "x"}, nil
}

// syncs tells whether the server has on the disk what it says is committed.
func (b *builder) syncs(ctx context.Context) (on bool, err error) {
	const ask = "SELECT current_setting('fsync') = 'on' AND current_setting('synchronous_commit') = 'on'"
	err = b.pool.QueryRow(ctx, ask).Scan(&on)
	return on, err
}

// plan prepares a plan of a recipe, keeps it, and has it built.
func (b *builder) plan(ctx context.Context) (prepared, applied time.Duration, err error) {
	_, after := b.states()
	recipe, err := json.Marshal(map[string]any{"version": 1, "operations": []any{map[string]any{
		"type": "box", "min": position(builderBox.Min), "max": position(builderBox.Max), "block": after,
	}}})
	if err != nil {
		return 0, 0, err
	}
	begun := time.Now()
	plans, err := plan.Build(ctx, b.host, benchProject(), recipe, plan.Request{})
	if err != nil {
		return 0, 0, err
	}
	kept := worldjournal.Plan{
		ID: uuid.New(), Project: builderProject, Player: builderPlayer, Kind: worldjournal.Build,
		Hash: plans[0].Hash, Region: plans[0].Region, Recipe: plans[0].Recipe,
	}
	for _, c := range plans[0].Changes {
		kept.Changes = append(kept.Changes, worldjournal.Change{Pos: c.Pos, Before: c.Before, After: c.After})
	}
	if kept, err = b.store.PutPlan(ctx, kept); err != nil {
		return 0, 0, err
	}
	prepared = time.Since(begun)
	o, err := b.engine.Apply(ctx, worldjournal.Request{
		Project: builderProject, Player: builderPlayer, Plan: kept.ID, Hash: kept.Hash, Key: kept.ID.String(),
	})
	if err != nil {
		return 0, 0, err
	}
	o, err = b.engine.Wait(ctx, builderProject, o.ID)
	applied = time.Since(begun) - prepared
	if err != nil || o.Status != worldjournal.Applied || o.Written != int(builderBox.Volume()) {
		return 0, 0, errors.Join(err, fmt.Errorf("the operation is %s with %d blocks", o.Status, o.Written))
	}
	return prepared, applied, nil
}

func position(p geom.Pos) map[string]int32 { return map[string]int32{"x": p.X, "y": p.Y, "z": p.Z} }

// benchProject may build everything everywhere.
func benchProject() plan.Project {
	return plan.Project{
		ID: builderProject, Player: builderPlayer, MaxBlocks: plan.MaxBlocks, Policy: blocks.Policy{Classes: blocks.Building()},
		Area: geom.NewBox(geom.Pos{X: -64, Y: -64, Z: -64}, geom.Pos{X: 64, Y: 319, Z: 64}),
	}
}

// editSlices does the edits of an operation, each flushed.
func (b *builder) editSlices(ctx context.Context, state string, before func(slice int)) error {
	for i, box := range builderSlices() {
		before(i)
		_, err := b.host.Edit(ctx, host.Cause{Kind: host.ByOther}, box, func(w host.Writer) error {
			for at := range box.Positions() {
				if err := w.Set(at, state); err != nil {
					return err
				}
			}
			return nil
		})
		if err == nil {
			err = b.host.Flush(ctx, host.ChunksOf(box))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
