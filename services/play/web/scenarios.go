package web

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/scenario"
	"github.com/pharos-mcp/pharos/services/play/web/words"
)

// scenariosView is the list of an author's scenarios.
type scenariosView struct {
	Count string
	Rows  []scenarioRow
	Pages pager
}

type scenarioRow struct {
	URL, Title, Lang, Language, Latest string
	Changed                            words.Moment
}

func (v *visit) listScenarios() error {
	offset := v.offset(scenario.MaxScenarios)
	total, found, err := v.config.Scenarios.List(v.r.Context(), v.who.ID, offset, scenariosShown)
	if err != nil {
		return err
	}
	view := scenariosView{
		Count: v.words.Scenarios.Count.For(int64(total)), Pages: v.pager(total, offset, scenariosShown, "scenarios"),
	}
	for _, s := range found {
		latest := fmt.Sprintf(v.words.Site.Version, s.Latest)
		if at, ok := versionOf(s, s.Latest); ok {
			latest += ", " + v.words.Scenarios.VersionStatus(at.Status)
		}
		view.Rows = append(view.Rows, scenarioRow{
			URL: scenarioURL(s.ID), Title: s.Title, Lang: s.Language, Language: v.words.LanguageOf(s.Language),
			Latest:  latest,
			Changed: v.words.Moment(s.UpdatedAt),
		})
	}
	return v.render(http.StatusOK, "scenarios", v.words.Scenarios.Title, view)
}

// newScenarioView is the form that makes a scenario.
type newScenarioView struct {
	problems
	ID                       string
	Title, Summary, Language field
}

func (v *visit) scenarioForm() error { return v.showScenarioForm(http.StatusOK, newID(), problems{}) }

func (v *visit) showScenarioForm(status int, id string, p problems) error {
	t := &v.words.Scenarios
	language := v.form.Get("language")
	if language == "" {
		language = v.words.Tag
	}
	return v.render(status, "scenario_new", t.NewTitle, &newScenarioView{
		problems: p, ID: id,
		Title: field{
			ID: "title", Name: "title", Label: t.NameField, Kind: "text", Value: v.form.Get("title"),
			Error: p.of("title"), Must: v.must(1),
			Hints: []string{t.NameHint, v.bound(1, scenario.MaxTitle)},
		},
		Summary: field{
			ID: "summary", Name: "summary", Label: t.Summary, Kind: "area", Rows: 5, Value: v.form.Get("summary"),
			Error: p.of("summary"),
			Hints: []string{t.SummaryHint, v.bound(0, scenario.MaxSummary)}, Seen: t.Seen,
		},
		Language: field{
			ID: "language", Name: "language", Label: t.Language, Kind: "select", Error: p.of("language"), Must: v.must(1),
			Hints: []string{t.LanguageHint}, Options: v.languages(language),
		},
	})
}

func (v *visit) createScenario() error {
	t, p := &v.words.Scenarios, problems{}
	id, err := v.id("id")
	if err != nil {
		return err
	}
	n := scenario.NewScenario{ID: id}
	n.Title = v.line(&p, "title", t.NameField, 1, scenario.MaxTitle)
	n.Summary = v.text(&p, "summary", t.Summary, 0, scenario.MaxSummary)
	n.Language = v.one(&p, "language", t.Language, scenario.English, scenario.Polish)
	if p.failed() {
		return v.showScenarioForm(http.StatusUnprocessableEntity, id.String(), p)
	}
	s, err := v.config.Scenarios.Create(v.r.Context(), v.who.ID, n)
	switch code := fault.CodeOf(err); {
	case err == nil:
		return v.done(scenarioURL(s.ID), "created")
	case code == fault.Exists:
		p.add("", "", t.Exists)
		return v.showScenarioForm(http.StatusConflict, newID(), p)
	case v.refused(&p, err):
		return v.showScenarioForm(code.Status(), id.String(), p)
	}
	return err
}

// scenarioView is one scenario and its versions.
type scenarioView struct {
	Title, Lang, Summary, Language string
	Created                        words.Moment
	Versions                       []versionRow
	StartURL, Latest               string // of a new version; "" while the latest is a draft
}

type versionRow struct {
	URL, Text, Status, Kind string
	Created                 words.Moment
	Published               *words.Moment
	PlayURL                 string
	PlayText                string
}

// story gives the scenario in the address.
func (v *visit) story() (scenario.Scenario, error) {
	id, err := v.subject("scenario")
	if err != nil {
		return scenario.Scenario{}, err
	}
	return v.config.Scenarios.Get(v.r.Context(), v.who.ID, id)
}

func (v *visit) showScenario() error {
	s, err := v.story()
	if err != nil {
		return err
	}
	w := v.words
	view := scenarioView{
		Title: s.Title, Lang: s.Language, Summary: s.Summary, Language: w.LanguageOf(s.Language),
		Created: w.Moment(s.CreatedAt),
	}
	for _, at := range slices.Backward(s.Versions) {
		row := versionRow{
			URL: versionURL(s.ID, at.Number), Text: fmt.Sprintf(w.Site.Version, at.Number),
			Status: w.Scenarios.VersionStatus(at.Status),
			Kind:   at.Status, Created: w.Moment(at.CreatedAt),
		}
		if at.PublishedAt != nil {
			published := w.Moment(*at.PublishedAt)
			row.Published = &published
			row.PlayURL, row.PlayText = createURL(s.ID, at.Number), fmt.Sprintf(w.Scenarios.PlayThis, at.Number)
		}
		view.Versions = append(view.Versions, row)
	}
	if latest, ok := versionOf(s, s.Latest); ok && latest.Status == scenario.Published {
		view.StartURL, view.Latest = scenarioURL(s.ID)+"versions/", fmt.Sprint(s.Latest)
	}
	return v.render(http.StatusOK, "scenario", s.Title, view)
}

// startVersion makes a draft with copies of the latest version. The form sent
// twice makes one.
func (v *visit) startVersion() error {
	id, err := v.subject("scenario")
	if err != nil {
		return err
	}
	latest, err := v.number("latest")
	if err != nil {
		return err
	}
	s, err := v.config.Scenarios.NewVersion(v.r.Context(), v.who.ID, id, latest)
	if fault.CodeOf(err) == fault.Conflict {
		now, failed := v.config.Scenarios.Get(v.r.Context(), v.who.ID, id)
		if failed != nil || now.Latest != latest+1 {
			return err
		}
		s, err = now, nil
	}
	if err != nil {
		return err
	}
	return v.done(versionURL(s.ID, s.Latest), "version")
}

func scenarioURL(id uuid.UUID) string { return "/scenarios/" + id.String() + "/" }

func versionURL(id uuid.UUID, version int64) string {
	return scenarioURL(id) + "versions/" + strconv.FormatInt(version, 10) + "/"
}

// nodeURL is where a node is; its name is a slug.
func nodeURL(id uuid.UUID, version int64, node string) string {
	return versionURL(id, version) + "nodes/" + node + "/"
}
