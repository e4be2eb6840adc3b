package web

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/scenario"
)

// versionView is a version of a scenario and what is in it.
type versionView struct {
	problems
	ScenarioURL, ScenarioTitle, Lang     string
	URL, Status, Kind, Count, Revision   string
	Draft                                bool
	Filters                              []filter
	Nodes                                []nodeRow
	Pages                                pager
	PlayURL, PlayText, AddURL, PublishTo string
}

// filter shows one kind of nodes.
type filter struct {
	URL, Text string
	Current   bool
}

type nodeRow struct {
	URL, Title, Kind, ID, Notes string
	Position                    int32
}

const nodesShown = 100

// edition gives the version in the address.
func (v *visit) edition() (scenario.Scenario, scenario.Version, error) {
	s, err := v.story()
	if err != nil {
		return s, scenario.Version{}, err
	}
	text := v.r.PathValue("version")
	number, err := strconv.ParseInt(text, 10, 64)
	at, ok := versionOf(s, number)
	if err != nil || !ok || strconv.FormatInt(number, 10) != text {
		return s, at, fault.New(fault.NotFound, "the scenario has no such version")
	}
	return s, at, nil
}

func (v *visit) showVersion() error { return v.showEdition(http.StatusOK, problems{}) }

func (v *visit) showEdition(status int, p problems) error {
	s, at, err := v.edition()
	if err != nil {
		return err
	}
	kind := v.query.Get("kind")
	if !slices.Contains(scenario.Kinds(), kind) {
		kind = ""
	}
	offset := v.offset(scenario.MaxNodes)
	total, nodes, err := v.config.Scenarios.Nodes(v.r.Context(), v.who.ID, s.ID, at.Number, kind, offset, nodesShown)
	if err != nil {
		return err
	}
	w, url := v.words, versionURL(s.ID, at.Number)
	view := &versionView{
		problems: p, ScenarioURL: scenarioURL(s.ID), ScenarioTitle: s.Title, Lang: s.Language, URL: url,
		Status: w.Scenarios.VersionStatus(at.Status), Kind: at.Status, Count: w.Nodes.Count.For(int64(total)),
		Revision: fmt.Sprint(at.Revision),
		Draft:    at.Status == scenario.Draft, Pages: v.pager(total, offset, nodesShown, "nodes"), AddURL: url + "add/",
		PublishTo: url + "publish/",
	}
	if !view.Draft {
		view.PlayURL, view.PlayText = createURL(s.ID, at.Number), fmt.Sprintf(w.Scenarios.PlayThis, at.Number)
	}
	names := map[string]string{
		"":             w.Nodes.All,
		scenario.Scene: w.Nodes.Scenes, scenario.NPC: w.Nodes.NPCs,
		scenario.Place: w.Nodes.Places, scenario.Clue: w.Nodes.Clues,
	}
	for _, k := range append([]string{""}, scenario.Kinds()...) {
		f := filter{URL: url, Text: names[k], Current: k == kind}
		if k != "" {
			f.URL += "?kind=" + k
		}
		view.Filters = append(view.Filters, f)
	}
	for _, n := range nodes {
		row := nodeRow{
			URL: url + "nodes/" + n.ID + "/", Title: n.Title, Kind: w.Nodes.KindOf(n.Kind), ID: n.ID, Position: n.Position,
			Notes: w.Site.No,
		}
		if n.GMNotes != "" {
			row.Notes = w.Site.Yes
		}
		view.Nodes = append(view.Nodes, row)
	}
	return v.render(status, "version", fmt.Sprintf(w.Nodes.Title, s.Title, at.Number), view)
}

// publish makes a draft what can be played.
func (v *visit) publish() error {
	s, at, err := v.edition()
	if err != nil {
		return err
	}
	revision, err := v.number("revision")
	if err != nil {
		return err
	}
	_, err = v.config.Scenarios.Publish(v.r.Context(), v.who.ID, s.ID, at.Number, revision)
	p := problems{}
	switch code := fault.CodeOf(err); code {
	case "":
		return v.done(versionURL(s.ID, at.Number), "published")
	case fault.Unprocessable:
		p.add("publish", "", v.words.Nodes.NeedsScene)
		return v.showEdition(code.Status(), p)
	case fault.Conflict:
		p.add("", "", v.words.Errors.Conflict.Title+". "+v.words.Errors.Conflict.Text)
		p.Detail = fault.From(err).Message
		return v.showEdition(code.Status(), p)
	}
	return err
}
