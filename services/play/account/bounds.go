package account

import (
	"regexp"
	"unicode"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/check"
)

// The bounds of names, in characters.
const (
	MaxDisplayName = 100
	MaxTokenName   = 100
)

// MaxAccounts is how many accounts a list has at most.
const MaxAccounts = 1000

var usernamePattern = regexp.MustCompile(`^[a-z][a-z0-9._-]{1,63}$`)

// IsUsername reports whether a text has the form of a username.
func IsUsername(text string) bool { return usernamePattern.MatchString(text) }

// CheckUsername refuses a text that no account can have as its username.
func CheckUsername(text string) error {
	if !IsUsername(text) {
		return fault.New(fault.Unprocessable,
			"a username has 2 to 64 characters: small letters, digits, dots, hyphens and underscores, a letter first")
	}
	return nil
}

func checkLanguage(language string) error { return check.Choice("language", language, "en", "pl") }

// checkName holds a name that is shown in one line.
func checkName(name, value string, most int) error {
	if err := check.Text(name, value, 1, most); err != nil {
		return err
	}
	for _, r := range value {
		if unicode.IsControl(r) {
			return fault.Newf(fault.Unprocessable, "%s has a control character", name)
		}
	}
	return nil
}
