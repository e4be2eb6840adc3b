package demo

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/account"
	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/scenario"
	"github.com/pharos-mcp/pharos/services/play/wiki"
)

// Deps are the services that the demonstration is loaded into.
type Deps struct {
	Accounts    *account.Service
	Scenarios   *scenario.Service
	Wiki        *wiki.Service
	Assignments *assignment.Service
}

// Options say for whom it is loaded.
type Options struct {
	GM       account.NewAccount // whose scenario it is; made where there is none of this username
	Player   account.NewAccount // who is to play it; likewise
	Language string             // "en" or "pl"
}

// Loaded is what was loaded, or was there.
type Loaded struct {
	ScenarioID   uuid.UUID
	AssignmentID uuid.UUID
}

// namespace is what the identifiers of the demonstration are made in.
var namespace = uuid.MustParse("7d0f3f7e-5a0e-4b0c-9f58-3d8f2c1b6a44")

// mostAssignments is how many assignments one player gets of one scenario.
const mostAssignments = 100

// Load sees to it that the game master has the scenario with version 1
// published, and the pages of the wiki, and that the player has an assignment of
// it that is active. What is there already stays as it is, and what somebody has
// changed too; so it may run again, and several times at once. A player who has
// completed the assignment gets another one.
func Load(ctx context.Context, d Deps, o Options) (Loaded, error) {
	s, err := read(o.Language)
	if err != nil {
		return Loaded{}, fmt.Errorf("demonstration: %w", err)
	}
	gm, err := d.person(ctx, o.GM)
	if err != nil {
		return Loaded{}, err
	}
	player, err := d.person(ctx, o.Player)
	if err != nil {
		return Loaded{}, err
	}
	s.scenario.ID = uuid.NewSHA1(namespace, fmt.Appendf(nil, "%s\n%x", gm.ID, s.digest))
	if err := d.write(ctx, gm.ID, s); err != nil {
		return Loaded{}, err
	}
	for _, p := range s.pages {
		_, err := d.Wiki.Create(ctx, gm.ID, p.id, p.title, p.body)
		if err != nil && fault.CodeOf(err) != fault.Exists { // somebody has changed it
			return Loaded{}, fmt.Errorf("wiki page %s: %w", p.id, err)
		}
	}
	a, err := d.assign(ctx, gm, player, s)
	return Loaded{s.scenario.ID, a.ID}, err
}

// person finds an account, or makes it.
func (d Deps) person(ctx context.Context, n account.NewAccount) (account.Account, error) {
	a, err := d.Accounts.ByUsername(ctx, n.Username)
	if fault.CodeOf(err) != fault.NotFound {
		return a, err
	}
	if a, err = d.Accounts.Create(ctx, n); fault.CodeOf(err) == fault.Exists { // meanwhile
		a, err = d.Accounts.ByUsername(ctx, n.Username)
	}
	return a, err
}

// write makes the scenario and publishes its version 1.
func (d Deps) write(ctx context.Context, gm uuid.UUID, s story) error {
	made, err := d.Scenarios.Create(ctx, gm, s.scenario)
	for err == nil && made.Versions[0].Status == scenario.Draft {
		if err = d.fill(ctx, gm, s); err != nil {
			return err
		}
		if made, err = d.Scenarios.Get(ctx, gm, made.ID); err != nil {
			return err
		}
		_, err = d.Scenarios.Publish(ctx, gm, made.ID, 1, made.Versions[0].Revision)
		if fault.CodeOf(err) == fault.Conflict { // it has been changed or published meanwhile
			made, err = d.Scenarios.Get(ctx, gm, made.ID)
			continue
		}
		return err
	}
	return err
}

// fill writes the nodes into the draft. Somebody else may be about to do the
// same, and may have published it by now.
func (d Deps) fill(ctx context.Context, gm uuid.UUID, s story) error {
	for _, n := range s.nodes {
		_, err := d.Scenarios.CreateNode(ctx, gm, s.scenario.ID, 1, n)
		switch fault.CodeOf(err) {
		case "", fault.Exists, fault.Conflict:
		default:
			return fmt.Errorf("node %s: %w", n.ID, err)
		}
	}
	return nil
}

// assign gives the player the first assignment that is not completed.
func (d Deps) assign(ctx context.Context, gm, player account.Account, s story) (a assignment.Assignment, err error) {
	n := s.assignment
	n.ScenarioID, n.SourceVersion, n.PlayerUsername = s.scenario.ID, 1, player.Username
	for i := range mostAssignments {
		n.ID = uuid.NewSHA1(s.scenario.ID, fmt.Appendf(nil, "%s\n%d", player.ID, i+1))
		if a, _, err = d.Assignments.Create(ctx, gm.ID, n); err != nil || a.Status == assignment.Active {
			break
		}
	}
	return a, err
}
