package account

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/generated/playdb"
	"github.com/pharos-mcp/pharos/internal/pg"
)

var queries = playdb.New()

func accountOf(row playdb.FindAccountRow) Account {
	return Account{
		ID: row.ID, Username: row.Username, DisplayName: row.DisplayName, Language: row.Language,
		Active: row.Active, CreatedAt: row.CreatedAt,
	}
}

// or gives another error where a statement for one row found none.
func or(err, missing error) error {
	if found, failure := pg.Found(err); failure != nil || found {
		return failure
	}
	return missing
}

func insertAccount(ctx context.Context, tx pgx.Tx, a Account, stored string) (made bool, err error) {
	n, err := queries.InsertAccount(ctx, tx, playdb.InsertAccountParams{
		ID: a.ID, Username: a.Username, DisplayName: a.DisplayName, Language: a.Language,
		Password: stored, Now: a.CreatedAt,
	})
	return n > 0, err
}

func findAccount(ctx context.Context, db playdb.DBTX, username string) (Account, error) {
	row, err := queries.FindAccount(ctx, db, username)
	return accountOf(row), or(err, errUnknown)
}

func listAccounts(ctx context.Context, db playdb.DBTX) ([]Account, error) {
	rows, err := queries.ListAccounts(ctx, db, MaxAccounts)
	accounts := make([]Account, len(rows))
	for i, row := range rows {
		accounts[i] = accountOf(playdb.FindAccountRow(row))
	}
	return accounts, err
}

// lockAccount holds an account until the transaction ends.
func lockAccount(ctx context.Context, tx pgx.Tx, id uuid.UUID) (a Account, stored string, err error) {
	row, err := queries.LockAccount(ctx, tx, id)
	return Account{
		ID: row.ID, Username: row.Username, DisplayName: row.DisplayName, Language: row.Language,
		Active: row.Active, CreatedAt: row.CreatedAt,
	}, row.Password, or(err, errUnknown)
}

func updatePassword(ctx context.Context, tx pgx.Tx, id uuid.UUID, stored string, now time.Time) error {
	_, err := queries.UpdatePassword(ctx, tx, playdb.UpdatePasswordParams{ID: id, Password: stored, Now: now})
	return err
}

func updateActive(ctx context.Context, tx pgx.Tx, id uuid.UUID, active bool, now time.Time) error {
	_, err := queries.UpdateActive(ctx, tx, playdb.UpdateActiveParams{ID: id, Active: active, Now: now})
	return err
}

// endAll ends whatever lets somebody in as an account, or into what it leads and
// plays.
func endAll(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	for _, end := range []func(context.Context, playdb.DBTX, uuid.UUID) error{
		queries.DeleteLoginsOf, queries.DeleteAuthorTokensOf, queries.DeleteAccessTokensOf,
	} {
		if err := end(ctx, tx, id); err != nil {
			return err
		}
	}
	return nil
}

func updateLanguage(ctx context.Context, db playdb.DBTX, id uuid.UUID, language string, now time.Time) error {
	n, err := queries.UpdateLanguage(ctx, db, playdb.UpdateLanguageParams{ID: id, Language: language, Now: now})
	if err == nil && n == 0 {
		err = errUnknown
	}
	return pg.Fault(err)
}

// credential is what a login is checked against.
type credential struct {
	id       uuid.UUID
	password string // "" where there is no such username
}

// findCredential gives the zero credential for a username that does not exist.
func findCredential(ctx context.Context, db playdb.DBTX, username string) (credential, error) {
	row, err := queries.FindCredential(ctx, db, username)
	return credential{row.ID, row.Password}, or(err, nil)
}
