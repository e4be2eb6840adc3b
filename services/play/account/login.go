package account

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/admission"
	"github.com/pharos-mcp/pharos/internal/pg"
)

// errLogin is all that a login that fails tells.
var errLogin = fault.New(fault.Unauthenticated, "the username or the password is wrong")

// Login begins a session for who knows the password of an active account, and
// gives the secret for its cookie. The address is the caller's, for the bounds on
// guessing. The session is a new one whatever the browser had before: the
// sessions of the cookies that it presented are ended in the same transaction.
//
// A username that does not exist, a wrong password and an account that is not
// active are one fault.Unauthenticated, after one password hashed. What is over a
// bound is a fault.TooMany that says when it would be let in, before any is.
func (s *Service) Login(
	ctx context.Context, username, password, address string, presented ...string,
) (cookie string, a Account, err error) {
	if !IsUsername(username) {
		username = "" // which nobody has: all of that shares one bound
	}
	release, err := s.logins.Admit(ctx, "")
	if err != nil {
		return "", Account{}, overBound(err)
	}
	defer release()
	if err := s.attempt(ctx, username, address); err != nil {
		return "", Account{}, err
	}
	c, err := findCredential(ctx, s.pool, username)
	if err != nil {
		return "", Account{}, pg.Fault(err)
	}
	ok, err := s.passwords.Check(ctx, c.password, password)
	if err != nil {
		return "", Account{}, err
	}
	if !ok {
		return "", Account{}, errLogin
	}
	cookie = cookieForm.New()
	err = pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		now, stored, err := lockAccount(ctx, tx, c.id)
		if err != nil {
			return err
		}
		if stored != c.password || !now.Active {
			return errLogin // it is not active, or was changed meanwhile
		}
		a = now
		return s.start(ctx, tx, a.ID, cookie, presented)
	})
	if err != nil {
		return "", Account{}, err
	}
	return cookie, a, nil
}

// overBound makes a fault of what an admission refuses.
func overBound(err error) error {
	refused, ok := errors.AsType[*admission.Refused](err)
	if !ok {
		return err
	}
	return &fault.Fault{Code: fault.TooMany, Message: "too many people are logging in", RetryAfter: refused.After}
}
