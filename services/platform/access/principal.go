package access

import (
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"
)

// Principal is the Party that a request acts for, with what it may do.
type Principal struct {
	Party       uuid.UUID
	Operator    bool     // enrolled as an operator at the moment of the call
	AuthVersion int64    // the Party's, at the moment of the call
	Scopes      []string // nil: all of a member, the admin ones too where Operator
}

// Allows reports whether the principal holds a scope. An admin scope is held by
// operators only, whatever their credential lists.
func (p Principal) Allows(scope string) bool {
	if isAdmin(scope) && !p.Operator {
		return false
	}
	return p.Scopes == nil || slices.Contains(p.Scopes, scope)
}

// isAdmin reports whether a scope is for operators.
func isAdmin(scope string) bool { return strings.HasSuffix(scope, ":admin") }

type principalKey struct{}

// With returns a context that carries the principal.
func With(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, principalKey{}, p)
}

// From is the principal of a request. It panics where there is none: a business
// operation that the middleware let through has one.
func From(ctx context.Context) Principal {
	p, ok := ctx.Value(principalKey{}).(Principal)
	if !ok {
		panic("access: an operation runs without a principal")
	}
	return p
}
