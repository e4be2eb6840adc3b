package account

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/play/check"
)

// errUnknown is an account that does not exist.
var errUnknown = fault.New(fault.NotFound, "there is no such account")

// Create makes an account, which is active. A username that is taken is a
// fault.Exists, and nothing of the account that has it changes.
func (s *Service) Create(ctx context.Context, n NewAccount) (Account, error) {
	err := check.All(
		CheckUsername(n.Username),
		checkName("display_name", n.DisplayName, MaxDisplayName),
		checkLanguage(n.Language),
	)
	if err != nil {
		return Account{}, err
	}
	stored, err := s.passwords.Hash(ctx, n.Password)
	if err != nil {
		return Account{}, err
	}
	a := Account{
		ID: uuid.New(), Username: n.Username, DisplayName: n.DisplayName, Language: n.Language,
		Active: true, CreatedAt: s.time(),
	}
	err = pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		made, err := insertAccount(ctx, tx, a, stored)
		if err != nil || made {
			return err
		}
		if known, err := findAccount(ctx, tx, a.Username); err != nil || known.ID == a.ID {
			return err // an earlier attempt was committed
		}
		return fault.New(fault.Exists, "the username is taken")
	})
	if err != nil {
		return Account{}, err
	}
	return a, nil
}

// SetPassword replaces the password of an account and ends its sessions. Its
// author tokens stay: they are revoked each by itself.
func (s *Service) SetPassword(ctx context.Context, username, password string) error {
	stored, err := s.passwords.Hash(ctx, password)
	if err != nil {
		return err
	}
	return s.change(ctx, username, func(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
		if err := updatePassword(ctx, tx, id, stored, s.time()); err != nil {
			return err
		}
		return queries.DeleteLoginsOf(ctx, tx, id)
	})
}

// SetActive activates an account or deactivates it. A deactivated one has lost
// its sessions, its author tokens and the play tokens of what it leads and plays
// when SetActive returns, for good, and nobody logs in to it. A request that was
// admitted before may still come to its end.
func (s *Service) SetActive(ctx context.Context, username string, active bool) error {
	return s.change(ctx, username, func(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
		if err := updateActive(ctx, tx, id, active, s.time()); err != nil {
			return err
		}
		if active {
			return nil
		}
		return endAll(ctx, tx, id)
	})
}

// change does something to the locked account of a username.
func (s *Service) change(
	ctx context.Context, username string, f func(ctx context.Context, tx pgx.Tx, id uuid.UUID) error,
) error {
	return pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		a, err := findAccount(ctx, tx, username)
		if err != nil {
			return err
		}
		if _, _, err := lockAccount(ctx, tx, a.ID); err != nil {
			return err
		}
		return f(ctx, tx, a.ID)
	})
}

// SetLanguage changes the language in which an account's pages are.
func (s *Service) SetLanguage(ctx context.Context, id uuid.UUID, language string) error {
	if err := checkLanguage(language); err != nil {
		return err
	}
	return updateLanguage(ctx, s.pool, id, language, s.time())
}

// ByUsername finds the account of a username, active or not.
func (s *Service) ByUsername(ctx context.Context, username string) (Account, error) {
	if !IsUsername(username) {
		return Account{}, errUnknown
	}
	a, err := findAccount(ctx, s.pool, username)
	return a, pg.Fault(err)
}

// List gives the accounts by username, MaxAccounts at most.
func (s *Service) List(ctx context.Context) ([]Account, error) {
	accounts, err := listAccounts(ctx, s.pool)
	return accounts, pg.Fault(err)
}
