package web

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// problem is something wrong with what was typed, and where: ID names the
// question, or is "" for the whole form.
type problem struct{ ID, Label, Text string }

// problems are all that is wrong with a form, in the order of its questions.
type problems struct {
	List []problem
	// Detail is the server's own words, where the pages have none for it.
	Detail string
	// About and AboutText lead to what the problem is about.
	About, AboutText string
}

func (p *problems) add(id, label, text string) { p.List = append(p.List, problem{id, label, text}) }

// of is what is wrong with a question, or "".
func (p *problems) of(id string) string {
	for _, q := range p.List {
		if q.ID == id {
			return q.Text
		}
	}
	return ""
}

func (p *problems) failed() bool { return len(p.List) > 0 }

// refused tells that the domain refused the form for a reason that the pages
// did not find before, and whether it did: any other error is left alone.
func (v *visit) refused(p *problems, err error) bool {
	switch f := fault.From(err); f.Code {
	case fault.Invalid, fault.Unprocessable, fault.Conflict, fault.Exists, fault.NotFound, fault.TooMany:
		p.add("", "", v.words.Form.Refused)
		p.Detail = f.Message
		return true
	}
	return false
}

// text reads a text of a form and holds it against its bounds, in characters.
// One that must have a character must have one that is no white space.
func (v *visit) text(p *problems, name, label string, least, most int) string {
	value := v.form.Get(name)
	n := utf8.RuneCountInString(value)
	switch {
	case least > 0 && strings.TrimSpace(value) == "":
		p.add(name, label, v.words.Form.Missing)
	case n > most:
		p.add(name, label, fmt.Sprintf(v.words.Form.TooLong, most, n))
	}
	return value
}

// line is text of one line, whose ends are no part of it.
func (v *visit) line(p *problems, name, label string, least, most int) string {
	v.form.Set(name, strings.Join(strings.Fields(v.form.Get(name)), " "))
	return v.text(p, name, label, least, most)
}

// one reads the answer to a choice.
func (v *visit) one(p *problems, name, label string, of ...string) string {
	value := v.form.Get(name)
	switch {
	case value == "":
		p.add(name, label, v.words.Form.Chosen)
	case !slices.Contains(of, value):
		p.add(name, label, v.words.Form.Invalid)
	}
	return value
}

var slug = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)

// slug reads a name that stands in addresses.
func (v *visit) slug(p *problems, name, label string) string {
	value := strings.TrimSpace(v.form.Get(name))
	v.form.Set(name, value)
	switch {
	case value == "":
		p.add(name, label, v.words.Form.Missing)
	case !slug.MatchString(value):
		p.add(name, label, v.words.Nodes.IDRule)
	}
	return value
}

// bound says how long a text may be.
func (v *visit) bound(least, most int) string {
	if least > 0 {
		return fmt.Sprintf(v.words.Form.Bound, most)
	}
	return fmt.Sprintf(v.words.Form.BoundEmpty, most)
}

// must is the word for a question that needs an answer.
func (v *visit) must(least int) string {
	if least > 0 {
		return v.words.Site.Required
	}
	return ""
}
