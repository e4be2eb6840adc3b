package plan_test

import (
	"regexp"
	"testing"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/plan"
)

// TestDigest changes each thing that a plan does, and for whom; every change
// gives another hash, and the same plan the same.
//
// clause: W-12
func TestDigest(t *testing.T) {
	t.Parallel()
	id := uuid.MustParse("33333333-3333-4333-8333-333333333333")
	hash := func(change func(*plan.Plan)) string {
		p := plan.Plan{
			World: id, Project: "default", Player: id, Kind: plan.OfRecipe, Of: 1,
			Changes:      []plan.Change{{Pos: pos(1, 2, 3), Before: air, After: stone}, {Pos: pos(4, 5, 6), Before: air, After: dirt}},
			Dependencies: []plan.Dependency{{Pos: pos(7, 8, 9), State: glass}}, Region: box(pos(1, 2, 3), pos(4, 5, 6)),
		}
		change(&p)
		return p.Digest()
	}
	same := hash(func(*plan.Plan) {})
	if !regexp.MustCompile(`^[0-9a-f]{64}$`).MatchString(same) || same != hash(func(p *plan.Plan) { p.Recipe = []byte("{}"); p.Hash = "x" }) {
		t.Errorf("the hash %s", same)
	}
	seen := map[string]string{same: "the plan itself"}
	for name, change := range map[string]func(*plan.Plan){
		"world":            func(p *plan.Plan) { p.World = uuid.Nil },
		"project":          func(p *plan.Plan) { p.Project = "other" },
		"player":           func(p *plan.Plan) { p.Player = uuid.Nil },
		"kind":             func(p *plan.Plan) { p.Kind = plan.OfUndo },
		"part":             func(p *plan.Plan) { p.Part = &id },
		"undoes":           func(p *plan.Plan) { p.Undoes = &id },
		"index":            func(p *plan.Plan) { p.Index = 1 },
		"of":               func(p *plan.Plan) { p.Of = 2 },
		"region":           func(p *plan.Plan) { p.Region.Max.X++ },
		"position":         func(p *plan.Plan) { p.Changes[0].X++ },
		"before":           func(p *plan.Plan) { p.Changes[0].Before = glass },
		"after":            func(p *plan.Plan) { p.Changes[0].After = glass },
		"fewer":            func(p *plan.Plan) { p.Changes = p.Changes[:1] },
		"dependency":       func(p *plan.Plan) { p.Dependencies[0].Z++ },
		"depended state":   func(p *plan.Plan) { p.Dependencies[0].State = stone },
		"no dependency":    func(p *plan.Plan) { p.Dependencies = nil },
		"before and after": func(p *plan.Plan) { p.Changes[0].Before, p.Changes[0].After = stone, air },
	} {
		digest := hash(change)
		if other, ok := seen[digest]; ok {
			t.Errorf("%s has the hash of %s", name, other)
		}
		seen[digest] = name
	}
}
