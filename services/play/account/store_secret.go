package account

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/generated/playdb"
)

// session is what the database has of a session.
type session struct {
	account           Account
	seenAt, expiresAt time.Time
}

func insertLogin(ctx context.Context, tx pgx.Tx, id uuid.UUID, digest []byte, now time.Time) error {
	err := queries.InsertLogin(ctx, tx, playdb.InsertLoginParams{
		Digest: digest, AccountID: id, Now: now, ExpiresAt: now.Add(AbsoluteTime),
	})
	if err != nil {
		return err
	}
	if err := queries.DeleteOldLogins(ctx, tx, playdb.DeleteOldLoginsParams{AccountID: id, Keep: MaxSessions}); err != nil {
		return err
	}
	return queries.DeleteExpiredLogins(ctx, tx, now)
}

func findLogin(ctx context.Context, db playdb.DBTX, digest []byte) (session, error) {
	row, err := queries.FindLogin(ctx, db, digest)
	return session{
		account: Account{
			ID: row.ID, Username: row.Username, DisplayName: row.DisplayName, Language: row.Language,
			Active: row.Active, CreatedAt: row.CreatedAt,
		},
		seenAt: row.SeenAt, expiresAt: row.ExpiresAt,
	}, or(err, errSession)
}

func touchLogin(ctx context.Context, db playdb.DBTX, digest []byte, now time.Time) error {
	return queries.TouchLogin(ctx, db, playdb.TouchLoginParams{Digest: digest, Now: now})
}

// bearer is what the database has of a token that is shown.
type bearer struct {
	id        uuid.UUID
	account   Account
	expiresAt time.Time
	usedAt    *time.Time
}

// otherTokens counts the tokens that an account has beside one that is to be
// made, after those that are over are gone.
func otherTokens(ctx context.Context, tx pgx.Tx, owner uuid.UUID, t Token) (int64, error) {
	err := queries.DeleteExpiredAuthorTokens(ctx, tx, playdb.DeleteExpiredAuthorTokensParams{
		AccountID: owner, Now: t.CreatedAt,
	})
	if err != nil {
		return 0, err
	}
	return queries.CountAuthorTokens(ctx, tx, playdb.CountAuthorTokensParams{AccountID: owner, Beside: t.ID})
}

// insertToken says whether the token is there after it, of this very secret.
func insertToken(ctx context.Context, tx pgx.Tx, owner uuid.UUID, t Token, digest []byte) (made bool, err error) {
	n, err := queries.InsertAuthorToken(ctx, tx, playdb.InsertAuthorTokenParams{
		ID: t.ID, AccountID: owner, Digest: digest, Name: t.Name, CreatedAt: t.CreatedAt, ExpiresAt: t.ExpiresAt,
	})
	if err != nil || n > 0 {
		return n > 0, err
	}
	return queries.OwnsAuthorToken(ctx, tx, playdb.OwnsAuthorTokenParams{ID: t.ID, AccountID: owner, Digest: digest})
}

func listTokens(ctx context.Context, db playdb.DBTX, owner uuid.UUID, now time.Time) ([]Token, error) {
	rows, err := queries.ListAuthorTokens(ctx, db, playdb.ListAuthorTokensParams{
		AccountID: owner, Now: now, Most: MaxTokens,
	})
	tokens := make([]Token, len(rows))
	for i, row := range rows {
		tokens[i] = Token{
			ID: row.ID, Name: row.Name, CreatedAt: row.CreatedAt, ExpiresAt: row.ExpiresAt, LastUsedAt: row.LastUsedAt,
		}
	}
	return tokens, err
}

func deleteToken(ctx context.Context, db playdb.DBTX, owner, id uuid.UUID) (found bool, err error) {
	n, err := queries.DeleteAuthorToken(ctx, db, playdb.DeleteAuthorTokenParams{ID: id, AccountID: owner})
	return n > 0, err
}

func findToken(ctx context.Context, db playdb.DBTX, digest []byte) (bearer, error) {
	row, err := queries.FindAuthorToken(ctx, db, digest)
	return bearer{
		id: row.TokenID,
		account: Account{
			ID: row.ID, Username: row.Username, DisplayName: row.DisplayName, Language: row.Language,
			Active: row.Active, CreatedAt: row.CreatedAt,
		},
		expiresAt: row.ExpiresAt, usedAt: row.LastUsedAt,
	}, or(err, errToken)
}

func touchToken(ctx context.Context, db playdb.DBTX, id uuid.UUID, now time.Time) error {
	return queries.TouchAuthorToken(ctx, db, playdb.TouchAuthorTokenParams{ID: id, Now: now})
}
