package worldtest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// event is what a process was answered, and so must not be lost with it.
type event struct {
	Did       string `json:"did"`
	Plan      string `json:"plan,omitempty"`
	Hash      string `json:"hash,omitempty"`
	Key       string `json:"key,omitempty"`
	Operation string `json:"operation,omitempty"`
	Status    string `json:"status,omitempty"`
	ID        string `json:"id,omitempty"` // of a part or an asset
}

// The things that a script does.
const (
	opened    = "opened"
	prepared  = "prepared"
	began     = "began"
	settled   = "settled"
	cancelled = "cancelled"
	defined   = "defined"
	exported  = "exported"
	abandoned = "abandoned"
	ended     = "ended" // the script
)

// script is what a process does with a world until it is killed: it decides about
// what is unfinished, and then builds, overbuilds, takes back, cancels and
// exports, in an order and at places that are drawn.
type script struct {
	*site
	round  int // another on each run over one world
	random *rand.Rand
	tell   func(event)
	keys   int
}

func (s *script) run(ctx context.Context) error {
	if err := s.decide(ctx); err != nil {
		return err
	}
	// Four regions and some slices; what the ground has goes first. The second
	// build overlaps the first.
	reach := int32(8 + s.random.IntN(3))
	corner := geom.Pos{X: -reach, Y: 63 + int32(s.random.IntN(3)), Z: -reach}
	far := geom.Pos{X: reach - 1, Y: corner.Y + 2, Z: reach - 1}
	first, err := s.build(ctx, box(corner, far, s.block()))
	if err != nil {
		return err
	}
	part, err := s.call(ctx, "part_define", fields{"name": fmt.Sprintf("part %d", s.round), "operation_id": first["operation_id"]})
	if err != nil {
		return err
	}
	s.tell(event{Did: defined, ID: part.text("part_id")})
	second, err := s.build(ctx, box(corner.Add(geom.Pos{X: 3, Y: 1, Z: 3}), far.Add(geom.Pos{X: 2, Y: 1, Z: 2}), s.block()))
	if err != nil {
		return err
	}
	steps := []func(context.Context) error{
		func(ctx context.Context) error { return s.takeBack(ctx, second) },
		func(ctx context.Context) error {
			return s.cancel(ctx, corner.Add(geom.Pos{Y: 8}), far.Add(geom.Pos{Y: 10}))
		},
		func(ctx context.Context) error { return s.export(ctx, corner, corner.Add(geom.Pos{X: 7, Y: 3, Z: 7})) },
	}
	s.random.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// block is one that no other round has.
func (s *script) block() string {
	names := []string{"stone", "bricks", "oak_planks", "white_wool", "gold_block", "sandstone", "oak_log", "smooth_stone", "blue_wool"}
	s.keys++
	return "minecraft:" + names[(3*s.round+s.keys)%len(names)]
}

// decide abandons what an earlier process left.
func (s *script) decide(ctx context.Context) error {
	unfinished, err := s.Journal.Unfinished(ctx)
	for _, o := range unfinished {
		id := fields{"operation_id": o.ID.String()}
		review, failed := s.call(ctx, "recovery_review", id)
		if failed != nil {
			return failed
		}
		id["expected_digest"] = review["currentDigest"]
		after, failed := s.call(ctx, "recovery_abandon", id)
		if failed != nil {
			return failed
		}
		s.tell(event{Did: abandoned, Operation: o.ID.String(), Status: after.text("status")})
	}
	return err
}

// build builds steps and returns the operation at its end.
func (s *script) build(ctx context.Context, steps ...fields) (fields, error) {
	plan, err := s.prepare(ctx, steps...)
	if err != nil {
		return nil, err
	}
	return s.finish(ctx, plan)
}

// begin applies a plan.
func (s *script) begin(ctx context.Context, plan fields) (operation fields, err error) {
	s.keys++
	key := fmt.Sprintf("key-%d-%d", s.round, s.keys)
	told := event{Did: prepared, Plan: plan.text("plan_id"), Hash: plan.text("plan_hash"), Key: key}
	s.tell(told)
	if operation, err = s.apply(ctx, key, plan); err != nil {
		return nil, err
	}
	told.Did, told.Operation = began, operation.text("operation_id")
	s.tell(told)
	return operation, nil
}

// finish applies a plan and waits for the end.
func (s *script) finish(ctx context.Context, plan fields) (operation fields, err error) {
	if operation, err = s.begin(ctx, plan); err != nil {
		return nil, err
	}
	return s.settle(ctx, operation)
}

func (s *script) settle(ctx context.Context, operation fields) (fields, error) {
	after, err := s.wait(ctx, operation)
	if err != nil {
		return nil, err
	}
	if !slices.Contains([]string{"applied", "cancelled"}, after.text("status")) {
		return nil, fmt.Errorf("the operation is %s: %s", after.text("status"), after.text("reason"))
	}
	s.tell(event{Did: settled, Operation: after.text("operation_id"), Status: after.text("status")})
	return after, nil
}

func (s *script) takeBack(ctx context.Context, operation fields) error {
	plan, err := s.call(ctx, "operation_undo_prepare", fields{"operation_id": operation["operation_id"]})
	if err != nil {
		return err
	}
	_, err = s.finish(ctx, plan)
	return err
}

// cancel begins a build and cancels it after some of its slices.
func (s *script) cancel(ctx context.Context, a, b geom.Pos) error {
	plan, err := s.prepare(ctx, box(a, b, s.block()))
	if err != nil {
		return err
	}
	operation, err := s.begin(ctx, plan)
	if err != nil {
		return err
	}
	id := uuid.MustParse(operation.text("operation_id"))
	for confirmed := s.random.IntN(2); ; {
		o, err := s.Journal.Operation(ctx, id)
		if err != nil {
			return err
		}
		if o.Written >= confirmed || !o.Status.Active() {
			break
		}
	}
	if _, err := s.call(ctx, "operation_cancel", fields{"operation_id": id.String()}); err != nil {
		return err
	}
	s.tell(event{Did: cancelled, Operation: id.String()})
	_, err = s.settle(ctx, operation)
	return err
}

func (s *script) export(ctx context.Context, a, b geom.Pos) error {
	asset, err := s.call(ctx, "schematic_export", fields{"name": fmt.Sprintf("round %d", s.round), "min": at(a), "max": at(b)})
	if err != nil {
		return err
	}
	s.tell(event{Did: exported, ID: asset.text("assetId")})
	return nil
}

// certain are the statuses that nothing changes any more.
var certain = []journal.Status{journal.Applied, journal.Conflicted, journal.Cancelled, journal.Failed}
