package token

import (
	"errors"
	"regexp"
	"strings"
)

// scopePattern is one scope, OWNER:read, OWNER:write or OWNER:admin (contract E-02).
var scopePattern = regexp.MustCompile(`^[a-z][a-z0-9_-]*:(read|write|admin)$`)

// checkScope judges a scope member: scopes sorted, each once, one space between.
func checkScope(scope string) error {
	before := ""
	for one := range strings.SplitSeq(scope, " ") {
		if !scopePattern.MatchString(one) {
			return errors.New("scope holds what is no scope")
		}
		if one <= before {
			return errors.New("scope is not sorted, or says one twice")
		}
		before = one
	}
	return nil
}

func joinScopes(scopes []string) string { return strings.Join(scopes, " ") }
func splitScopes(scope string) []string { return strings.Split(scope, " ") }
