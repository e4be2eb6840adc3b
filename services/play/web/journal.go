package web

import (
	"fmt"
	"net/http"

	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/chronicle"
	"github.com/pharos-mcp/pharos/services/play/report"
	"github.com/pharos-mcp/pharos/services/play/web/words"
)

// journalView is a page of the journal.
type journalView struct {
	URL, Name, Lang, Total string
	Entries                []entryView
	Pages                  pager
}

// entryView is a turn, or the end.
type entryView struct {
	W                                              *words.Words
	Lang                                           string // of the texts
	ID, Heading, Action, Narration, Summary, Scene string
	At                                             words.Moment
}

const entriesShown = 10

// journal shows a page of the journal, the oldest first.
func (v *visit) journal() error {
	a, _, err := v.theirs()
	if err != nil {
		return err
	}
	offset := v.offset(1_000_000)
	total, entries, err := v.config.Chronicle.Journal(v.r.Context(), a.ID, offset, entriesShown)
	if err != nil {
		return err
	}
	view := journalView{
		URL: playURL(a), Name: nameOf(a), Lang: a.Language, Total: v.words.Journal.Entries.For(int64(total)),
		Pages: v.pager(total, offset, entriesShown, "entries"),
	}
	for _, e := range entries {
		view.Entries = append(view.Entries, v.entry(e, a.Language))
	}
	return v.render(http.StatusOK, "journal", fmt.Sprintf(v.words.Journal.Title, view.Name), view)
}

func (v *visit) entry(e chronicle.Entry, lang string) entryView {
	t := &v.words.Journal
	kind := t.Turn
	if e.Kind == "finish" {
		kind = t.Finish
	}
	return entryView{
		W: v.words, Lang: lang,
		ID: fmt.Sprintf("v%d", e.Version), Heading: fmt.Sprintf(t.Heading, kind, e.Version),
		Action: e.Action, Narration: e.Narration, Summary: e.Summary, Scene: e.Scene, At: v.words.Moment(e.At),
	}
}

// report gives the report as a file. One that fails before it begins is a page
// that says so; one that breaks off later breaks the connection, so that no half
// of it looks whole.
func (v *visit) report() error {
	a, role, err := v.theirs()
	if err != nil {
		return err
	}
	tag := v.query.Get("lang")
	if !words.Known(tag) {
		tag = v.words.Tag
	}
	data, err := v.config.Chronicle.ReportData(v.r.Context(), a.ID, role)
	if err != nil {
		return err
	}
	begun, err := report.Download(v.w, data, reportName(a, tag), tag)
	if err != nil && begun {
		v.config.Log.ErrorContext(v.r.Context(), "page", "route", v.route.Pattern, "error", err)
		panic(http.ErrAbortHandler)
	}
	return err
}

// reportName is the file name of a report.
func reportName(a assignment.Assignment, tag string) string {
	return "pharos-play-" + a.ID.String()[:8] + "-v" + fmt.Sprint(a.Version) + "-" + tag + ".md"
}
