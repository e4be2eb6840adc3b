package web

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/scenario"
)

// nodeFormView is the form of a new node or of one that is changed. Stored is
// what somebody else has saved since, where that is why the form is back.
type nodeFormView struct {
	problems
	Action, Submit, Back, BackText string
	Revision                       string // "" of a new one
	Lang                           string
	ID                             *field // nil of one that has its name
	Title, Body, Notes, Position   field
	Kind                           choice
	Stored                         []storedText
}

func (v *visit) nodeForm() error {
	s, at, err := v.edition()
	if err != nil {
		return err
	}
	return v.showNodeForm(http.StatusOK, s, at, problems{})
}

func (v *visit) showNodeForm(status int, s scenario.Scenario, at scenario.Version, p problems) error {
	t := &v.words.Nodes
	if at.Status != scenario.Draft && !p.failed() {
		return v.see(versionURL(s.ID, at.Number))
	}
	view := v.nodeFields(s, p)
	view.Action, view.Submit = versionURL(s.ID, at.Number)+"add/", t.Add
	view.Back, view.BackText = versionURL(s.ID, at.Number), fmt.Sprintf(t.Title, s.Title, at.Number)
	view.ID = &field{
		ID: "id", Name: "id", Label: t.IDField, Kind: "text", Value: v.form.Get("id"), Error: p.of("id"),
		Must: v.must(1), Exact: true,
		Hints: []string{t.IDHint, t.IDRule}, Autocomplete: "off",
	}
	return v.render(status, "node_form", fmt.Sprintf(t.AddTitle, s.Title, at.Number), view)
}

// nodeFields are the questions of both forms, with the answers of the form that
// was sent.
func (v *visit) nodeFields(s scenario.Scenario, p problems) *nodeFormView {
	t := &v.words.Nodes
	kinds := group{}
	for _, kind := range scenario.Kinds() {
		kinds.Options = append(kinds.Options, option{
			ID: "kind-" + kind, Value: kind, Label: t.KindOf(kind), Chosen: v.form.Get("kind") == kind,
		})
	}
	return &nodeFormView{
		problems: p, Lang: s.Language,
		Kind: choice{
			ID: "kind", Name: "kind", Legend: t.Kind, Kind: "radio", Hints: []string{t.KindHint}, Error: p.of("kind"),
			Must:   v.must(1),
			Groups: []group{kinds},
		},
		Title: field{
			ID: "title", Name: "title", Label: t.NameField, Kind: "text", Value: v.form.Get("title"),
			Error: p.of("title"), Must: v.must(1),
			Hints: []string{v.bound(1, scenario.MaxNodeTitle)}, Seen: t.SeenPublished, Lang: s.Language,
		},
		Body: field{
			ID: "body", Name: "body", Label: t.Body, Kind: "area", Rows: 14, Value: v.form.Get("body"),
			Error: p.of("body"),
			Hints: []string{t.BodyHint, v.bound(0, scenario.MaxBody)}, Seen: t.SeenPublished, Lang: s.Language,
		},
		Notes: field{
			ID: "gm_notes", Name: "gm_notes", Label: t.NotesField, Kind: "area", Rows: 6,
			Value: v.form.Get("gm_notes"), Error: p.of("gm_notes"),
			Hints: []string{v.bound(0, scenario.MaxGMNotes)}, Seen: t.SeenGM, Lang: s.Language,
		},
		Position: field{
			ID: "position", Name: "position", Label: t.Position, Kind: "text", Value: v.form.Get("position"),
			Error: p.of("position"),
			Hints: []string{t.PositionHint}, Autocomplete: "off",
		},
	}
}

// readNode reads the questions of both forms.
func (v *visit) readNode(p *problems) scenario.NodeContent {
	t := &v.words.Nodes
	c := scenario.NodeContent{
		Kind:    v.one(p, "kind", t.Kind, scenario.Kinds()...),
		Title:   v.line(p, "title", t.NameField, 1, scenario.MaxNodeTitle),
		Body:    v.text(p, "body", t.Body, 0, scenario.MaxBody),
		GMNotes: v.text(p, "gm_notes", t.NotesField, 0, scenario.MaxGMNotes),
	}
	if text := strings.TrimSpace(v.form.Get("position")); text != "" {
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || n < 0 || n > scenario.MaxPosition {
			p.add("position", t.Position, fmt.Sprintf(t.PositionRule, 0, scenario.MaxPosition))
		}
		position := int32(n)
		c.Position = &position
	}
	return c
}

func (v *visit) createNode() error {
	s, at, err := v.edition()
	if err != nil {
		return err
	}
	t, p := &v.words.Nodes, problems{}
	id := v.slug(&p, "id", t.IDField)
	c := v.readNode(&p)
	if p.failed() {
		return v.showNodeForm(http.StatusUnprocessableEntity, s, at, p)
	}
	_, err = v.config.Scenarios.CreateNode(v.r.Context(), v.who.ID, s.ID, at.Number, scenario.NewNode{
		ID: id, Kind: c.Kind, Title: c.Title, Body: c.Body, GMNotes: c.GMNotes, Position: c.Position,
	})
	switch code := fault.CodeOf(err); {
	case err == nil:
		return v.done(nodeURL(s.ID, at.Number, id), "created")
	case code == fault.Exists:
		p.add("id", t.IDField, t.Exists)
		return v.showNodeForm(http.StatusConflict, s, at, p)
	case v.refused(&p, err):
		return v.showNodeForm(code.Status(), s, at, p)
	}
	return err
}

func (v *visit) editNodeForm() error {
	s, at, n, err := v.node()
	if err != nil {
		return err
	}
	if at.Status != scenario.Draft {
		return v.see(nodeURL(s.ID, at.Number, n.ID))
	}
	v.form = map[string][]string{
		"kind": {n.Kind}, "title": {n.Title}, "body": {n.Body}, "gm_notes": {n.GMNotes},
		"position": {fmt.Sprint(n.Position)},
	}
	return v.showEditNode(http.StatusOK, s, at, n, nil, problems{})
}

// showEditNode shows the form of a node whose stored state is n.
func (v *visit) showEditNode(
	status int, s scenario.Scenario, at scenario.Version, n scenario.Node, stored []storedText, p problems,
) error {
	view := v.nodeFields(s, p)
	url := nodeURL(s.ID, at.Number, n.ID)
	view.Action, view.Submit, view.Revision, view.Stored = url+"edit/", v.words.Nodes.Save, fmt.Sprint(n.Revision), stored
	view.Back, view.BackText = url, n.Title
	if stored != nil {
		view.Submit = v.words.Nodes.StaleSave
	}
	return v.render(status, "node_form", fmt.Sprintf(v.words.Nodes.EditTitle, n.Title), view)
}

// editNode changes a node. When somebody else has changed it since, both texts
// are shown; when that was the same form sent twice, it is done.
func (v *visit) editNode() error {
	s, at, n, err := v.node()
	if err != nil {
		return err
	}
	p := problems{}
	expected, err := v.number("revision")
	if err != nil {
		return err
	}
	c := v.readNode(&p)
	if p.failed() {
		n.Revision = expected // what the text was made from
		return v.showEditNode(http.StatusUnprocessableEntity, s, at, n, nil, p)
	}
	_, err = v.config.Scenarios.UpdateNode(v.r.Context(), v.who.ID, s.ID, at.Number, n.ID, expected, c)
	switch code := fault.CodeOf(err); {
	case err == nil:
		return v.done(nodeURL(s.ID, at.Number, n.ID), "saved")
	case code == fault.Conflict:
		now, err := v.config.Scenarios.Node(v.r.Context(), v.who.ID, s.ID, at.Number, n.ID)
		if err != nil {
			return err
		}
		if now.Revision != expected && same(now, c) {
			return v.done(nodeURL(s.ID, at.Number, n.ID), "saved")
		}
		if now.Revision != expected {
			p.add("", "", v.words.Nodes.Stale)
			return v.showEditNode(http.StatusConflict, s, at, now, v.stored(now), p)
		}
		p.add("", "", v.words.Nodes.FixedHint)
		return v.showEditNode(http.StatusConflict, s, at, now, nil, p)
	case v.refused(&p, err):
		n.Revision = expected
		return v.showEditNode(code.Status(), s, at, n, nil, p)
	}
	return err
}

// same reports whether a node is what a form says.
func same(n scenario.Node, c scenario.NodeContent) bool {
	return n.Kind == c.Kind && n.Title == c.Title && n.Body == c.Body && n.GMNotes == c.GMNotes &&
		(c.Position == nil || *c.Position == n.Position)
}
