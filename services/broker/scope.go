package broker

import (
	"errors"
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

// known reports whether a scope is one of either kind.
func (s Scopes) known(scope string) bool {
	return slices.Contains(s.Member, scope) || slices.Contains(s.Operator, scope)
}

// parse reads a scope parameter: sorted, each once. Nothing, or offline_access
// alone, asks for all that a member may have.
func (s Scopes) parse(parameter string) ([]string, error) {
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
		asked = slices.Clone(s.Member)
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
