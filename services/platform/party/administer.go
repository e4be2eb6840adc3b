package party

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/platform/access"
)

// changeUser changes what a user may do, in the order of locks that all keep. f
// says whether it has changed anything; that raises the Party's auth_version.
func (s *Service) changeUser(
	ctx context.Context, username string, f func(ctx context.Context, tx pgx.Tx, p lockedParty) (bool, error),
) (changed bool, err error) {
	once := false // a transaction that runs again finds its own change made
	err = pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		p, err := lockUser(ctx, tx, username)
		if err != nil {
			return err
		}
		if changed, err = f(ctx, tx, p); err != nil || !changed {
			changed = changed || once
			return err
		}
		once = true
		return raise(ctx, tx, p.ID)
	})
	return changed && err == nil, err
}

// Enrol makes a user an operator, or says that they are one.
func (s *Service) Enrol(ctx context.Context, username string) (changed bool, err error) {
	return s.changeUser(ctx, username, func(ctx context.Context, tx pgx.Tx, p lockedParty) (bool, error) {
		return enrolOperator(ctx, tx, p.ID, s.time())
	})
}

// Dismiss ends a user's enrolment as an operator, or says that there is none.
func (s *Service) Dismiss(ctx context.Context, username string) (changed bool, err error) {
	return s.changeUser(ctx, username, func(ctx context.Context, tx pgx.Tx, p lockedParty) (bool, error) {
		return withdrawOperator(ctx, tx, p.ID)
	})
}

// Deactivate keeps a user out until Activate.
func (s *Service) Deactivate(ctx context.Context, username string) (changed bool, err error) {
	return s.changeUser(ctx, username, func(ctx context.Context, tx pgx.Tx, p lockedParty) (bool, error) {
		if p.State == access.StateDeactivated {
			return false, nil
		}
		return true, setState(ctx, tx, p.ID, access.StateDeactivated, s.time())
	})
}

// Activate lets a deactivated user in again, as far as their setup had come.
func (s *Service) Activate(ctx context.Context, username string) (changed bool, err error) {
	return s.changeUser(ctx, username, func(ctx context.Context, tx pgx.Tx, p lockedParty) (bool, error) {
		if p.State != access.StateDeactivated {
			return false, nil
		}
		state, err := stateOfSetup(ctx, tx, p.ID)
		if err != nil {
			return false, err
		}
		return true, setState(ctx, tx, p.ID, state, s.time())
	})
}

// SetPassword gives a user another password, which they must replace at the next
// login: somebody else has chosen it.
func (s *Service) SetPassword(ctx context.Context, username, password string) error {
	stored, err := access.HashPassword(ctx, password)
	if err != nil {
		return err
	}
	identity, err := findIdentityOfUser(ctx, s.pool, username)
	if err != nil {
		return err
	}
	if identity == uuid.Nil {
		return fault.New(fault.NotFound, "there is no such user with a password")
	}
	return pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		_, err := access.SetPassword(ctx, tx, identity, access.Password{Stored: stored, Temporary: true}, s.time())
		return err
	})
}
