package web

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/scenario"
)

// create makes a play. The form has its identifier, so that sending it twice
// makes one play.
func (v *visit) create() error {
	from, err := v.source(v.form.Get("scenario"), v.form.Get("version"))
	if err != nil {
		return err
	}
	id, err := v.id("id")
	if err != nil {
		return err
	}
	n, p, err := v.readCreate(from, id)
	if err != nil {
		return err
	}
	if p.failed() {
		return v.showCreate(http.StatusUnprocessableEntity, from, id.String(), p)
	}
	a, _, err := v.config.Assignments.Create(v.r.Context(), v.who.ID, n)
	switch code := fault.CodeOf(err); {
	case err == nil:
		return v.done(playURL(a), "created")
	case code == fault.Conflict || code == fault.Exists:
		p.add("", "", v.words.Create.Exists)
		p.About, p.AboutText = "/plays/"+id.String()+"/", v.words.Create.ExistsLink
		return v.showCreate(http.StatusConflict, from, newID(), p)
	case v.refused(&p, err):
		return v.showCreate(code.Status(), from, id.String(), p)
	}
	return err
}

// readCreate reads the form and finds what is wrong with it.
func (v *visit) readCreate(from source, id uuid.UUID) (assignment.NewAssignment, problems, error) {
	t, p := &v.words.Create, problems{}
	n := assignment.NewAssignment{ID: id, ScenarioID: from.scenario.ID, SourceVersion: from.version}
	n.PlayerUsername = v.line(&p, "player", t.Player, 1, maxUsername)
	if p.of("player") == "" {
		player, err := v.config.Accounts.ByUsername(v.r.Context(), n.PlayerUsername)
		switch code := fault.CodeOf(err); {
		case code == fault.NotFound || code == fault.Invalid || code == fault.Unprocessable || err == nil && !player.Active:
			p.add("player", t.Player, t.PlayerUnknown)
		case err != nil:
			return n, p, err
		}
	}
	n.Mode = v.one(&p, "mode", t.Mode, assignment.Absence, assignment.Downtime, assignment.Solo)
	n.Language = v.one(&p, "language", t.Language, scenario.English, scenario.Polish)
	n.Character = v.text(&p, "character", t.Character, 1, assignment.MaxText)
	n.Brief = v.text(&p, "brief", t.Brief, 1, assignment.MaxText)
	n.Instructions = v.text(&p, "instructions", t.Instructions, 0, assignment.MaxText)
	n.Boundaries = v.text(&p, "boundaries", t.Boundaries, 1, assignment.MaxText)
	n.ReturnCondition = v.text(&p, "return_condition", t.ReturnCondition, 1, assignment.MaxText)
	n.PublishedNodeIDs = v.chosen("node")
	switch starts := from.scene(n.PublishedNodeIDs); {
	case len(n.PublishedNodeIDs) > assignment.MaxPublished:
		p.add("node", t.Nodes, v.words.Form.TooMany.For(assignment.MaxPublished))
	case !from.has(n.PublishedNodeIDs):
		p.add("node", t.Nodes, v.words.Form.Invalid)
	case !starts:
		p.add("node", t.Nodes, t.NoScene)
	}
	n.AutoApprove = v.chosen("approve")
	for _, category := range n.AutoApprove {
		if !slices.Contains(categories, category) {
			p.add("approve", t.Approve, v.words.Form.Invalid)
			break
		}
	}
	n.GMNotes = v.text(&p, "gm_notes", t.Notes, 0, assignment.MaxText)
	return n, p, nil
}

// categories are the kinds of consequences.
var categories = []string{"resource", "relationship", "discovery", "narrative"}

// chosen gives the ticked answers, each once; none is an empty list.
func (v *visit) chosen(name string) []string {
	values := append([]string{}, v.form[name]...)
	slices.Sort(values)
	return slices.Compact(values)
}

// has reports whether all of some nodes are in the source.
func (s source) has(ids []string) bool {
	for _, id := range ids {
		if !slices.ContainsFunc(s.nodes, func(n scenario.Node) bool { return n.ID == id }) {
			return false
		}
	}
	return true
}

// scene reports whether one of some nodes is a scene.
func (s source) scene(ids []string) bool {
	return slices.ContainsFunc(s.nodes, func(n scenario.Node) bool {
		return n.Kind == scenario.Scene && slices.Contains(ids, n.ID)
	})
}

// createView is the form that makes a play.
type createView struct {
	problems
	Source                                     string
	ID, Scenario, Version                      string
	Player, Language                           field
	Character, Brief, Instructions, Boundaries field
	ReturnCondition, Notes                     field
	Mode, Nodes, Approve                       choice
}

func (v *visit) showCreate(status int, from source, id string, p problems) error {
	t := &v.words.Create
	area := func(name, label, hint, seen string, least, rows int) field {
		return field{
			ID: name, Name: name, Label: label, Kind: "area", Value: v.form.Get(name), Rows: rows, Error: p.of(name),
			Must:  v.must(least),
			Hints: []string{hint, v.bound(least, assignment.MaxText)}, Seen: seen,
		}
	}
	language := v.form.Get("language")
	if language == "" {
		language = from.scenario.Language
	}
	view := &createView{
		problems: p, Source: fmt.Sprintf(t.Source, from.scenario.Title, from.version),
		ID: id, Scenario: from.scenario.ID.String(), Version: fmt.Sprint(from.version),
		Player: field{
			ID: "player", Name: "player", Label: t.Player, Kind: "text", Value: v.form.Get("player"),
			Error: p.of("player"),
			Hints: []string{t.PlayerHint}, Seen: t.SeenAll, Must: v.words.Site.Required, Autocomplete: "off", Exact: true,
		},
		Language: field{
			ID: "language", Name: "language", Label: t.Language, Kind: "select", Error: p.of("language"),
			Must:  v.words.Site.Required,
			Hints: []string{t.LanguageHint}, Seen: t.SeenAll, Options: v.languages(language),
		},
		Character:       area("character", t.Character, t.CharacterHint, t.SeenAll, 1, 5),
		Brief:           area("brief", t.Brief, t.BriefHint, t.SeenAll, 1, 5),
		Instructions:    area("instructions", t.Instructions, t.InstructionsHint, t.SeenAll, 0, 5),
		Boundaries:      area("boundaries", t.Boundaries, t.BoundariesHint, t.SeenAll, 1, 4),
		ReturnCondition: area("return_condition", t.ReturnCondition, t.ReturnHint, t.SeenAll, 1, 3),
		Notes:           area("gm_notes", t.Notes, t.NotesHint, t.SeenGM, 0, 5),
		Mode:            v.modes(&p), Nodes: v.nodesToPublish(from, &p), Approve: v.toApprove(&p),
	}
	return v.render(status, "create", t.Title, view)
}
