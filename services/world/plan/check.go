package plan

import (
	"context"
	"strings"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
)

// writable refuses worlds in which nothing could be applied.
func writable(h host.Host) error {
	if why := h.Info().ReadOnly; why != "" {
		return fault.Newf(ReadOnly, "the world is open for reading only: %s", why)
	}
	return nil
}

// inside refuses positions outside the project's area or the world's height.
func inside(h host.Host, area geom.Box, what string, p geom.Pos) error {
	if !area.Contains(p) {
		return fault.Newf(OutOfBounds, "%s at %s is outside the project's area, which is from %s to %s", what, p, area.Min, area.Max)
	}
	if info := h.Info(); p.Y < info.MinY || p.Y > info.MaxY {
		return fault.Newf(OutOfBounds, "%s at %s is outside the world, whose y goes from %d to %d", what, p, info.MinY, info.MaxY)
	}
	return nil
}

// resolver makes the texts of placements canonical and holds them to the
// policy, each text once.
type resolver struct {
	pack   *blocks.Pack
	policy blocks.Policy
	known  map[string]string
}

func (r *resolver) block(p geom.Pos, text string) (string, error) {
	if state, ok := r.known[text]; ok {
		return state, nil
	}
	state, err := r.pack.Parse(text)
	if err == nil {
		err = r.pack.Allowed(r.policy, state)
	}
	if err != nil {
		return "", fault.Newf(UnsupportedBlock, "the block for %s may not be placed: %v", p, err)
	}
	r.known[text] = state
	return state, nil
}

// only makes what a placement waits for canonical: a name stays a name.
func (r *resolver) only(p geom.Pos, text string) (string, error) {
	if text == "" {
		return "", nil
	}
	key := "only " + text // no block's text has a space
	if state, ok := r.known[key]; ok {
		return state, nil
	}
	state, err := r.pack.Parse(text)
	if err != nil {
		return "", fault.Newf(UnsupportedBlock, "the block to replace at %s is not known: %v", p, err)
	}
	if !strings.Contains(text, "[") {
		state, _ = blocks.Split(state)
	}
	r.known[key] = state
	return state, nil
}

// matches reports whether a state is what a placement waits for.
func matches(only, state string) bool {
	if only == "" || only == state {
		return true
	}
	name, _, _ := strings.Cut(state, "[")
	return only == name
}

// standing refuses changes of what no plan may overwrite.
func standing(pack *blocks.Pack, s sight, changes []Change) error {
	known := map[string]error{}
	for _, c := range changes {
		if entity := s[c.Pos].occupied; entity != "" {
			return fault.Newf(UnsupportedBlock,
				"%s at %s has data of its own (%s), which a plan would lose; leave it out of the plan", c.Before, c.Pos, entity)
		}
		err, ok := known[c.Before]
		if !ok {
			err = pack.Replaceable(c.Before)
			known[c.Before] = err
		}
		if err != nil {
			return fault.Newf(UnsupportedBlock, "what stands at %s may not be overwritten: %v; leave it out of the plan", c.Pos, err)
		}
	}
	return nil
}

// dependencies returns the distinct positions that a plan relies on, in order.
func dependencies(h host.Host, p Project, given []geom.Pos) ([]geom.Pos, error) {
	if len(given) > MaxDependencies {
		return nil, fault.Newf(BudgetExceeded, "%d dependencies are more than the %d that a plan may have", len(given), MaxDependencies)
	}
	sorted := distinct(given)
	for _, d := range sorted {
		if err := inside(h, p.Area, "the dependency", d); err != nil {
			return nil, err
		}
	}
	return sorted, nil
}

// see reads what stands at the positions and beside them.
func see(ctx context.Context, h host.Host, targets, depends []geom.Pos) (sight, error) {
	info := h.Info()
	needed := distinct(append(append([]geom.Pos(nil), targets...), depends...))
	have := make(map[geom.Pos]bool, 2*len(needed))
	for _, p := range needed {
		have[p] = true
	}
	var wanted []geom.Pos
	for _, p := range targets {
		for _, side := range sides {
			q := p.Add(side)
			if q.Y >= info.MinY && q.Y <= info.MaxY && !have[q] {
				have[q] = true
				wanted = append(wanted, q)
			}
		}
	}
	return look(ctx, h, needed, wanted)
}
