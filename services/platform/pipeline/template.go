package pipeline

import (
	"regexp"
	"strings"
)

// piece is a part of a template: some text, or a reference to a parameter.
type piece struct {
	text string
	name string // of the parameter; "" for text
}

// parse cuts a template into pieces. ${name} refers to a parameter, $${ stands
// for ${ itself, and every other dollar for a dollar. It reports false for a
// reference that has no end or whose name can be none.
func parse(template string) ([]piece, bool) {
	var pieces []piece
	for template != "" {
		at := strings.Index(template, "${")
		if at < 0 {
			return append(pieces, piece{text: template}), true
		}
		if at > 0 && template[at-1] == '$' {
			pieces = append(pieces, piece{text: template[:at-1] + "${"})
			template = template[at+2:]
			continue
		}
		if at > 0 {
			pieces = append(pieces, piece{text: template[:at]})
		}
		name, rest, ok := strings.Cut(template[at+2:], "}")
		if !ok || !parameterName.MatchString(name) {
			return nil, false
		}
		pieces, template = append(pieces, piece{name: name}), rest
	}
	return pieces, true
}

// expand puts values into a template that refers to nothing else.
func expand(template string, values map[string]string) string {
	pieces, _ := parse(template)
	var b strings.Builder
	for _, p := range pieces {
		if p.name == "" {
			b.WriteString(p.text)
		} else {
			b.WriteString(values[p.name])
		}
	}
	return b.String()
}

// The names of parameters and of steps.
var (
	parameterName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)
	stepName      = regexp.MustCompile(`^[a-z][a-z0-9_-]{0,39}$`)
)
