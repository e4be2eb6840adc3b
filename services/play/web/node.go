package web

import (
	"fmt"
	"html/template"
	"net/http"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/scenario"
	"github.com/pharos-mcp/pharos/services/play/web/words"
)

// nodeView is one node.
type nodeView struct {
	Back, BackText, URL, Lang  string
	ID, Kind, Revision, Order  string
	Body, Notes                template.HTML
	Changed                    words.Moment
	Draft                      bool
	EditURL, DeleteURL, Delete string
}

// node gives the node in the address.
func (v *visit) node() (scenario.Scenario, scenario.Version, scenario.Node, error) {
	s, at, err := v.edition()
	if err != nil {
		return s, at, scenario.Node{}, err
	}
	id := v.r.PathValue("node")
	if !slug.MatchString(id) {
		return s, at, scenario.Node{}, fault.New(fault.NotFound, "the version has no such node")
	}
	n, err := v.config.Scenarios.Node(v.r.Context(), v.who.ID, s.ID, at.Number, id)
	return s, at, n, err
}

func (v *visit) showNode() error {
	s, at, n, err := v.node()
	if err != nil {
		return err
	}
	url := nodeURL(s.ID, at.Number, n.ID)
	return v.render(http.StatusOK, "node", n.Title, nodeView{
		Back: versionURL(s.ID, at.Number), BackText: fmt.Sprintf(v.words.Nodes.Title, s.Title, at.Number), URL: url,
		Lang: s.Language,
		ID:   n.ID, Kind: v.words.Nodes.KindOf(n.Kind), Revision: fmt.Sprint(n.Revision), Order: fmt.Sprint(n.Position),
		Body: markdown(n.Body, 2), Notes: markdown(n.GMNotes, 2), Changed: v.words.Moment(n.UpdatedAt),
		Draft: at.Status == scenario.Draft, EditURL: url + "edit/", DeleteURL: url + "delete/",
	})
}

// removeView asks whether something is to be deleted.
type removeView struct {
	problems
	Ask, Action, Revision string
	Back, BackText        string
	Keep, KeepText        string
	Submit                string
	Lang                  string
	Stored                []storedText
}

// storedText is what is stored now under a name.
type storedText struct{ Label, Text string }

func (v *visit) deleteNodeForm() error { return v.showDeleteNode(http.StatusOK, problems{}) }

func (v *visit) showDeleteNode(status int, p problems) error {
	s, at, n, err := v.node()
	if err != nil {
		return err
	}
	t, url := &v.words.Nodes, nodeURL(s.ID, at.Number, n.ID)
	view := &removeView{
		problems: p, Ask: t.DeleteAsk, Action: url + "delete/", Revision: fmt.Sprint(n.Revision), Back: url,
		BackText: n.Title, Keep: url,
		KeepText: t.Keep, Submit: t.Delete, Lang: s.Language,
	}
	if p.failed() {
		view.Stored = v.stored(n)
	}
	return v.render(status, "remove", fmt.Sprintf(t.DeleteTitle, n.Title), view)
}

// stored is what a node is now.
func (v *visit) stored(n scenario.Node) []storedText {
	t := &v.words.Nodes
	return []storedText{
		{t.Kind, t.KindOf(n.Kind)}, {t.NameField, n.Title}, {t.Position, fmt.Sprint(n.Position)},
		{t.Body, n.Body}, {t.NotesField, n.GMNotes},
	}
}

// deleteNode deletes a node. One that is gone already is what was wanted.
func (v *visit) deleteNode() error {
	s, at, err := v.edition()
	if err != nil {
		return err
	}
	revision, err := v.number("revision")
	if err != nil {
		return err
	}
	err = v.config.Scenarios.DeleteNode(v.r.Context(), v.who.ID, s.ID, at.Number, v.r.PathValue("node"), revision)
	p := problems{}
	switch code := fault.CodeOf(err); {
	case err == nil || code == fault.NotFound && slug.MatchString(v.r.PathValue("node")):
		return v.done(versionURL(s.ID, at.Number), "deleted")
	case code == fault.Conflict:
		p.add("", "", v.words.Nodes.StaleDelete)
		p.Detail = fault.From(err).Message
		return v.showDeleteNode(http.StatusConflict, p)
	}
	return err
}
