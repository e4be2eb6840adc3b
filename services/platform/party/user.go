package party

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/platform/access"
)

// NewUser is a person whom an administrator makes known.
type NewUser struct {
	Username string
	Password string
	// Temporary passwords must be replaced before the user may do business.
	Temporary bool
	// Profile registers the user; nil leaves that to them.
	Profile *Profile
	// Operator enrols, AcceptPolicy accepts the policy in effect in the user's
	// name. Both need the Profile.
	Operator, AcceptPolicy bool
}

// AddUser makes a person known, with a password. A username that is taken is a
// fault of its own.
func (s *Service) AddUser(ctx context.Context, u NewUser) (Resolved, error) {
	if err := u.check(); err != nil {
		return Resolved{}, err
	}
	stored, err := access.HashPassword(ctx, u.Password)
	if err != nil {
		return Resolved{}, err
	}
	identity, party := uuid.New(), uuid.New()
	err = pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		triple := Identity{PasswordIssuer, u.Username, u.Username}
		made, err := insertIdentity(ctx, tx, identity, triple, s.time())
		if err != nil {
			return err
		}
		if !made {
			if known, _, err := lockIdentityOf(ctx, tx, triple); err != nil || known == identity {
				return err // an earlier attempt was committed
			}
			return fault.New(fault.Exists, "the username is taken")
		}
		if err := insertCredential(ctx, tx, identity, u, stored, s.time()); err != nil {
			return err
		}
		if u.Profile == nil {
			return nil
		}
		return s.admit(ctx, tx, u, identity, party)
	})
	if err != nil || u.Profile == nil {
		return Resolved{}, err
	}
	return Resolved{Party: party, AuthVersion: 1, Operator: u.Operator}, nil
}

// admit registers a new user.
func (s *Service) admit(ctx context.Context, tx pgx.Tx, u NewUser, identity, party uuid.UUID) error {
	now, state := s.time(), access.StateActive
	if u.Temporary {
		state = access.StateSetupPending
	}
	p := Party{ID: party, Username: u.Username, Profile: *u.Profile, CreatedAt: now}
	if err := insertParty(ctx, tx, p, state); err != nil {
		return err
	}
	if err := setIdentityParty(ctx, tx, identity, &party); err != nil {
		return err
	}
	if u.Operator {
		if _, err := enrolOperator(ctx, tx, party, now); err != nil {
			return err
		}
	}
	if !u.AcceptPolicy {
		return nil
	}
	required, err := requiredPolicy(ctx, tx, now)
	if err != nil || required.Version == 0 {
		return err
	}
	_, err = acceptPolicy(ctx, tx, party, required.Version, identity, now)
	return err
}

func (u NewUser) check() error {
	if !access.IsUsername(u.Username) {
		return fault.New(fault.Invalid,
			"a username has 2 to 64 characters: small letters, digits, dots, hyphens and underscores, a letter first")
	}
	if u.Profile == nil {
		if u.Operator || u.AcceptPolicy {
			return fault.New(fault.Invalid, "only a user who is registered can be an operator or accept a policy")
		}
		return nil
	}
	return u.Profile.check()
}
