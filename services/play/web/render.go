package web

import (
	"bytes"
	"embed"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"github.com/pharos-mcp/pharos/services/play/account"
	"github.com/pharos-mcp/pharos/services/play/web/words"
)

//go:embed templates/*.html
var templateFiles embed.FS

// pages are the templates by name. Each is one page within the layout.
type pages map[string]*template.Template

// parsePages reads the templates, which are part of the program.
func parsePages() pages {
	shared := template.Must(template.New("").ParseFS(templateFiles, "templates/_*.html"))
	found := pages{}
	names, err := fs.Glob(templateFiles, "templates/[a-z]*.html")
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		t := template.Must(template.Must(shared.Clone()).ParseFS(templateFiles, name))
		found[strings.TrimSuffix(path.Base(name), ".html")] = t
	}
	return found
}

// page is what every template gets.
type page struct {
	W           *words.Words
	Title       string
	Who         *account.Account
	Here        string // where a change of the language leads back to
	Part        string // the part of the menu that this page belongs to
	Style, Icon string
	Notice      string
	Failed      bool // the page has errors, which its title says
	View        any
}

// failing is a view that may have errors of a form.
type failing interface{ failed() bool }

// render writes a page.
func (v *visit) render(status int, name, title string, view any) error {
	p := page{
		W: v.words, Title: title, Who: v.who, Here: v.here(), Part: part(v.r.URL.Path), View: view,
		Style: v.style.path, Icon: v.icon.path, Notice: v.words.Done.Notice(v.query.Get("done")),
	}
	if f, ok := view.(failing); ok && f.failed() {
		p.Failed, p.Notice = true, ""
	}
	var text bytes.Buffer
	if err := v.pages[name].ExecuteTemplate(&text, "layout", p); err != nil {
		v.config.Log.ErrorContext(v.r.Context(), "page", "template", name, "error", err)
		http.Error(v.w, "internal error", http.StatusInternalServerError)
		return nil
	}
	v.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	v.w.Header().Set("Content-Language", v.words.Tag)
	v.w.WriteHeader(status)
	_, _ = v.w.Write(text.Bytes())
	return nil
}

// here is the address that shows this page again.
func (v *visit) here() string {
	if v.r.Method != http.MethodGet {
		if !v.readable[v.route.Pattern] {
			return "/"
		}
		return v.r.URL.Path
	}
	query := v.r.URL.Query()
	query.Del("done")
	if len(query) == 0 {
		return v.r.URL.Path
	}
	return v.r.URL.Path + "?" + query.Encode()
}

// part is the first name of a path.
func part(p string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(p, "/"), "/")
	return first
}
