package plan

import (
	"context"
	"slices"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
)

// prepare checks placements, holds them against the world, and makes the plans.
// The model carries what is the same for all of them.
func prepare(ctx context.Context, h host.Host, p Project, placements []geom.Placement, r Request, model Plan) ([]Plan, error) {
	if err := writable(h); err != nil {
		return nil, err
	}
	placements = slices.Clone(placements)
	slices.SortStableFunc(placements, func(a, b geom.Placement) int { return a.Pos.Compare(b.Pos) })
	targets, err := p.targets(h, placements, r)
	if err != nil {
		return nil, err
	}
	depends, err := dependencies(h, p, r.Dependencies)
	if err != nil {
		return nil, err
	}
	if err := p.resolve(h, placements); err != nil {
		return nil, err
	}
	if r.Mask != nil {
		model.Part = &r.Mask.Part
		for _, t := range targets {
			if !r.Mask.has(t) {
				return nil, fault.Newf(OutsidePart, "%s is not in the part, whose positions are exactly those of its blocks", t)
			}
		}
	}
	s, err := see(ctx, h, targets, depends)
	if err != nil {
		return nil, err
	}
	changes := difference(s, placements)
	if err := standing(h.Blocks(), s, changes); err != nil {
		return nil, err
	}
	model.World, model.Project, model.Player = h.Info().World, p.ID, p.Player
	model.Region = span(targets)
	return split(h.Blocks(), s, changes, depends, p.perPlan(), model)
}

// targets are the distinct positions of placements, all inside and not too many.
func (p Project) targets(h host.Host, placements []geom.Placement, r Request) ([]geom.Pos, error) {
	var targets []geom.Pos
	for _, t := range placements {
		if len(targets) == 0 || targets[len(targets)-1] != t.Pos {
			targets = append(targets, t.Pos)
		}
	}
	if len(targets) == 0 {
		return nil, fault.New(fault.Invalid, "there is no position to build at; give at least one")
	}
	if most := p.most(r); len(targets) > most {
		return nil, fault.Newf(BudgetExceeded, "%d positions are more than the %d that are allowed; build it in parts", len(targets), most)
	}
	for _, t := range targets {
		if err := inside(h, p.Area, "the block", t); err != nil {
			return nil, err
		}
	}
	return targets, nil
}

// resolve makes the placements canonical and holds them to the policy.
func (p Project) resolve(h host.Host, placements []geom.Placement) error {
	r := resolver{pack: h.Blocks(), policy: p.Policy, known: map[string]string{}}
	for i := range placements {
		t := &placements[i]
		var err error
		if t.Block, err = r.block(t.Pos, t.Block); err != nil {
			return err
		}
		if t.Only, err = r.only(t.Pos, t.Only); err != nil {
			return err
		}
	}
	return nil
}

// difference is what placements, in order, make different from what was seen.
func difference(s sight, placements []geom.Placement) []Change {
	var changes []Change
	for first := 0; first < len(placements); {
		at := placements[first].Pos
		before := s[at].state
		after := before
		for ; first < len(placements) && placements[first].Pos == at; first++ {
			if matches(placements[first].Only, after) {
				after = placements[first].Block
			}
		}
		if after != before {
			changes = append(changes, Change{at, before, after})
		}
	}
	return changes
}

// span is the smallest box that holds all positions; there is at least one.
func span(positions []geom.Pos) geom.Box {
	box := geom.Box{Min: positions[0], Max: positions[0]}
	for _, p := range positions[1:] {
		box = box.Union(geom.Box{Min: p, Max: p})
	}
	return box
}
