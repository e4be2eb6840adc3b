package plan

import (
	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
)

// split makes plans of at most so many changes each, in the order of positions.
// Each is judged in the world that those before it leave behind, whose states s
// is made to hold one after the other. Without changes there is one plan, of the
// region that the model has.
func split(pack *blocks.Pack, s sight, changes []Change, depends []geom.Pos, most int, model Plan) ([]Plan, error) {
	count := max(1, (len(changes)+most-1)/most)
	plans := make([]Plan, 0, count)
	for i := range count {
		p := model
		p.Index, p.Of = i, count
		p.Changes = changes[i*most : min(len(changes), (i+1)*most)]
		if len(p.Changes) > 0 {
			p.Region = regionOf(p.Changes)
		}
		p.Dependencies = depended(s, p.Changes, depends)
		for _, c := range p.Changes {
			s[c.Pos] = seen{state: c.After}
		}
		if err := neighbours(pack, s, p.Changes); err != nil {
			return nil, err
		}
		p.Hash = p.Digest()
		plans = append(plans, p)
	}
	return plans, nil
}

// depended records what stands at the dependencies. One that the plan itself
// changes is left out: it is checked as every block that is about to be written.
func depended(s sight, changes []Change, depends []geom.Pos) []Dependency {
	changed := make(map[geom.Pos]bool, len(changes))
	for _, c := range changes {
		changed[c.Pos] = true
	}
	var recorded []Dependency
	for _, d := range depends {
		if !changed[d] {
			recorded = append(recorded, Dependency{d, s[d].state})
		}
	}
	return recorded
}

func regionOf(changes []Change) geom.Box {
	positions := make([]geom.Pos, len(changes))
	for i, c := range changes {
		positions[i] = c.Pos
	}
	return span(positions)
}
