package party

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/platform/access"
)

// errRegistered is a second registration.
var errRegistered = fault.New(fault.Conflict, "you are registered already")

// Register makes the person behind a session a Party, and replaces the session.
// Setup is pending if somebody else has chosen the password.
func (s *Service) Register(ctx context.Context, c access.Caller, p Profile) (access.Grant, error) {
	if err := p.check(); err != nil {
		return access.Grant{}, err
	}
	if c.Standing != access.Unregistered {
		return access.Grant{}, errRegistered
	}
	id := uuid.New()
	return s.access.Renew(ctx, c.Session, func(ctx context.Context, tx pgx.Tx, now time.Time) (int64, error) {
		of, err := lockIdentity(ctx, tx, c.Identity)
		if err != nil {
			return 0, err
		}
		switch of {
		case uuid.Nil:
		case id: // an earlier attempt of this very registration was committed
			return 1, nil
		default:
			return 0, errRegistered
		}
		credential, err := getCredential(ctx, tx, c.Identity)
		if err != nil {
			return 0, err
		}
		state := access.StateActive
		if credential.temporary {
			state = access.StateSetupPending
		}
		party := Party{ID: id, Username: credential.username, Profile: p, CreatedAt: now}
		if err := insertParty(ctx, tx, party, state); err != nil {
			return 0, err
		}
		return 1, setIdentityParty(ctx, tx, c.Identity, &id)
	})
}
