package plan

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
)

// Request is what a plan is asked for with, beside what it is to build.
type Request struct {
	Dependencies []geom.Pos // positions of the area, at most MaxDependencies
	Mask         *Mask      // the part to keep to, or nil
	Chain        bool       // split what is more than one plan; an extension
}

// Build prepares the plans of a recipe: one, or with Chain as many as it takes,
// to be applied in their order. A plan without changes means that all is right
// already.
func Build(ctx context.Context, h host.Host, p Project, recipe json.RawMessage, r Request) ([]Plan, error) {
	parsed, err := geom.ParseRecipe(recipe)
	if err != nil {
		return nil, recipeFault(err)
	}
	if err := enabled(p, parsed, r); err != nil {
		return nil, err
	}
	limits := geom.Default()
	limits.Result = p.most(r)
	placements, err := geom.Compile(parsed, limits)
	if err != nil {
		return nil, recipeFault(err)
	}
	return prepare(ctx, h, p, placements, r, Plan{Kind: OfRecipe, Recipe: recipe})
}

// Place prepares the plans of placements that come from a schematic; source is
// what the journal is to say about where they come from. Positions that
// occur several times keep the order in which they are given.
func Place(
	ctx context.Context, h host.Host, p Project, placements []geom.Placement, source json.RawMessage, r Request,
) ([]Plan, error) {
	if r.Chain && !p.has(Chain) {
		return nil, notEnabled(Chain)
	}
	return prepare(ctx, h, p, placements, r, Plan{Kind: OfSchematic, Recipe: source})
}

// most is how many positions a request may place.
func (p Project) most(r Request) int {
	if r.Chain {
		return MaxChain * p.perPlan()
	}
	return p.perPlan()
}

func (p Project) perPlan() int { return max(1, min(p.MaxBlocks, MaxBlocks)) }

func enabled(p Project, recipe geom.Recipe, r Request) error {
	if r.Chain && !p.has(Chain) {
		return notEnabled(Chain)
	}
	for at, o := range recipe.All() {
		needs := ""
		switch o.(type) {
		case geom.Sphere:
			needs = Sphere
		case geom.Replace:
			needs = Replace
		default:
			continue
		}
		if !p.has(needs) {
			return fault.Newf(NotEnabled, "recipe%s: this project has not switched on the extension %q", at, needs)
		}
	}
	return nil
}

func notEnabled(extension string) error {
	return fault.Newf(NotEnabled, "this project has not switched on the extension %q", extension)
}

func recipeFault(err error) error {
	e, ok := errors.AsType[*geom.Error](err)
	if !ok {
		return err
	}
	if e.Budget {
		return fault.New(BudgetExceeded, e.Error())
	}
	return fault.New(fault.Invalid, e.Error())
}
