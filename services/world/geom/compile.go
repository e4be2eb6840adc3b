package geom

import (
	"fmt"
	"slices"
)

// Compile returns what a recipe places, in the order of Pos.Compare. A later
// operation takes the place of those before it. Only Replace lets several
// placements stand at one position: they are in their order then, the first
// that is for always and those with Only after it, each to be held
// against what the ones before it made of the position.
//
// The work is reckoned before any is done, so that a recipe costs no more than
// its limits whatever it says. The error is *Error.
func Compile(r Recipe, l Limits) ([]Placement, error) {
	if r.Version != Version {
		return nil, invalid("/version", "version %d is not known; write version %d", r.Version, Version)
	}
	m := meter{limits: l}
	if _, err := m.list("", r.Operations, 0); err != nil {
		return nil, err
	}
	c := compiler{limits: l, last: map[Pos]int32{}}
	if err := c.list(prepare("", r.Operations), Pos{}); err != nil {
		return nil, err
	}
	return c.placements(), nil
}

// prepared is an operation with its positions, which are found once however
// often it is repeated.
type prepared struct {
	at          string
	positions   []Pos
	block, only string
	repeat      Repeat
	inner       []prepared
}

func prepare(at string, operations []Operation) []prepared {
	ps := make([]prepared, len(operations))
	for i, o := range operations {
		p := &ps[i]
		p.at = fmt.Sprintf("%s/operations/%d", at, i)
		switch o := o.(type) {
		case Repeat:
			p.repeat, p.inner = o, prepare(p.at, o.Operations)
			continue
		case Cuboid:
			p.block = o.Block
		case Line:
			p.block = o.Block
		case Cylinder:
			p.block = o.Block
		case Sphere:
			p.block = o.Block
		case Replace:
			p.block, p.only = o.Block, o.From
		}
		s := o.(shape)
		p.positions = make([]Pos, 0, s.count())
		s.each(func(at Pos) { p.positions = append(p.positions, at) })
	}
	return ps
}

// compiler keeps the rules that hold for each position, the last one first.
type compiler struct {
	limits Limits
	rules  []rule
	last   map[Pos]int32 // the place of a position's last rule
}

type rule struct {
	of     *prepared
	before int32 // the rule before it, -1 for none
	nth    int32
}

func (c *compiler) list(operations []prepared, by Pos) *Error {
	for i := range operations {
		p := &operations[i]
		if p.inner != nil {
			offset := by
			for range p.repeat.Count {
				if err := c.list(p.inner, offset); err != nil {
					return err
				}
				offset = offset.Add(p.repeat.Offset)
			}
			continue
		}
		for _, q := range p.positions {
			if err := c.put(q.Add(by), p); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *compiler) put(p Pos, o *prepared) *Error {
	place, ok := c.last[p]
	switch {
	case !ok && len(c.last) == c.limits.Result:
		return budget(o.at, "from here on the recipe has more than %d positions, and a plan may have no more; build it in parts",
			c.limits.Result)
	case ok && o.only == "":
		c.rules[place] = rule{of: o, before: -1}
		return nil
	case !ok:
		place = -1
	case c.rules[place].nth+1 == maxRules:
		return budget(o.at, "more than %d operations meet at %s, and replace keeps those before it; use fewer", maxRules, p)
	}
	next := rule{of: o, before: place}
	if place >= 0 {
		next.nth = c.rules[place].nth + 1
	}
	c.last[p] = int32(len(c.rules))
	c.rules = append(c.rules, next)
	return nil
}

func (c *compiler) placements() []Placement {
	positions := make([]Pos, 0, len(c.last))
	for p := range c.last {
		positions = append(positions, p)
	}
	slices.SortFunc(positions, Pos.Compare)
	placements := make([]Placement, 0, len(c.rules))
	for _, p := range positions {
		first := len(placements)
		for place := c.last[p]; place >= 0; place = c.rules[place].before {
			o := c.rules[place].of
			placements = append(placements, Placement{p, o.block, o.only})
		}
		slices.Reverse(placements[first:])
	}
	return placements
}
