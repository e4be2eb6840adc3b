package web

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/scenario"
)

// chooseView is the list of scenarios to make a play from.
type chooseView struct {
	Rows  []chooseRow
	Pages pager
}

// chooseRow is a scenario that can be played.
type chooseRow struct {
	Title, Lang, URL string
	Use              link
}

const scenariosShown = 50

// createForm asks for a scenario first, and for everything else once there is
// one.
func (v *visit) createForm() error {
	if v.query.Get("scenario") == "" {
		return v.choose()
	}
	s, err := v.source(v.query.Get("scenario"), v.query.Get("version"))
	if err != nil {
		return err
	}
	return v.showCreate(http.StatusOK, s, newID(), problems{})
}

// choose lists the scenarios of the reader with the newest version that is
// published. Before a draft there is always one that is.
func (v *visit) choose() error {
	offset := v.offset(scenario.MaxScenarios)
	total, found, err := v.config.Scenarios.List(v.r.Context(), v.who.ID, offset, scenariosShown)
	if err != nil {
		return err
	}
	view := chooseView{Pages: v.pager(total, offset, scenariosShown, "scenarios")}
	for _, s := range found {
		version := s.Latest
		if latest := s.Versions[len(s.Versions)-1]; latest.Status != scenario.Published {
			version--
		}
		if version < 1 {
			continue
		}
		view.Rows = append(view.Rows, chooseRow{
			Title: s.Title, Lang: s.Language, URL: scenarioURL(s.ID),
			Use: link{createURL(s.ID, version), fmt.Sprintf(v.words.Create.UseVersion, version)},
		})
	}
	return v.render(http.StatusOK, "choose", v.words.Create.ChooseTitle, view)
}

// source is what a play is made from.
type source struct {
	scenario scenario.Scenario
	version  int64
	nodes    []scenario.Node
}

// source reads a published version of a scenario of the reader, with its nodes.
func (v *visit) source(id, version string) (source, error) {
	missing := fault.New(fault.NotFound, "there is no such published version")
	sid, err := uuid.Parse(id)
	if err != nil {
		return source{}, missing
	}
	number, err := strconv.ParseInt(version, 10, 64)
	if err != nil {
		return source{}, missing
	}
	s, err := v.config.Scenarios.Get(v.r.Context(), v.who.ID, sid)
	if err != nil {
		return source{}, err
	}
	at, ok := versionOf(s, number)
	if !ok || at.Status != scenario.Published {
		return source{}, missing
	}
	_, nodes, err := v.config.Scenarios.Nodes(v.r.Context(), v.who.ID, sid, number, "", 0, scenario.MaxNodes)
	if err != nil {
		return source{}, err
	}
	return source{s, number, nodes}, nil
}

func versionOf(s scenario.Scenario, number int64) (scenario.Version, bool) {
	for _, version := range s.Versions {
		if version.Number == number {
			return version, true
		}
	}
	return scenario.Version{}, false
}

func createURL(id uuid.UUID, version int64) string {
	return "/plays/new/?scenario=" + id.String() + "&version=" + strconv.FormatInt(version, 10)
}
