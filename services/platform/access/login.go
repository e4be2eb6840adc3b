package access

import (
	"context"
	"errors"
	"regexp"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/admission"
	"github.com/pharos-mcp/pharos/internal/pg"
)

// How many logins may begin in a minute, whether they succeed or not.
const (
	loginsOfAccount = 10
	loginsOfAddress = 60
	loginsAtATime   = 64
)

var usernamePattern = regexp.MustCompile(`^[a-z][a-z0-9._-]{1,63}$`)

// IsUsername reports whether a text has the form of a username.
func IsUsername(text string) bool { return usernamePattern.MatchString(text) }

// errLogin is all that a login that fails tells.
var errLogin = fault.New(fault.Unauthenticated, "the username or the password is wrong")

// Login begins a session for who knows a password. The address is the caller's,
// for the bounds on guessing; replaces is the digest of a session that the same
// browser had, or nil.
//
// It does the same work for a username that does not exist. A person without a
// Party gets a session too, with which they may register; a deactivated one is
// told so.
func (s *Service) Login(ctx context.Context, username, password, address string, replaces []byte) (Grant, error) {
	if !IsUsername(username) {
		username = "" // which nobody has: all of that shares one bound
	}
	release, err := s.admitLogin(ctx, username, address)
	if err != nil {
		return Grant{}, err
	}
	defer release()
	c, err := findCredential(ctx, s.pool, username)
	if err != nil {
		return Grant{}, err
	}
	ok, err := passwords.Check(ctx, c.password, password)
	if err != nil {
		return Grant{}, err
	}
	if !ok {
		return Grant{}, errLogin
	}
	if c.standing == Deactivated {
		return Grant{}, Deactivated.Required()
	}
	g := s.begin(c.identity)
	err = pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		// A password that has been replaced meanwhile begins nothing.
		stored, err := queries.LockCredential(ctx, tx, c.identity)
		if err != nil {
			return err
		}
		if stored != c.password {
			return errLogin
		}
		return s.start(ctx, tx, g, c.authVersion, replaces)
	})
	if err != nil {
		return Grant{}, err
	}
	return g, nil
}

// admitLogin holds the bounds on guessing. What is over one is answered before
// any work.
func (s *Service) admitLogin(ctx context.Context, username, address string) (release func(), err error) {
	one, err := s.addresses.Admit(ctx, "address "+address)
	if err != nil {
		return nil, overBound(err)
	}
	two, err := s.accounts.Admit(ctx, "account "+username)
	if err != nil {
		one()
		return nil, overBound(err)
	}
	return func() { two(); one() }, nil
}

func overBound(err error) error {
	if refused, ok := errors.AsType[*admission.Refused](err); ok {
		f := fault.New(fault.TooMany, "too many logins; try again later")
		f.RetryAfter = refused.After
		return f
	}
	if _, ok := errors.AsType[*admission.Outage](err); ok {
		f := fault.New(fault.Unavailable, "logins cannot be admitted at the moment")
		f.RetryAfter = time.Second
		return f
	}
	return err
}
