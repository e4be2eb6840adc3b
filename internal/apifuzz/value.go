package apifuzz

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// tries bounds how often a value is drawn until one fits its schema.
const tries = 60

// drawer draws values that schemas allow.
type drawer struct {
	*rand.Rand
	doc *Document
	// known gives a value from elsewhere for a member of an object.
	known func(member string) (any, bool)
}

// value draws a value for the schema at a place; false means that none was
// found.
func (d *drawer) value(p place) (any, bool) {
	for range tries {
		if v := d.draw(p, 0); d.doc.fits(p, v) == nil {
			return v, true
		}
	}
	return nil, false
}

// draw draws a value that is likely to fit.
func (d *drawer) draw(p place, depth int) any {
	p, node := d.doc.object(p)
	if values, ok := node["enum"].([]any); ok {
		return values[d.IntN(len(values))]
	}
	if value, ok := node["const"]; ok {
		return value
	}
	for _, word := range []string{"oneOf", "anyOf"} {
		if list, ok := node[word].([]any); ok {
			return d.draw(p.child(word, itoa(d.IntN(len(list)))), depth)
		}
	}
	kind, ok := node["type"].(string)
	if kinds, several := node["type"].([]any); several {
		kind, ok = kinds[d.IntN(len(kinds))].(string)
	}
	if !ok {
		kind = "string"
	}
	switch kind {
	case "object":
		return d.object(p, node, depth)
	case "array":
		return d.array(p, node, depth)
	case "integer", "number":
		return d.number(node)
	case "boolean":
		return d.IntN(2) == 0
	case "null":
		return nil
	default:
		return d.text(node)
	}
}

func (d *drawer) object(p place, node map[string]any, depth int) any {
	v := map[string]any{}
	required, _ := node["required"].([]any)
	for _, name := range sorted(object(node["properties"])) {
		needed := slices.Contains(required, any(name))
		if !needed && (depth > 4 || d.IntN(2) == 0) {
			continue
		}
		member := p.child("properties", name)
		if known, ok := d.known(name); ok && d.doc.fits(member, known) == nil {
			v[name] = known
			continue
		}
		v[name] = d.draw(member, depth+1)
	}
	if _, free := node["additionalProperties"].(map[string]any); free {
		for range d.IntN(3) {
			name := "a"
			if names := object(node["propertyNames"]); names != nil {
				name = d.text(names)
			}
			v[name] = d.draw(p.child("additionalProperties"), depth+1)
		}
	}
	return v
}

func (d *drawer) array(p place, node map[string]any, depth int) any {
	v := []any{}
	for range d.length(node, "minItems", "maxItems", 3) {
		v = append(v, d.draw(p.child("items"), depth+1))
	}
	return v
}

// length draws a length between two bounds of a schema: mostly a small one,
// sometimes one of the bounds.
func (d *drawer) length(node map[string]any, least, most string, usual int) int {
	low, high := 0, math.MaxInt32
	if n, ok := node[least].(float64); ok {
		low = int(n)
	}
	if n, ok := node[most].(float64); ok {
		high = int(n)
	}
	switch n := d.IntN(40); {
	case n < 3:
		return low
	case n == 3 && high < math.MaxInt32:
		return high
	default:
		return min(low+d.IntN(usual+1), high)
	}
}

func (d *drawer) number(node map[string]any) any {
	low, high := float64(-(1 << 53)), float64(1<<53)
	if node["format"] == "int32" {
		low, high = math.MinInt32, math.MaxInt32
	}
	if n, ok := node["minimum"].(float64); ok {
		low = n
	}
	if n, ok := node["maximum"].(float64); ok {
		high = n
	}
	switch n := d.IntN(10); {
	case n == 0:
		return low
	case n == 1:
		return high
	case n < 7:
		return math.Floor(low + d.Float64()*min(20, high-low))
	default:
		return math.Floor(low + d.Float64()*(high-low))
	}
}

// letters are what texts without a pattern are made of: mostly plain, but also
// letters of two to four bytes, marks that combine, and white space.
var letters = []rune("abcdefghijklmnopqrstuvwxyzABCXYZ0123456789 -_.,:;'\"\\/<>&%${}[]()\n\téß漢字🙂e\u0301\u00a0")

func (d *drawer) text(node map[string]any) string {
	switch node["format"] {
	case "date-time":
		return time.Unix(1_790_000_000+d.Int64N(20_000_000), 0).UTC().Format(time.RFC3339)
	case "email":
		return d.word() + "@" + d.word() + ".example"
	}
	n := d.length(node, "minLength", "maxLength", 30)
	if pattern, ok := node["pattern"].(string); ok {
		return d.matching(pattern, n)
	}
	var b strings.Builder
	for range n {
		b.WriteRune(letters[d.IntN(len(letters))])
	}
	return b.String()
}

// word draws a few small letters.
func (d *drawer) word() string { return d.matching("^[a-z]+$", 3+d.IntN(8)) }
