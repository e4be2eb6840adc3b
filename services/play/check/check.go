// Package check refuses what breaks the bounds of texts, names and pages.
//
// Lengths are of characters, which are Unicode code points. What has the wrong
// length or name is a fault.Unprocessable; a text that cannot be stored, which
// has U+0000 or is no UTF-8, is a fault.Invalid.
package check

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// MaxSlug is how many characters a slug has at most.
const MaxSlug = 64

var slug = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)

// Text holds a text against its bounds. One that must have a character must
// have one that is no white space.
func Text(name, value string, least, most int) error {
	switch n := utf8.RuneCountInString(value); {
	case !utf8.ValidString(value) || strings.ContainsRune(value, 0):
		return fault.Newf(fault.Invalid, "%s has U+0000 or is not UTF-8", name)
	case n < least || n > most:
		return fault.Newf(fault.Unprocessable, "%s has %d characters; it must have %d to %d", name, n, least, most)
	case least > 0 && strings.TrimSpace(value) == "":
		return fault.Newf(fault.Unprocessable, "%s is blank", name)
	}
	return nil
}

// Slug holds a name that its author chose against the form of such names.
func Slug(name, value string) error {
	if !slug.MatchString(value) {
		return fault.Newf(fault.Unprocessable,
			"%s must have 1 to %d lower case letters a to z, digits and hyphens, and begin with no hyphen", name, MaxSlug)
	}
	return nil
}

// Choice holds a value against those that there are.
func Choice(name, value string, of ...string) error {
	if !slices.Contains(of, value) {
		return fault.Newf(fault.Unprocessable, "%s must be one of %s", name, strings.Join(of, ", "))
	}
	return nil
}

// Range holds a number against its bounds, both included.
func Range[T int | int32 | int64](name string, value, least, most T) error {
	if value < least || value > most {
		return fault.Newf(fault.Unprocessable, "%s must be from %d to %d", name, least, most)
	}
	return nil
}

// MaxOffset is where the last page of a list may begin.
const MaxOffset = 1_000_000

// Page holds a part of a list against its bounds: where it begins, and how many
// it has.
func Page(offset, limit, most int) error {
	if err := Range("offset", offset, 0, MaxOffset); err != nil {
		return err
	}
	return Range("limit", limit, 1, most)
}

// All gives the first refusal, or nil.
func All(refusals ...error) error {
	for _, err := range refusals {
		if err != nil {
			return err
		}
	}
	return nil
}
