package web

import "strings"

// field is one question of a form, with all that is said about it: what is
// meant, who will see the answer, how long it may be, and what is wrong with it.
type field struct {
	ID, Name, Label string
	Kind            string // an input's type, or "area" or "select"
	Value           string
	Hints           []string
	Seen            string // who will see it
	Error           string
	Must            string // "required" in the reader's language, or ""
	Rows            int    // of an area
	Autocomplete    string
	Lang            string // of what is typed, where it is known
	Exact           bool   // of names: no capital letters, no spelling
	Options         []option
}

// option is an answer to choose.
type option struct {
	ID, Value, Label, Note string
	Chosen                 bool
}

// Describes lists the elements that describe the field.
func (f field) Describes() string {
	var ids []string
	if len(f.Hints) > 0 {
		ids = append(ids, f.ID+"-hint")
	}
	if f.Seen != "" {
		ids = append(ids, f.ID+"-seen")
	}
	if f.Error != "" {
		ids = append(ids, f.ID+"-error")
	}
	return strings.Join(ids, " ")
}

// choice is a question with several answers to tick, or one to choose.
type choice struct {
	ID, Name, Legend string
	Kind             string // "checkbox" or "radio"
	Hints            []string
	Seen             string
	Error            string
	Must             string
	Groups           []group
}

// group is a part of a choice, with a legend of its own where there are several.
type group struct {
	Legend  string
	Options []option
}

// Describes lists the elements that describe the choice.
func (c choice) Describes() string {
	return field{ID: c.ID, Hints: c.Hints, Seen: c.Seen, Error: c.Error}.Describes()
}

// First is the id of the first answer, where a link to the choice leads.
func (c choice) First() string {
	for _, g := range c.Groups {
		for _, o := range g.Options {
			return o.ID
		}
	}
	return c.ID
}
