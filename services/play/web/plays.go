package web

import (
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/web/words"
)

// playsView is the list of plays, by what the reader is in them.
type playsView struct {
	Leading, Playing []playRow
	Full             bool // there may be older ones
	Author           bool
}

// playRow is a play in the list.
type playRow struct {
	URL, Name, Scenario, Lang, Mode, With, State string
	Waiting                                      string // how many consequences wait, or ""
	ReviewURL                                    string
	Done                                         bool
	Changed                                      words.Moment
}

// listPlays shows the plays of a game master and player.
func (v *visit) listPlays() error {
	all, err := v.config.Assignments.List(v.r.Context(), v.who.ID)
	if err != nil {
		return err
	}
	view := playsView{Full: len(all) >= assignment.MaxListed}
	for _, a := range all {
		leads := a.GM.ID == v.who.ID
		row := playRow{
			URL: playURL(a), Name: nameOf(a), Scenario: a.ScenarioTitle, Lang: a.Language,
			Mode:  v.words.Plays.ModeOf(a.Mode),
			With:  a.GM.DisplayName,
			State: v.words.Plays.StateOf(a.Status), Done: a.Status == assignment.Completed,
			Changed: v.words.Moment(a.UpdatedAt),
		}
		if a.Pending > 0 {
			row.Waiting = v.words.Plays.Pending.For(a.Pending)
		}
		if leads {
			row.With, row.ReviewURL = a.Player.DisplayName, playURL(a)+"review/"
			view.Leading = append(view.Leading, row)
		} else {
			view.Playing = append(view.Playing, row)
		}
	}
	return v.render(http.StatusOK, "plays", v.words.Plays.Title, view)
}

func playURL(a assignment.Assignment) string { return "/plays/" + a.ID.String() + "/" }

// maxName is how much of a character names a play.
const maxName = 60

// nameOf is what a play is called: how its character begins, or its scenario
// where that has no words.
func nameOf(a assignment.Assignment) string {
	if name := firstLine(a.Character); name != "" {
		return name
	}
	return a.ScenarioTitle
}

// firstLine is how a text begins, without the marks of a heading.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimLeft(strings.TrimSpace(text), "#*_ "), "\n")
	line = strings.TrimSpace(line)
	if utf8.RuneCountInString(line) <= maxName {
		return line
	}
	return strings.TrimSpace(string([]rune(line)[:maxName-1])) + "…"
}
