package web

import (
	"fmt"
	"html/template"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/web/words"
	"github.com/pharos-mcp/pharos/services/play/wiki"
)

// wikiView is the list of an author's wiki, or what a search found.
type wikiView struct {
	problems
	Query         field
	Searched      bool
	Count, Result string
	Rows          []wikiRow
	Pages         pager
}

type wikiRow struct {
	URL, Title, ID, Excerpt string
	Changed                 words.Moment
}

const wikiShown = 50

func wikiURL(id string) string { return "/wiki/pages/" + id + "/" }

func (v *visit) listWiki() error {
	t, p := &v.words.Wiki, problems{}
	view := &wikiView{Searched: v.query.Has("q")}
	query := strings.Join(strings.Fields(v.query.Get("q")), " ")
	status := http.StatusOK
	if view.Searched {
		switch n := utf8.RuneCountInString(query); {
		case n == 0:
			p.add("q", t.Search, v.words.Form.Missing)
		case n > wiki.MaxQuery:
			p.add("q", t.Search, fmt.Sprintf(v.words.Form.TooLong, wiki.MaxQuery, n))
		default:
			hits, err := v.config.Wiki.Search(v.r.Context(), v.who.ID, query)
			if err != nil {
				return err
			}
			for _, h := range hits {
				view.Rows = append(view.Rows, wikiRow{URL: wikiURL(h.ID), Title: h.Title, ID: h.ID, Excerpt: h.Excerpt})
			}
			view.Result = fmt.Sprintf(t.Results, query)
		}
		if p.failed() {
			status = http.StatusUnprocessableEntity
		}
	} else {
		offset := v.offset(wiki.MaxPages)
		total, found, err := v.config.Wiki.List(v.r.Context(), v.who.ID, offset, wikiShown)
		if err != nil {
			return err
		}
		view.Count, view.Pages = t.Count.For(int64(total)), v.pager(total, offset, wikiShown, "pages")
		for _, f := range found {
			view.Rows = append(view.Rows, wikiRow{
				URL: wikiURL(f.ID), Title: f.Title, ID: f.ID, Changed: v.words.Moment(f.UpdatedAt),
			})
		}
	}
	view.problems = p
	view.Query = field{
		ID: "q", Name: "q", Label: t.Search, Kind: "search", Value: query, Hints: []string{t.SearchHint},
		Error: p.of("q"), Autocomplete: "off",
	}
	return v.render(status, "wiki", t.Title, view)
}

// wikiPageView is a page of the wiki.
type wikiPageView struct {
	ID, Revision       string
	Body               template.HTML
	Changed            words.Moment
	EditURL, DeleteURL string
}

// wikiPage gives the page of the wiki in the address.
func (v *visit) wikiPage() (wiki.Page, error) {
	id := v.r.PathValue("page")
	if !slug.MatchString(id) {
		return wiki.Page{}, fault.New(fault.NotFound, "there is no such wiki page")
	}
	return v.config.Wiki.Read(v.r.Context(), v.who.ID, id)
}

func (v *visit) showWiki() error {
	p, err := v.wikiPage()
	if err != nil {
		return err
	}
	return v.render(http.StatusOK, "wiki_page", p.Title, wikiPageView{
		ID: p.ID, Revision: fmt.Sprint(p.Revision), Body: markdown(p.Body, 1), Changed: v.words.Moment(p.UpdatedAt),
		EditURL: wikiURL(p.ID) + "edit/", DeleteURL: wikiURL(p.ID) + "delete/",
	})
}

func (v *visit) deleteWikiForm() error { return v.showDeleteWiki(http.StatusOK, problems{}) }

func (v *visit) showDeleteWiki(status int, p problems) error {
	page, err := v.wikiPage()
	if err != nil {
		return err
	}
	t, url := &v.words.Wiki, wikiURL(page.ID)
	view := &removeView{
		problems: p, Ask: t.DeleteAsk, Action: url + "delete/", Revision: fmt.Sprint(page.Revision), Back: url,
		BackText: page.Title, Keep: url,
		KeepText: v.words.Nodes.Keep, Submit: v.words.Nodes.Delete,
	}
	if p.failed() {
		view.Stored = []storedText{{t.NameField, page.Title}, {t.Body, page.Body}}
	}
	return v.render(status, "remove", fmt.Sprintf(t.DeleteTitle, page.Title), view)
}

// deleteWiki deletes a page. One that is gone already is what was wanted.
func (v *visit) deleteWiki() error {
	id := v.r.PathValue("page")
	if !slug.MatchString(id) {
		return fault.New(fault.NotFound, "there is no such wiki page")
	}
	revision, err := v.number("revision")
	if err != nil {
		return err
	}
	err = v.config.Wiki.Delete(v.r.Context(), v.who.ID, id, revision)
	switch code := fault.CodeOf(err); {
	case err == nil || code == fault.NotFound:
		return v.done("/wiki/", "deleted")
	case code == fault.Conflict:
		p := problems{}
		p.add("", "", v.words.Nodes.StaleDelete)
		p.Detail = fault.From(err).Message
		return v.showDeleteWiki(http.StatusConflict, p)
	}
	return err
}
