package web

import (
	"fmt"
	"net/http"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/wiki"
)

// wikiFormView is the form of a new page or of one that is changed. Stored is
// what somebody else has saved since, where that is why the form is back.
type wikiFormView struct {
	problems
	Action, Submit, Back, BackText string
	Revision                       string // "" of a new one
	ID                             *field // nil of one that has its name
	Title, Body                    field
	Lang                           string // of what is stored; a wiki has none
	Stored                         []storedText
}

func (v *visit) wikiForm() error { return v.showWikiForm(http.StatusOK, problems{}) }

func (v *visit) showWikiForm(status int, p problems) error {
	t := &v.words.Wiki
	view := v.wikiFields(p)
	view.Action, view.Submit, view.Back, view.BackText = "/wiki/new/", t.Create, "/wiki/", t.Title
	view.ID = &field{
		ID: "id", Name: "id", Label: v.words.Nodes.IDField, Kind: "text", Value: v.form.Get("id"), Error: p.of("id"),
		Must: v.must(1), Exact: true,
		Hints: []string{t.IDHint, v.words.Nodes.IDRule}, Autocomplete: "off",
	}
	return v.render(status, "wiki_form", t.NewTitle, view)
}

func (v *visit) wikiFields(p problems) *wikiFormView {
	t := &v.words.Wiki
	return &wikiFormView{
		problems: p,
		Title: field{
			ID: "title", Name: "title", Label: t.NameField, Kind: "text", Value: v.form.Get("title"),
			Error: p.of("title"), Must: v.must(1),
			Hints: []string{v.bound(1, wiki.MaxTitle)}, Seen: t.Seen,
		},
		Body: field{
			ID: "body", Name: "body", Label: t.Body, Kind: "area", Rows: 20, Value: v.form.Get("body"),
			Error: p.of("body"),
			Hints: []string{t.BodyHint, v.bound(0, wiki.MaxBody)}, Seen: t.Seen,
		},
	}
}

// readWiki reads the questions of both forms.
func (v *visit) readWiki(p *problems) (title, body string) {
	t := &v.words.Wiki
	return v.line(p, "title", t.NameField, 1, wiki.MaxTitle), v.text(p, "body", t.Body, 0, wiki.MaxBody)
}

func (v *visit) createWiki() error {
	p := problems{}
	id := v.slug(&p, "id", v.words.Nodes.IDField)
	title, body := v.readWiki(&p)
	if p.failed() {
		return v.showWikiForm(http.StatusUnprocessableEntity, p)
	}
	_, err := v.config.Wiki.Create(v.r.Context(), v.who.ID, id, title, body)
	switch code := fault.CodeOf(err); {
	case err == nil:
		return v.done(wikiURL(id), "created")
	case code == fault.Exists:
		p.add("id", v.words.Nodes.IDField, v.words.Wiki.Exists)
		return v.showWikiForm(http.StatusConflict, p)
	case v.refused(&p, err):
		return v.showWikiForm(code.Status(), p)
	}
	return err
}

func (v *visit) editWikiForm() error {
	page, err := v.wikiPage()
	if err != nil {
		return err
	}
	v.form = map[string][]string{"title": {page.Title}, "body": {page.Body}}
	return v.showEditWiki(http.StatusOK, page, nil, problems{})
}

// showEditWiki shows the form of a page whose stored state is given.
func (v *visit) showEditWiki(status int, page wiki.Page, stored []storedText, p problems) error {
	view := v.wikiFields(p)
	url := wikiURL(page.ID)
	view.Action, view.Submit = url+"edit/", v.words.Nodes.Save
	view.Revision, view.Stored = fmt.Sprint(page.Revision), stored
	view.Back, view.BackText = url, page.Title
	if stored != nil {
		view.Submit = v.words.Nodes.StaleSave
	}
	return v.render(status, "wiki_form", fmt.Sprintf(v.words.Wiki.EditTitle, page.Title), view)
}

// editWiki changes a page. When somebody else has changed it since, both texts
// are shown; when that was the same form sent twice, it is done.
func (v *visit) editWiki() error {
	page, err := v.wikiPage()
	if err != nil {
		return err
	}
	expected, err := v.number("revision")
	if err != nil {
		return err
	}
	t, p := &v.words.Wiki, problems{}
	title, body := v.readWiki(&p)
	if p.failed() {
		page.Revision = expected // what the text was made from
		return v.showEditWiki(http.StatusUnprocessableEntity, page, nil, p)
	}
	_, err = v.config.Wiki.Update(v.r.Context(), v.who.ID, page.ID, expected, title, body)
	switch code := fault.CodeOf(err); {
	case err == nil:
		return v.done(wikiURL(page.ID), "saved")
	case code == fault.Conflict:
		now, err := v.config.Wiki.Read(v.r.Context(), v.who.ID, page.ID)
		if err != nil {
			return err
		}
		if now.Title == title && now.Body == body {
			return v.done(wikiURL(page.ID), "saved")
		}
		p.add("", "", v.words.Nodes.Stale)
		return v.showEditWiki(http.StatusConflict, now, []storedText{{t.NameField, now.Title}, {t.Body, now.Body}}, p)
	case v.refused(&p, err):
		page.Revision = expected
		return v.showEditWiki(code.Status(), page, nil, p)
	}
	return err
}
