package access

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
)

// ChangePassword replaces the password of a session's identity, and voids every
// session and token of its Party but the session that it begins. The current
// password must be shown, under the bounds of a login, and the replacement be
// another one: it may have been chosen by somebody else.
func (s *Service) ChangePassword(ctx context.Context, c Caller, current, replacement, address string) (Grant, error) {
	row, err := queries.GetCredential(ctx, s.pool, c.Identity)
	switch found, err := pg.Found(err); {
	case err != nil:
		return Grant{}, err
	case !found:
		return Grant{}, fault.New(fault.Conflict, "this identity has no password here")
	}
	release, err := s.admitLogin(ctx, row.Username, address)
	if err != nil {
		return Grant{}, err
	}
	defer release()
	ok, err := passwords.Check(ctx, row.Password, current)
	if err != nil {
		return Grant{}, err
	}
	if !ok {
		return Grant{}, fault.New(fault.Forbidden, "the current password is wrong")
	}
	if replacement == current {
		return Grant{}, fault.New(fault.Invalid, "the replacement must be another password")
	}
	stored, err := HashPassword(ctx, replacement)
	if err != nil {
		return Grant{}, err
	}
	return s.Renew(ctx, c.Session, func(ctx context.Context, tx pgx.Tx, now time.Time) (int64, error) {
		return SetPassword(ctx, tx, c.Identity, Password{Stored: stored}, now)
	})
}

// Password is a password as it is stored.
type Password struct {
	Stored    string // by HashPassword
	Temporary bool   // chosen by somebody else
}

// SetPassword replaces the password of an identity. It ends the identity's
// sessions, voids all else that its Party has, and gives the Party's
// auth_version, 0 without a Party. A temporary password leaves the Party's
// setup pending until it is replaced.
func SetPassword(
	ctx context.Context, tx pgx.Tx, identity uuid.UUID, p Password, now time.Time,
) (authVersion int64, err error) {
	row, err := queries.LockIdentity(ctx, tx, identity)
	if err != nil {
		return 0, err
	}
	if row.PartyID != nil {
		if err := settle(ctx, tx, *row.PartyID, p.Temporary, now); err != nil {
			return 0, err
		}
		if authVersion, err = queries.RaiseAuthVersion(ctx, tx, *row.PartyID); err != nil {
			return 0, err
		}
	}
	if err := updatePassword(ctx, tx, identity, p, now); err != nil {
		return 0, err
	}
	return authVersion, queries.DeleteSessionsOf(ctx, tx, identity)
}

// settle moves a Party between pending and complete setup. One that is
// deactivated stays so.
func settle(ctx context.Context, tx pgx.Tx, party uuid.UUID, pending bool, now time.Time) error {
	p, err := queries.LockParty(ctx, tx, party)
	if err != nil {
		return err
	}
	state := StateActive
	if pending {
		state = StateSetupPending
	}
	if p.State == StateDeactivated || p.State == state {
		return nil
	}
	return setPartyState(ctx, tx, party, state, now)
}
