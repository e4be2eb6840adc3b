package web

import (
	"fmt"
	"html/template"
	"net/http"
	"strings"

	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/web/words"
)

// playView is one play, for its game master or its player.
type playView struct {
	URL, Name, Lang                            string
	Leads                                      bool
	Done                                       bool
	GM, Player, Scenario, ScenarioURL          string
	State, Mode, Language, Scene, Version      string
	Started, Changed                           words.Moment
	Character, Brief, Instructions, Boundaries string
	ReturnCondition                            string
	Nodes                                      []link
	Approve                                    string
	Memory, Notes                              template.HTML
	Recap                                      string
	Waiting                                    string
	Consequences                               []consequenceRow
	Pages                                      pager
	Access                                     string // about the token that lives, or ""
	Reports                                    []link
}

// link is a name and where it leads.
type link struct{ URL, Text string }

// consequenceRow is a consequence and what was decided.
type consequenceRow struct {
	Category, Description, Status, Label, Note, From string
	Decided                                          *words.Moment
}

// consequencesShown is how many consequences a page has.
const consequencesShown = 20

// theirs gives the play in the address, for one of its two people.
func (v *visit) theirs() (assignment.Assignment, assignment.Role, error) {
	id, err := v.subject("play")
	if err != nil {
		return assignment.Assignment{}, "", err
	}
	return v.config.Assignments.Get(v.r.Context(), v.who.ID, id)
}

// toPlay leads back to the play.
func (v *visit) toPlay() error {
	a, _, err := v.theirs()
	if err != nil {
		return err
	}
	return v.see(playURL(a))
}

// showPlay shows a play.
func (v *visit) showPlay() error {
	a, role, err := v.theirs()
	if err != nil {
		return err
	}
	offset := v.offset(assignment.MaxConsequences * 100_000)
	total, found, err := v.config.Assignments.Consequences(v.r.Context(), v.who.ID, a.ID, offset, consequencesShown)
	if err != nil {
		return err
	}
	w := v.words
	view := playView{
		URL: playURL(a), Name: nameOf(a), Lang: a.Language, Leads: role == assignment.GM,
		Done: a.Status == assignment.Completed,
		GM:   a.GM.DisplayName, Player: a.Player.DisplayName,
		Scenario: fmt.Sprintf(w.Play.ScenarioVersion, a.ScenarioTitle, a.SourceVersion),
		State:    w.Plays.StateOf(a.Status), Mode: w.Plays.ModeOf(a.Mode), Language: w.LanguageOf(a.Language),
		Scene:   a.CurrentScene,
		Version: fmt.Sprint(a.Version), Started: w.Moment(a.CreatedAt), Changed: w.Moment(a.UpdatedAt),
		Character: a.Character, Brief: a.Brief, Instructions: a.Instructions, Boundaries: a.Boundaries,
		ReturnCondition: a.ReturnCondition,
		Memory:          markdown(a.Memory, 2), Approve: v.approved(a),
		Pages: v.pager(total, offset, consequencesShown, "decisions"),
	}
	if a.Summary != nil {
		view.Recap = *a.Summary
	}
	if a.Pending > 0 {
		view.Waiting = w.Review.Waiting.For(a.Pending)
	}
	if view.Leads {
		view.Notes = markdown(a.GMNotes, 2)
		view.ScenarioURL = versionURL(a.ScenarioID, a.SourceVersion)
		for _, node := range a.PublishedNodeIDs {
			view.Nodes = append(view.Nodes, link{nodeURL(a.ScenarioID, a.SourceVersion, node), node})
		}
	}
	if a.Token != nil {
		view.Access = fmt.Sprintf(w.Play.AccessLive, w.Moment(a.Token.CreatedAt).Text, w.Moment(a.Token.ExpiresAt).Text)
	}
	for _, tag := range words.Languages {
		text := fmt.Sprintf(w.Play.ReportIn, w.LanguageOf(tag))
		view.Reports = append(view.Reports, link{view.URL + "report/?lang=" + tag, text})
	}
	for _, c := range found {
		view.Consequences = append(view.Consequences, v.consequence(c))
	}
	return v.render(http.StatusOK, "play", fmt.Sprintf(w.Play.Title, view.Name), view)
}

// approved names the categories that need no decision.
func (v *visit) approved(a assignment.Assignment) string {
	var names []string
	for _, category := range a.AutoApprove {
		names = append(names, v.words.Plays.CategoryOf(category))
	}
	return strings.Join(names, ", ")
}

func (v *visit) consequence(c assignment.Consequence) consequenceRow {
	row := consequenceRow{
		Category: v.words.Plays.CategoryOf(c.Category), Description: c.Description, Status: c.Status,
		Label: v.words.Plays.StatusOf(c.Status),
		Note:  c.Note, From: fmt.Sprintf(v.words.Play.FromVersion, c.Version),
	}
	if c.DecidedAt != nil {
		decided := v.words.Moment(*c.DecidedAt)
		row.Decided = &decided
	}
	return row
}
