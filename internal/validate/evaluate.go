package validate

import (
	"errors"
	"slices"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// maxSteps bounds the work for one value: schemas applied to values.
const maxSteps = 10_000_000

// errEffort is the error for a value that costs more than the bound.
var errEffort = errors.New("the value is too costly to check against its schema")

// evaluator applies compiled schemas to the values of one text.
//
// It reads the structure that the compiler of package jsonschema made, and
// differs from that package's own Validate in three ways: an answer is kept, so
// that alternatives within alternatives cost their sum and not their product;
// numbers are compared exactly and within bounds; and the order of the source
// is the order of the problems.
type evaluator struct {
	quote bool // names of the value may be shown
	steps int
	memo  map[question]answer
}

func newEvaluator(quote bool) *evaluator {
	return &evaluator{quote: quote}
}

// question is whether a value is what a schema says.
type question struct {
	schema *jsonschema.Schema
	value  *value
}

// answer is the result of a question, with the members or items that were
// found to be described where that was asked for.
type answer struct {
	ok     bool
	marked bool
	marks  marks
}

// marks are the members or items of one value that some schema describes.
type marks []bool

func (m marks) or(o marks) {
	for i := range o {
		m[i] = m[i] || o[i]
	}
}

// check returns nil or a *Mismatch; it fails with errEffort at the bound.
func (e *evaluator) check(s *jsonschema.Schema, v *value) error {
	ok := e.valid(s, v)
	switch {
	case e.steps > maxSteps:
		return errEffort
	case ok:
		return nil
	}
	x := explainer{evaluator: e}
	x.explain(s, v, "")
	if len(x.problems) == 0 {
		x.problems = []Problem{{Message: "the value does not match the schema"}}
	}
	return &Mismatch{Problems: x.problems}
}

// valid reports whether a value is what a schema says.
func (e *evaluator) valid(s *jsonschema.Schema, v *value) bool {
	return e.ask(s, v, false).ok
}

// ask answers a question; mark asks for the marks as well.
func (e *evaluator) ask(s *jsonschema.Schema, v *value, mark bool) answer {
	if s.Always != nil {
		return answer{ok: *s.Always, marked: true, marks: nil}
	}
	if e.steps++; e.steps > maxSteps {
		return answer{}
	}
	// A schema that no other says more of the same value in comes from one
	// parent only: what it says is asked for as often as that parent.
	kept := len(v.items)+len(v.members) > 0 && combines(s)
	q := question{s, v}
	if kept {
		if a, ok := e.memo[q]; ok && (a.marked || !mark) {
			return a
		}
	}
	a := answer{marked: mark}
	if mark {
		a.marks = make(marks, max(len(v.items), len(v.members)))
	}
	a.ok = e.own(s, v) && e.children(s, v, a.marks) && e.inPlace(s, v, &a)
	if kept {
		if e.memo == nil {
			e.memo = map[question]answer{}
		}
		e.memo[q] = a
	}
	return a
}

// combines reports whether a schema applies others to the same value.
func combines(s *jsonschema.Schema) bool {
	return s.Ref != nil || s.Not != nil || s.If != nil || len(s.AllOf)+len(s.AnyOf)+len(s.OneOf) > 0 ||
		len(s.DependentSchemas) > 0 || s.UnevaluatedProperties != nil || s.UnevaluatedItems != nil
}

// own applies what a schema says of the value itself.
func (e *evaluator) own(s *jsonschema.Schema, v *value) bool {
	if len(s.Types) > 0 && !hasType(s.Types, v) {
		return false
	}
	if len(s.Constant) > 0 && !equal(v, s.Constant[0]) {
		return false
	}
	if len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, func(item any) bool { return equal(v, item) }) {
		return false
	}
	switch v.kind {
	case text:
		if s.MinLength >= 0 || s.MaxLength >= 0 || s.Pattern != nil {
			str := v.text()
			length := utf8.RuneCountInString(str)
			return within(length, s.MinLength, s.MaxLength) && (s.Pattern == nil || s.Pattern.MatchString(str))
		}
	case number:
		return numberFits(s, v)
	case array:
		return within(len(v.items), s.MinItems, s.MaxItems) && (!s.UniqueItems || unique(v))
	case object:
		return within(len(v.members), s.MinProperties, s.MaxProperties) && len(absent(s, v)) == 0
	}
	return true
}

func within(n, minimum, maximum int) bool {
	return (minimum < 0 || n >= minimum) && (maximum < 0 || n <= maximum)
}

func hasType(types []string, v *value) bool {
	for _, t := range types {
		if t == v.kind.String() || t == "integer" && v.kind == number && v.isInteger() {
			return true
		}
	}
	return false
}

func numberFits(s *jsonschema.Schema, v *value) bool {
	if s.Minimum == nil && s.Maximum == nil && s.ExclusiveMinimum == nil && s.ExclusiveMaximum == nil &&
		s.MultipleOf == nil {
		return true
	}
	r := v.rat()
	return (s.Minimum == nil || r.Cmp(s.Minimum) >= 0) && (s.Maximum == nil || r.Cmp(s.Maximum) <= 0) &&
		(s.ExclusiveMinimum == nil || r.Cmp(s.ExclusiveMinimum) > 0) &&
		(s.ExclusiveMaximum == nil || r.Cmp(s.ExclusiveMaximum) < 0) &&
		(s.MultipleOf == nil || s.MultipleOf.Sign() == 0 || r.Quo(r, s.MultipleOf).IsInt())
}

// absent are the members that are required and not there.
func absent(s *jsonschema.Schema, v *value) []string {
	var list []string
	for _, name := range s.Required {
		if v.get(name) == nil {
			list = append(list, name)
		}
	}
	for _, m := range v.members {
		for _, name := range s.DependentRequired[m.name] {
			if v.get(name) == nil {
				list = append(list, name)
			}
		}
	}
	return list
}

// children applies what a schema says of the members or items, and marks them.
func (e *evaluator) children(s *jsonschema.Schema, v *value, marks marks) bool {
	for i, m := range v.members {
		if s.PropertyNames != nil && !e.valid(s.PropertyNames, nameValue(m)) {
			return false
		}
		var room [2]*jsonschema.Schema
		subs, described := memberSchemas(room[:0], s, m.name)
		for _, sub := range subs {
			if !e.valid(sub, m.value) {
				return false
			}
		}
		if described && marks != nil {
			marks[i] = true
		}
	}
	contained := 0
	for i, item := range v.items {
		sub := itemSchema(s, i)
		if sub != nil && !e.valid(sub, item) {
			return false
		}
		inside := s.Contains != nil && e.valid(s.Contains, item)
		if inside {
			contained++
		}
		if marks != nil && (sub != nil || inside) {
			marks[i] = true
		}
	}
	return v.kind != array || s.Contains == nil || within(contained, s.MinContains, s.MaxContains)
}

// nameValue is the name of a member as a value.
func nameValue(m member) *value { return &value{kind: text, raw: m.raw} }

var nothing = func() *jsonschema.Schema {
	no := false
	return &jsonschema.Schema{Always: &no}
}()

// memberSchemas are the schemas that one schema itself has for a member.
// described says that it has a say about the member at all. They are appended
// to subs.
func memberSchemas(
	subs []*jsonschema.Schema, s *jsonschema.Schema, name string,
) (_ []*jsonschema.Schema, described bool) {
	before := len(subs)
	if sub := s.Properties[name]; sub != nil {
		subs = append(subs, sub)
	}
	for pattern, sub := range s.PatternProperties {
		if pattern.MatchString(name) {
			subs = append(subs, sub)
		}
	}
	if len(subs) > before || s.AdditionalProperties == nil {
		return subs, len(subs) > before
	}
	switch more := s.AdditionalProperties.(type) {
	case *jsonschema.Schema:
		subs = append(subs, more)
	case bool:
		if !more {
			subs = append(subs, nothing)
		}
	}
	return subs, true
}

// itemSchema is the schema that one schema itself has for an item, or nil.
func itemSchema(s *jsonschema.Schema, i int) *jsonschema.Schema {
	if i < len(s.PrefixItems) {
		return s.PrefixItems[i]
	}
	return s.Items2020
}

// inPlace applies the schemas that say more of the same value, and then what
// the schema says of members and items that none of them describes.
func (e *evaluator) inPlace(s *jsonschema.Schema, v *value, a *answer) bool {
	rest := s.UnevaluatedProperties != nil && v.kind == object || s.UnevaluatedItems != nil && v.kind == array
	found := a.marks
	if rest && found == nil {
		found = make(marks, max(len(v.items), len(v.members)))
		e.children(s, v, found)
	}
	mark := found != nil
	apply := func(sub *jsonschema.Schema) bool {
		b := e.ask(sub, v, mark)
		if b.ok && mark {
			found.or(b.marks)
		}
		return b.ok
	}
	for _, sub := range always(s) {
		if !apply(sub) {
			return false
		}
	}
	if s.Not != nil && e.valid(s.Not, v) {
		return false
	}
	if !some(s.AnyOf, mark, apply) || !one(s.OneOf, apply) {
		return false
	}
	if s.If != nil {
		next := s.Else
		if apply(s.If) {
			next = s.Then
		}
		if next != nil && !apply(next) {
			return false
		}
	}
	for _, m := range v.members {
		if sub := s.DependentSchemas[m.name]; sub != nil && !apply(sub) {
			return false
		}
	}
	if rest {
		return e.rest(s, v, found)
	}
	return true
}

// always are the schemas that apply to the same value whatever it is.
func always(s *jsonschema.Schema) []*jsonschema.Schema {
	if s.Ref == nil {
		return s.AllOf
	}
	return append([]*jsonschema.Schema{s.Ref}, s.AllOf...)
}

// some reports whether one of anyOf applies; all are asked where marks count.
func some(list []*jsonschema.Schema, all bool, apply func(*jsonschema.Schema) bool) bool {
	found := len(list) == 0
	for _, sub := range list {
		if found && !all {
			break
		}
		if apply(sub) {
			found = true
		}
	}
	return found
}

// one reports whether exactly one of oneOf applies.
func one(list []*jsonschema.Schema, apply func(*jsonschema.Schema) bool) bool {
	count := 0
	for _, sub := range list {
		if apply(sub) {
			count++
		}
	}
	return len(list) == 0 || count == 1
}

// rest applies unevaluatedProperties or unevaluatedItems.
func (e *evaluator) rest(s *jsonschema.Schema, v *value, found marks) bool {
	for i := range found {
		if found[i] {
			continue
		}
		found[i] = true
		if v.kind == object && !e.valid(s.UnevaluatedProperties, v.members[i].value) ||
			v.kind == array && !e.valid(s.UnevaluatedItems, v.items[i]) {
			return false
		}
	}
	return true
}
