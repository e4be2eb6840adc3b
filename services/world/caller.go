package world

import (
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/plan"
	"github.com/pharos-mcp/pharos/services/world/project"
)

// caller is for whom a method acts, and in which project, as it is now.
type caller struct {
	player  uuid.UUID
	project project.Project
}

// admit finds the project and its owner, who must be allowed to call the method
// now (W-04).
func (s *Service) admit(method, player, id string) (c caller, err error) {
	if c.player, err = parse("player_id", player); err != nil {
		return caller{}, err
	}
	m := methods[method]
	for _, permission := range m.needs {
		if c.project, err = s.Book.Check(id, c.player, permission); err != nil {
			return caller{}, err
		}
	}
	if m.extension != "" && !c.project.Has(m.extension) {
		return caller{}, fault.Newf(plan.NotEnabled, "this project has not switched on the extension %q", m.extension)
	}
	return c, nil
}

// parse reads an identifier in its one spelling.
func parse(name, text string) (uuid.UUID, error) {
	id, err := uuid.Parse(text)
	if err != nil || id.String() != text {
		return uuid.Nil, fault.Newf(fault.Invalid, "%s is not a UUID in small letters", name)
	}
	return id, nil
}

// planner is the project as package plan knows it.
func (c caller) planner() plan.Project {
	p := plan.Project{
		ID: c.project.ID, Player: c.player, Area: c.project.Area, MaxBlocks: c.project.MaxPlanBlocks, Policy: c.project.Policy,
	}
	for _, e := range c.project.Extensions {
		p.Extensions = append(p.Extensions, string(e))
	}
	return p
}
