package party

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/generated/platformapi"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/platform/access"
)

// PasswordIssuer is the issuer of the identities that the platform vouches for
// by a password. Subject and voperson_id are then the username.
const PasswordIssuer = "urn:pharos:password"

// maxIdentity bounds each part of an identity, in bytes.
const maxIdentity = 512

// Identity is how somebody vouches for a person. It is compared byte by byte,
// and as a whole.
type Identity struct {
	Issuer, Subject, VopersonID string
}

// check refuses what cannot be an identity.
func (i Identity) check() error {
	for _, part := range []string{i.Issuer, i.Subject, i.VopersonID} {
		wrong := part == "" || len(part) > maxIdentity || !utf8.ValidString(part) ||
			strings.TrimSpace(part) != part || strings.ContainsFunc(part, unicode.IsControl)
		if wrong {
			return fault.Newf(fault.Invalid,
				"an identity has an issuer, a subject and a voperson_id of 1 to %d bytes", maxIdentity)
		}
	}
	return nil
}

// Resolved is the Party behind an identity, as it is now.
type Resolved struct {
	Party       uuid.UUID
	AuthVersion int64
	Operator    bool
}

// Unready is why an identity has no Party that may do business. It is a fault
// that tells its person what to do.
type Unready struct{ Standing access.Standing }

// Error names the reason.
func (u *Unready) Error() string { return "party: identity is " + string(u.Standing) }

// Unwrap gives the fault.
func (u *Unready) Unwrap() error { return u.Standing.Required() }

// Code is the reason as the broker hears it.
func (u *Unready) Code() platformapi.IdentityProblemCodeModel {
	switch u.Standing {
	case access.Unregistered:
		return platformapi.IdentityProblemCodeModelNotRegistered
	case access.SetupPending:
		return platformapi.IdentityProblemCodeModelSetupRequired
	case access.AUPRequired:
		return platformapi.IdentityProblemCodeModelAupRequired
	default:
		return platformapi.IdentityProblemCodeModelDeactivated
	}
}

// Resolve gives the Party behind an exact identity, or *Unready: not registered,
// setup pending, a policy to be accepted, or deactivated. It creates nothing.
func (s *Service) Resolve(ctx context.Context, i Identity) (Resolved, error) {
	if err := i.check(); err != nil {
		return Resolved{}, err
	}
	standing, r, err := resolve(ctx, s.pool, i, s.time())
	if err != nil {
		return Resolved{}, err
	}
	if standing != access.Active {
		return Resolved{}, &Unready{standing}
	}
	return r, nil
}

// Bind makes an identity one of a user's Party, which changes their authority.
// An identity that is another Party's is a conflict.
func (s *Service) Bind(ctx context.Context, username string, i Identity) error {
	if err := i.checkForeign(); err != nil {
		return err
	}
	id := uuid.New()
	return pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := insertIdentity(ctx, tx, id, i, s.time()); err != nil {
			return err
		}
		known, of, err := lockIdentityOf(ctx, tx, i)
		if err != nil {
			return err
		}
		party, err := lockUser(ctx, tx, username)
		if err != nil {
			return err
		}
		if of == party.ID {
			return nil
		}
		if of != uuid.Nil {
			return fault.New(fault.Conflict, "the identity belongs to another user")
		}
		if err := setIdentityParty(ctx, tx, known, &party.ID); err != nil {
			return err
		}
		return raise(ctx, tx, party.ID)
	})
}

// Unbind takes an identity from its Party, which changes the Party's authority
// and ends what it has accepted through that identity.
func (s *Service) Unbind(ctx context.Context, i Identity) error {
	if err := i.checkForeign(); err != nil {
		return err
	}
	return pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		known, of, err := lockIdentityOf(ctx, tx, i)
		if err != nil {
			return err
		}
		if of == uuid.Nil {
			return nil
		}
		if _, err := lockParty(ctx, tx, of); err != nil {
			return err
		}
		if err := setIdentityParty(ctx, tx, known, nil); err != nil {
			return err
		}
		return raise(ctx, tx, of)
	})
}

// checkForeign is check for an identity that somebody else vouches for.
func (i Identity) checkForeign() error {
	if i.Issuer == PasswordIssuer {
		return fault.Newf(fault.Invalid, "the issuer %s is the platform's own", PasswordIssuer)
	}
	return i.check()
}
