package platform

import (
	"regexp"
	"unicode"
	"unicode/utf8"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// The longest texts, in characters.
const (
	maxTitle = 200
	maxBody  = 20_000
)

var uuidPattern = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)

func checkID(name, value string) error {
	if !uuidPattern.MatchString(value) {
		return fault.Newf(fault.Invalid, "%s must be a UUID in lower case", name)
	}
	return nil
}

// checkText refuses a text that is empty, too long or not plain text, and one
// of several lines unless they are allowed.
func checkText(name, text string, longest int, lines bool) error {
	switch n := utf8.RuneCountInString(text); {
	case n == 0:
		return fault.Newf(fault.Invalid, "%s must not be empty", name)
	case n > longest:
		return fault.Newf(fault.Invalid, "%s must have at most %d characters", name, longest)
	}
	for _, r := range text {
		if unicode.IsControl(r) && !(lines && (r == '\n' || r == '\r' || r == '\t')) {
			return fault.Newf(fault.Invalid, "%s must be plain text", name)
		}
	}
	return nil
}
