package assignment

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/receipt"
	"github.com/pharos-mcp/pharos/services/play/check"
)

// Create makes an assignment of a game master's own scenario. The same again
// gives the same, as it is by then; other content under its identifier is
// refused.
func (s *Service) Create(ctx context.Context, gm uuid.UUID, n NewAssignment) (a Assignment, replayed bool, err error) {
	n.PublishedNodeIDs = sorted(n.PublishedNodeIDs)
	n.AutoApprove = sorted(n.AutoApprove)
	if err := n.check(); err != nil {
		return Assignment{}, false, err
	}
	c := creation{n, gm, receipt.Hash("pharos.play.assignment.v1", n.content()), uuid.New()}
	err = pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		if replayed, err = s.create(ctx, tx, c); err != nil {
			return err
		}
		a, _, err = s.get(ctx, tx, gm, n.ID)
		return err
	})
	if err != nil {
		return Assignment{}, false, err
	}
	return a, replayed, nil
}

// creation is what one call creates.
type creation struct {
	NewAssignment
	gm      uuid.UUID
	request [32]byte
	attempt uuid.UUID
}

// create writes an assignment, or finds that it is there: made by an earlier
// call, or by an earlier run of this one.
func (s *Service) create(ctx context.Context, tx pgx.Tx, c creation) (replayed bool, err error) {
	if made, err := creationOf(ctx, tx, c.ID); err != nil || made != nil {
		return made.repeats(c, err)
	}
	player, start, err := c.resolve(ctx, tx)
	if err != nil {
		return false, err
	}
	if fresh, err := insert(ctx, tx, c, player, start, pg.Time(s.now())); err != nil || fresh {
		return false, err
	}
	// Another call has made it meanwhile, and it cannot go away.
	made, err := creationOf(ctx, tx, c.ID)
	if err == nil && made == nil {
		err = fmt.Errorf("assignment %s was there and is not", c.ID)
	}
	return made.repeats(c, err)
}

// repeats tells whether a creation is the one that made an assignment, in an
// earlier call.
func (m *made) repeats(c creation, err error) (replayed bool, _ error) {
	switch {
	case err != nil:
		return false, err
	case m.gm != c.gm || m.request != c.request:
		return false, fault.New(fault.Exists, "the id is that of another assignment; use a new one for other content")
	}
	return m.attempt != c.attempt, nil
}

// resolve finds the player, and the scene that an assignment starts in: the
// first that it publishes.
func (c creation) resolve(ctx context.Context, tx pgx.Tx) (player uuid.UUID, start string, err error) {
	if err := c.checkSource(ctx, tx); err != nil {
		return uuid.Nil, "", err
	}
	nodes, err := kinds(ctx, tx, c.ScenarioID, c.SourceVersion, c.PublishedNodeIDs)
	if err != nil {
		return uuid.Nil, "", err
	}
	if len(nodes) < len(c.PublishedNodeIDs) {
		return uuid.Nil, "", fault.Newf(fault.Unprocessable,
			"published_node_ids names %s, which version %d of the scenario does not have", c.missing(nodes), c.SourceVersion)
	}
	first := slices.IndexFunc(nodes, func(n node) bool { return n.kind == scene })
	if first < 0 {
		return uuid.Nil, "", fault.New(fault.Unprocessable,
			"published_node_ids must name a scene, for the session to start in")
	}
	found, err := findPlayer(ctx, tx, c.PlayerUsername)
	if err == nil && found == nil {
		err = fault.New(fault.Unprocessable, "player_username is nobody's who is active")
	}
	if err != nil {
		return uuid.Nil, "", err
	}
	return *found, nodes[first].id, nil
}

// checkSource refuses what is not a published version of the game master's own
// scenario.
func (c creation) checkSource(ctx context.Context, tx pgx.Tx) error {
	owned, err := owns(ctx, tx, c.gm, c.ScenarioID)
	if err != nil {
		return err
	}
	if !owned {
		return fault.New(fault.NotFound, "scenario not found")
	}
	status, err := source(ctx, tx, c.gm, c.ScenarioID, c.SourceVersion)
	switch {
	case err != nil:
		return err
	case status == "":
		return fault.Newf(fault.Unprocessable, "source_version is %d, which the scenario does not have", c.SourceVersion)
	case status != published:
		return fault.Newf(fault.Unprocessable,
			"version %d of the scenario is a draft; publish it before you assign it", c.SourceVersion)
	}
	return nil
}

// missing gives the first of the published nodes that was not found.
func (c creation) missing(found []node) string {
	for _, id := range c.PublishedNodeIDs {
		if !slices.ContainsFunc(found, func(n node) bool { return n.id == id }) {
			return id
		}
	}
	return ""
}

// check holds the content against its bounds.
func (n NewAssignment) check() error {
	if len(n.PublishedNodeIDs) == 0 || len(n.PublishedNodeIDs) > MaxPublished {
		return fault.Newf(fault.Unprocessable, "published_node_ids must have 1 to %d entries", MaxPublished)
	}
	return check.All(
		check.Text("character", n.Character, 1, MaxText),
		check.Text("brief", n.Brief, 1, MaxText),
		check.Text("instructions", n.Instructions, 0, MaxText),
		check.Text("boundaries", n.Boundaries, 1, MaxText),
		check.Text("return_condition", n.ReturnCondition, 1, MaxText),
		check.Text("gm_notes", n.GMNotes, 0, MaxText),
		check.Choice("mode", n.Mode, Absence, Downtime, Solo),
		check.Choice("language", n.Language, "en", "pl"),
		check.Text("player_username", n.PlayerUsername, 1, MaxUsername),
		distinct("published_node_ids", n.PublishedNodeIDs),
		each(n.PublishedNodeIDs, func(id string) error { return check.Slug("each of published_node_ids", id) }),
		distinct("auto_approve", n.AutoApprove),
		each(n.AutoApprove, func(c string) error { return check.Choice("each of auto_approve", c, categories...) }),
	)
}

// content is what a digest of a creation covers.
func (n NewAssignment) content() any {
	return struct {
		ScenarioID      uuid.UUID `json:"scenario_id"`
		SourceVersion   int64     `json:"source_version"`
		PlayerUsername  string    `json:"player_username"`
		Mode            string    `json:"mode"`
		Language        string    `json:"language"`
		Character       string    `json:"character"`
		Brief           string    `json:"brief"`
		Instructions    string    `json:"instructions"`
		Boundaries      string    `json:"boundaries"`
		ReturnCondition string    `json:"return_condition"`
		GMNotes         string    `json:"gm_notes"`
		Published       []string  `json:"published_node_ids"`
		AutoApprove     []string  `json:"auto_approve"`
	}{
		n.ScenarioID, n.SourceVersion, n.PlayerUsername, n.Mode, n.Language, n.Character, n.Brief, n.Instructions,
		n.Boundaries, n.ReturnCondition, n.GMNotes, n.PublishedNodeIDs, n.AutoApprove,
	}
}

// sorted gives a list in order, never nil.
func sorted(list []string) []string {
	list = append([]string{}, list...)
	slices.Sort(list)
	return list
}

// distinct refuses a sorted list that has something twice.
func distinct(name string, list []string) error {
	if len(slices.Compact(slices.Clone(list))) < len(list) {
		return fault.Newf(fault.Unprocessable, "%s has an entry twice", name)
	}
	return nil
}

// each gives the first refusal of a list's entries, or nil.
func each[T any](list []T, refusal func(T) error) error {
	for _, entry := range list {
		if err := refusal(entry); err != nil {
			return err
		}
	}
	return nil
}
