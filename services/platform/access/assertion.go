package access

import (
	"context"
	"errors"
	"fmt"
)

// Why an assertion that the gateway has signed stands for nobody.
var (
	errOtherParty     = errors.New("the identity is not, or not any more, the party's")
	errOtherAuthority = errors.New("the party's authority has changed since it was granted")
	errOtherOperation = errors.New("the assertion is for another operation")
)

// assertionOf finds the caller in whose name a gateway calls: errNobody when it
// is not the gateway who says so, when the identity is not the Party's, or when
// the Party's authority has changed since (contract E-23). All else about the
// Party is as it is now, whatever the assertion says.
//
// An assertion may come twice: what that does is its operation's to bound
// (contract E-26).
func (s *Service) assertionOf(ctx context.Context, text string) (Caller, error) {
	a, err := s.gateway.Assertion(text)
	if err != nil {
		return Caller{}, fmt.Errorf("%w: %w", errNobody, err)
	}
	caller, err := findIdentity(ctx, s.pool, a.Identity, s.time())
	switch {
	case err != nil:
		return Caller{}, err
	case caller.Party.String() != a.Party: // in lower case, as it is always written
		return Caller{}, fmt.Errorf("%w: %w", errNobody, errOtherParty)
	case caller.AuthVersion != a.AuthVersion:
		return Caller{}, fmt.Errorf("%w: %w", errNobody, errOtherAuthority)
	}
	caller.Scopes, caller.Operation = a.Scopes, a.OperationID
	return caller, nil
}
