package validate

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// maxExplained bounds how many schemas are gone into to find problems.
const maxExplained = 20_000

// explainer finds out why a value is not what its schema says.
type explainer struct {
	*evaluator
	problems []Problem
	seen     int
}

func (x *explainer) report(at, format string, args ...any) {
	p := Problem{Pointer: at, Message: fmt.Sprintf(format, args...)}
	if len(x.problems) < maxProblems && !slices.Contains(x.problems, p) {
		x.problems = append(x.problems, p)
	}
}

// explain reports the problems of a value that stands at a place. It goes only
// where the value does not fit.
func (x *explainer) explain(s *jsonschema.Schema, v *value, at string) {
	if x.seen++; x.seen > maxExplained || len(x.problems) >= maxProblems || x.valid(s, v) {
		return
	}
	if s.Always != nil {
		x.report(at, "nothing is allowed here")
		return
	}
	if len(s.Types) > 0 && !hasType(s.Types, v) {
		x.report(at, "expected %s, got %s%s", oneOf(s.Types), article(v.kind.String()), advice(s.Types, v))
		return
	}
	x.own(s, v, at)
	x.children(s, v, at)
	x.inPlace(s, v, at)
}

// advice helps whoever sends an object as the text of one.
func advice(types []string, v *value) string {
	if v.kind != text || !slices.Contains(types, "object") && !slices.Contains(types, "array") {
		return ""
	}
	if t := strings.TrimSpace(v.text()); strings.HasPrefix(t, "{") || strings.HasPrefix(t, "[") {
		return "; send the value itself, not JSON in a string"
	}
	return ""
}

func (x *explainer) own(s *jsonschema.Schema, v *value, at string) {
	if len(s.Constant) > 0 && !equal(v, s.Constant[0]) {
		x.report(at, "expected %s", show(s.Constant[0]))
	}
	if len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, func(item any) bool { return equal(v, item) }) {
		x.report(at, "expected one of %s", list(len(s.Enum), func(i int) string { return show(s.Enum[i]) }))
	}
	switch v.kind {
	case text:
		x.count(at, "character", len([]rune(v.text())), s.MinLength, s.MaxLength)
		if s.Pattern != nil && !s.Pattern.MatchString(v.text()) {
			x.report(at, "expected a string that matches %s", clip(s.Pattern.String(), 120))
		}
	case number:
		x.number(s, v, at)
	case array:
		x.count(at, "item", len(v.items), s.MinItems, s.MaxItems)
		if s.UniqueItems && !unique(v) {
			x.report(at, "expected items that differ from each other")
		}
	case object:
		x.count(at, "member", len(v.members), s.MinProperties, s.MaxProperties)
		for _, name := range absent(s, v) {
			x.report(at, "missing %q", clip(name, maxName))
		}
	}
}

func (x *explainer) count(at, what string, n, minimum, maximum int) {
	if minimum >= 0 && n < minimum {
		x.report(at, "expected at least %d %ss", minimum, what)
	}
	if maximum >= 0 && n > maximum {
		x.report(at, "expected at most %d %ss", maximum, what)
	}
}

func (x *explainer) number(s *jsonschema.Schema, v *value, at string) {
	r := v.rat()
	for _, bound := range []struct {
		limit *big.Rat
		text  string
		fits  func(int) bool
	}{
		{s.Minimum, "at least", func(c int) bool { return c >= 0 }},
		{s.Maximum, "at most", func(c int) bool { return c <= 0 }},
		{s.ExclusiveMinimum, "more than", func(c int) bool { return c > 0 }},
		{s.ExclusiveMaximum, "less than", func(c int) bool { return c < 0 }},
	} {
		if bound.limit != nil && !bound.fits(r.Cmp(bound.limit)) {
			x.report(at, "expected a number of %s %s", bound.text, decimal(bound.limit))
		}
	}
	if s.MultipleOf != nil && !numberFits(&jsonschema.Schema{MultipleOf: s.MultipleOf}, v) {
		x.report(at, "expected a multiple of %s", decimal(s.MultipleOf))
	}
}

func (x *explainer) children(s *jsonschema.Schema, v *value, at string) {
	for _, m := range v.members {
		if s.PropertyNames != nil && !x.valid(s.PropertyNames, nameValue(m)) {
			x.report(at, "the name %s is not allowed", x.shown(m.name))
		}
		subs, _ := memberSchemas(nil, s, m.name)
		for _, sub := range subs {
			if sub.Always != nil && !*sub.Always {
				x.unknown(s, m.name, at)
				continue
			}
			x.explain(sub, m.value, pointer(at, x.label(s, m.name)))
		}
	}
	contained := 0
	for i, item := range v.items {
		if sub := itemSchema(s, i); sub != nil {
			x.explain(sub, item, pointer(at, strconv.Itoa(i)))
		}
		if s.Contains != nil && x.valid(s.Contains, item) {
			contained++
		}
	}
	if v.kind == array && s.Contains != nil && !within(contained, s.MinContains, s.MaxContains) {
		x.report(at, "expected other items of the kind that it must contain")
	}
}

// unknown reports a member that the schema does not have.
func (x *explainer) unknown(s *jsonschema.Schema, name, at string) {
	known := knownNames(s)
	if len(known) == 0 {
		x.report(at, "unknown member %s; none is known here", x.shown(name))
		return
	}
	x.report(at, "unknown member %s; known: %s", x.shown(name),
		list(len(known), func(i int) string { return clip(known[i], maxName) }))
}

// shown is a name as it may be shown.
func (x *explainer) shown(name string) string {
	if x.quote {
		return strconv.Quote(clip(name, maxName))
	}
	return "(not shown)"
}

// label is a member's name in a place: names that the schema does not have are
// data.
func (x *explainer) label(s *jsonschema.Schema, name string) string {
	if x.quote || s.Properties[name] != nil {
		return name
	}
	return "*"
}

func (x *explainer) inPlace(s *jsonschema.Schema, v *value, at string) {
	before := len(x.problems)
	for _, sub := range always(s) {
		x.explain(sub, v, at)
	}
	if s.Not != nil && x.valid(s.Not, v) {
		x.report(at, "the value is one that is excluded")
	}
	if len(s.AnyOf) > 0 && !slices.ContainsFunc(s.AnyOf, func(sub *jsonschema.Schema) bool { return x.valid(sub, v) }) {
		x.alternatives(s.AnyOf, v, at)
	}
	if len(s.OneOf) > 0 {
		x.exactlyOne(s.OneOf, v, at)
	}
	if s.If != nil {
		next := s.Else
		if x.valid(s.If, v) {
			next = s.Then
		}
		if next != nil {
			x.explain(next, v, at)
		}
	}
	for _, m := range v.members {
		if sub := s.DependentSchemas[m.name]; sub != nil {
			x.explain(sub, v, at)
		}
	}
	if len(x.problems) > before {
		return // what no part describes is only known of a value that fits them
	}
	found := make(marks, max(len(v.items), len(v.members)))
	x.evaluator.children(s, v, found)
	if s.UnevaluatedProperties != nil {
		x.unevaluated(s, v, at, found)
	}
}

// unevaluated reports the members that no part of a composition describes.
func (x *explainer) unevaluated(s *jsonschema.Schema, v *value, at string, found marks) {
	open := *s
	open.UnevaluatedProperties = nil
	found.or(x.ask(&open, v, true).marks)
	for i, m := range v.members {
		switch {
		case found[i]:
		case s.UnevaluatedProperties.Always != nil && !*s.UnevaluatedProperties.Always:
			x.unknown(s, m.name, at)
		default:
			x.explain(s.UnevaluatedProperties, m.value, pointer(at, x.label(s, m.name)))
		}
	}
}

func (x *explainer) exactlyOne(list []*jsonschema.Schema, v *value, at string) {
	fitting := 0
	for _, sub := range list {
		if x.valid(sub, v) {
			fitting++
		}
	}
	switch {
	case fitting == 0:
		x.alternatives(list, v, at)
	case fitting > 1:
		x.report(at, "expected exactly one of %d alternatives, %d fit", len(list), fitting)
	}
}

// alternatives reports why none of several schemas fits: the problems of the
// one that comes closest.
func (x *explainer) alternatives(list []*jsonschema.Schema, v *value, at string) {
	var closest []Problem
	var types []string
	for _, sub := range list {
		accepted := typesOf(sub, 0)
		if len(accepted) > 0 && !hasType(accepted, v) {
			types = append(types, accepted...)
			continue
		}
		y := explainer{evaluator: x.evaluator, seen: x.seen}
		y.explain(sub, v, at)
		x.seen = y.seen
		if len(y.problems) > 0 && (closest == nil || len(y.problems) < len(closest)) {
			closest = y.problems
		}
	}
	if closest == nil {
		slices.Sort(types)
		types = slices.Compact(types)
		if len(types) == 0 {
			x.report(at, "none of the %d alternatives fits", len(list))
			return
		}
		x.report(at, "expected %s, got %s%s", oneOf(types), article(v.kind.String()), advice(types, v))
		return
	}
	for _, p := range closest {
		x.report(p.Pointer, "%s", p.Message)
	}
}
