package blocks

import (
	"fmt"
	"slices"
	"strings"
)

// maxText is the longest text of a state that is looked at. The longest state
// of the tables has about 170 characters.
const maxText = 512

// Error says why a state is refused.
type Error struct {
	// State is what was refused: canonical where it could be read, else the text,
	// cut and with every character that does not print replaced.
	State string
	// Reason is short: "syntax", "no such block", "properties", "property axis",
	// "block entity", "class connecting" and so on.
	Reason string
	// Detail says more, where there is more: "one of x, y, z".
	Detail string
}

// Error is the state, the reason in brackets, and the detail.
func (e *Error) Error() string {
	text := fmt.Sprintf("%s (%s)", e.State, e.Reason)
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return text
}

// Parse reads a state as people write it in a recipe and returns it canonical.
// The namespace may be left out, and so may properties, which then have the
// block's default values. Errors are *Error.
func (p *Pack) Parse(text string) (string, error) { return p.parse(text, true) }

// Exact reads a state as files write it: with its namespace and all of the
// block's properties, in any order. Errors are *Error.
func (p *Pack) Exact(text string) (string, error) { return p.parse(text, false) }

func (p *Pack) parse(text string, defaults bool) (string, error) {
	if _, ok := p.ids[text]; ok {
		return text, nil
	}
	refuse := func(reason, detail string, a ...any) (string, error) {
		return "", &Error{shown(text), reason, fmt.Sprintf(detail, a...)}
	}
	name, given, ok := scan(text)
	if !ok {
		return refuse("syntax", "a state is written name or name[property=value,property=value]")
	}
	if defaults && !strings.Contains(name, ":") {
		name = namespace + name
	}
	k := p.kinds[name]
	if k == nil {
		return refuse("no such block", "in %s", p.version)
	}
	properties := p.defaults(k)
	for i, g := range given {
		at := slices.IndexFunc(properties, func(d Property) bool { return d.Name == g.Name })
		if at < 0 {
			return refuse("properties", "%s has %s", k.name, k.listed())
		}
		if slices.ContainsFunc(given[:i], func(earlier Property) bool { return earlier.Name == g.Name }) {
			return refuse("properties", "%s is given twice", g.Name)
		}
		if values := k.properties[at].values; !slices.Contains(values, g.Value) {
			return refuse("property "+g.Name, "one of %s", strings.Join(values, ", "))
		}
		properties[at].Value = g.Value
	}
	if !defaults && len(given) < len(properties) {
		return refuse("properties", "%s has %s", k.name, k.listed())
	}
	return Join(k.name, properties), nil
}

// defaults are the properties of a kind's default state.
func (p *Pack) defaults(k *kind) []Property {
	_, properties := Split(p.states[k.standard])
	return properties
}

// listed names a kind's properties for people.
func (k *kind) listed() string {
	if len(k.properties) == 0 {
		return "no properties"
	}
	names := make([]string, len(k.properties))
	for i, c := range k.properties {
		names[i] = c.name
	}
	return strings.Join(names, ", ")
}

// scan takes a text apart without looking anything up. Names and values consist
// of the characters that the game's identifiers have, and capitals, so that a
// wrong name is told from a wrong form.
func scan(text string) (name string, properties []Property, ok bool) {
	if len(text) > maxText {
		return "", nil, false
	}
	name, list, bracket := strings.Cut(text, "[")
	if strings.Count(name, ":") > 1 || !isWord(name, ":/.-") {
		return "", nil, false
	}
	if !bracket {
		return name, nil, true
	}
	list, closed := strings.CutSuffix(list, "]")
	if !closed {
		return "", nil, false
	}
	for item := range strings.SplitSeq(list, ",") {
		key, value, found := strings.Cut(item, "=")
		if !found || !isWord(key, "") || !isWord(value, "") {
			return "", nil, false
		}
		properties = append(properties, Property{key, value})
	}
	return name, properties, true
}

func isWord(s, more string) bool {
	for _, c := range []byte(s) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', strings.IndexByte(more, c) >= 0:
		default:
			return false
		}
	}
	return s != ""
}

// shown makes a text fit to be part of a message.
func shown(text string) string {
	cut := false
	if len(text) > 200 {
		text, cut = text[:200], true
	}
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, text)
	if cut {
		text += "…"
	}
	return text
}
