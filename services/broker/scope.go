package broker

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// offline is the scope by which clients ask for a refresh token. Everybody gets
// one, so it is taken and never granted (contract E-29).
const offline = "offline_access"

// Scopes are what a Party may be granted.
type Scopes struct {
	Member   []string // every Party
	Operator []string // Parties that are enrolled as operators, beside Member
}

// scopeForm is a scope of an access token (contract E-02).
var scopeForm = regexp.MustCompile(`^[a-z][a-z0-9_-]*:(read|write|admin)$`)

// check returns every mistake.
func (s Scopes) check() (problems []string) {
	if len(s.Member) == 0 {
		problems = append(problems, "a member must be able to have one")
	}
	all := slices.Concat(s.Member, s.Operator)
	for i, scope := range all {
		if !scopeForm.MatchString(scope) {
			problems = append(problems, fmt.Sprintf("%q: must be OWNER:read, OWNER:write or OWNER:admin", scope))
		}
		if slices.Contains(all[:i], scope) {
			problems = append(problems, fmt.Sprintf("%q: stands twice", scope))
		}
	}
	return problems
}

// known reports whether a scope is one of either kind.
func (s Scopes) known(scope string) bool {
	return slices.Contains(s.Member, scope) || slices.Contains(s.Operator, scope)
}

// parse reads a scope parameter: sorted, each once. Nothing, or offline_access
// alone, asks for otherwise.
func (s Scopes) parse(parameter string, otherwise []string) ([]string, error) {
	var asked []string
	for scope := range strings.FieldsSeq(parameter) {
		switch {
		case scope == offline:
		case !s.known(scope):
			return nil, errors.New("a scope that is not offered here")
		default:
			asked = append(asked, scope)
		}
	}
	if len(asked) == 0 {
		asked = slices.Clone(otherwise)
	}
	slices.Sort(asked)
	return slices.Compact(asked), nil
}

// permitted is what of the asked scopes a Party may have.
func (s Scopes) permitted(asked []string, operator bool) []string {
	return slices.DeleteFunc(slices.Clone(asked), func(scope string) bool {
		return !slices.Contains(s.Member, scope) && !(operator && slices.Contains(s.Operator, scope))
	})
}

// within reports whether a is a part of b.
func within(a, b []string) bool {
	return !slices.ContainsFunc(a, func(scope string) bool { return !slices.Contains(b, scope) })
}
