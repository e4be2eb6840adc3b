package web

import (
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/chronicle"
)

// reviewView is what waits for decisions, each beside the turn that made it.
type reviewView struct {
	problems
	URL, Name, Lang    string
	Operation, Version string
	Waiting, More      string
	Cards              []card
	// Lost are decisions and notes about what has been decided by others since.
	Lost []lostNote
}

// card is one consequence, its turn, and the decision about it.
type card struct {
	ID, Heading, Category, Description string
	Turn                               entryView
	Decision                           choice
	Note                               field
}

// lostNote is what was written about a consequence that waits no more.
type lostNote struct{ Description, Status, Note string }

// mine gives the play in the address to its game master. For the player, there
// is nothing to review.
func (v *visit) mine() (assignment.Assignment, error) {
	a, role, err := v.theirs()
	if err != nil {
		return a, err
	}
	if role != assignment.GM {
		return a, fault.New(fault.Forbidden, "only the game master reviews")
	}
	return a, nil
}

// reviewForm shows what waits.
func (v *visit) reviewForm() error {
	a, err := v.mine()
	if err != nil {
		return err
	}
	return v.showReview(http.StatusOK, a, newID(), problems{})
}

// review saves decisions. The form has the identifier of the operation and the
// version that was looked at.
func (v *visit) review() error {
	a, err := v.mine()
	if err != nil {
		return err
	}
	operation, err := v.id("operation")
	if err != nil {
		return err
	}
	version, err := v.number("version")
	if err != nil {
		return err
	}
	list, p, err := v.readDecisions()
	if err != nil {
		return err
	}
	if p.failed() {
		return v.showReview(http.StatusUnprocessableEntity, a, operation.String(), p)
	}
	_, err = v.config.Assignments.Review(v.r.Context(), v.who.ID, a.ID, assignment.Decisions{
		OperationID: operation, ExpectedVersion: version, List: list,
	})
	switch code := fault.CodeOf(err); {
	case err == nil:
		return v.done(playURL(a)+"review/", "reviewed")
	case code == fault.Conflict:
		if a, err = v.mine(); err != nil {
			return err
		}
		p.add("", "", v.words.Review.Stale+" "+v.words.Review.StaleWhat)
		return v.showReview(http.StatusConflict, a, newID(), p)
	case v.refused(&p, err):
		return v.showReview(code.Status(), a, newID(), p)
	}
	return err
}

// readDecisions reads the decisions of the form, in the order of the page.
func (v *visit) readDecisions() ([]assignment.Decision, problems, error) {
	t, p := &v.words.Review, problems{}
	var list []assignment.Decision
	if len(v.form["consequence"]) > assignment.MaxDecisions {
		return nil, p, formError{http.StatusBadRequest}
	}
	for i, text := range v.form["consequence"] {
		id, err := uuid.Parse(text)
		if err != nil {
			return nil, p, formError{http.StatusBadRequest}
		}
		decision, note := v.form.Get("decision-"+text), v.form.Get("note-"+text)
		label := fmt.Sprintf("%d. %s", i+1, t.Note)
		if n := utf8.RuneCountInString(note); n > assignment.MaxNote {
			p.add("note-"+text, label, fmt.Sprintf(v.words.Form.TooLong, assignment.MaxNote, n))
		}
		switch decision {
		case assignment.Approved, assignment.Rejected:
			list = append(list, assignment.Decision{ID: id, Decision: decision, Note: note})
		case "", "later":
			if strings.TrimSpace(note) != "" && p.of("note-"+text) == "" {
				p.add("note-"+text, label, t.NoteAlone)
			}
		default:
			p.add("decision-"+text, fmt.Sprintf("%d. %s", i+1, t.Decision), v.words.Form.Invalid)
		}
	}
	if len(list) == 0 && !p.failed() {
		p.add("", "", t.NothingChosen)
	}
	return list, p, nil
}

func (v *visit) showReview(status int, a assignment.Assignment, operation string, p problems) error {
	t := &v.words.Review
	waiting, err := v.config.Chronicle.Waiting(v.r.Context(), a.ID)
	if err != nil {
		return err
	}
	view := &reviewView{
		problems: p, URL: playURL(a), Name: nameOf(a), Lang: a.Language, Operation: operation,
		Version: fmt.Sprint(a.Version),
	}
	if a.Pending > 0 {
		view.Waiting = t.Waiting.For(a.Pending)
	}
	if more := a.Pending - int64(len(waiting)); more > 0 {
		view.More = t.More.For(more)
	}
	shown := map[string]bool{}
	for i, w := range waiting {
		view.Cards = append(view.Cards, v.card(i+1, w, a.Language, &p))
		shown[w.ID.String()] = true
	}
	if view.Lost, err = v.lost(a.ID, shown); err != nil {
		return err
	}
	return v.render(status, "review", fmt.Sprintf(t.Title, view.Name), view)
}

func (v *visit) card(number int, w chronicle.Waiting, lang string, p *problems) card {
	t, id := &v.words.Review, w.ID.String()
	chosen := v.form.Get("decision-" + id)
	answer := func(value, label string) option {
		return option{
			ID: "decision-" + id + "-" + value, Value: value, Label: label,
			Chosen: chosen == value || chosen == "" && value == "later",
		}
	}
	category := v.words.Plays.CategoryOf(w.Category)
	c := card{
		ID: id, Heading: fmt.Sprintf(t.Heading, number, category, w.Version), Category: category,
		Description: w.Description, Turn: v.entry(w.Turn, lang),
		Decision: choice{
			ID: "decision-" + id, Name: "decision-" + id, Legend: t.Decision, Kind: "radio",
			Error: p.of("decision-" + id),
			Groups: []group{{Options: []option{
				answer(assignment.Approved, t.Approve), answer(assignment.Rejected, t.Reject), answer("later", t.Later),
			}}},
		},
		Note: field{
			ID: "note-" + id, Name: "note-" + id, Label: t.Note, Kind: "area", Rows: 2,
			Value: v.form.Get("note-" + id), Error: p.of("note-" + id),
			Hints: []string{fmt.Sprintf(t.NoteHint, assignment.MaxNote)},
		},
	}
	return c
}

// lost finds what was typed about consequences that wait no more, and what has
// become of them.
func (v *visit) lost(play uuid.UUID, shown map[string]bool) ([]lostNote, error) {
	var lost []lostNote
	typed := map[string]string{}
	for _, id := range v.form["consequence"] {
		if !shown[id] && (v.form.Get("note-"+id) != "" || v.form.Get("decision-"+id) != "later") {
			typed[id] = v.form.Get("note-" + id)
		}
	}
	if len(typed) == 0 {
		return nil, nil
	}
	_, newest, err := v.config.Assignments.Consequences(v.r.Context(), v.who.ID, play, 0, assignment.MaxPage)
	if err != nil {
		return nil, err
	}
	for _, c := range newest {
		if note, ok := typed[c.ID.String()]; ok && c.Status != assignment.Pending {
			lost = append(lost, lostNote{c.Description, v.words.Plays.StatusOf(c.Status), note})
			delete(typed, c.ID.String())
		}
	}
	for _, id := range v.form["consequence"] { // too old to be found again
		if note, ok := typed[id]; ok && note != "" {
			lost = append(lost, lostNote{Note: note})
		}
	}
	return lost, nil
}
