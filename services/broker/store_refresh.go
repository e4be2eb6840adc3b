package broker

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/generated/brokerdb"
	"github.com/pharos-mcp/pharos/internal/pg"
)

func insertRefresh(ctx context.Context, tx pgx.Tx, secret string, g grant, generation int64, now time.Time) error {
	expires := now.Add(refreshTime)
	if expires.After(g.expires) {
		expires = g.expires
	}
	return queries.InsertRefreshToken(ctx, tx, brokerdb.InsertRefreshTokenParams{
		TokenHash: digest(secret), GrantID: g.id, Generation: generation, CreatedAt: now, ExpiresAt: expires,
	})
}

// refreshToken is what is kept of a refresh token.
type refreshToken struct {
	grantID       uuid.UUID
	clientID      string
	generation    int64
	expires       time.Time
	rotated       *time.Time
	sealed        []byte // its successor, once rotated
	successorUsed bool
}

// refreshToken gives a token, whatever has become of it, or errNoToken.
func (s store) refreshToken(ctx context.Context, secret string) (refreshToken, error) {
	row, err := read(ctx, s, queries.FindRefreshToken, digest(secret))
	if err != nil {
		return refreshToken{}, orElse(err, errNoToken)
	}
	return refreshToken{
		grantID: row.GrantID, clientID: row.ClientID, generation: row.Generation, expires: row.ExpiresAt,
		rotated: row.RotatedAt, sealed: row.SuccessorSealed, successorUsed: row.SuccessorUsed,
	}, nil
}

// refreshable gives a token with its grant, or errNoToken where either is gone.
func (s store) refreshable(ctx context.Context, secret string, now time.Time) (t refreshToken, g grant, err error) {
	if t, err = s.refreshToken(ctx, secret); err != nil {
		return t, grant{}, err
	}
	err = pg.Read(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) (err error) {
		g, err = findGrant(ctx, tx, t.grantID, now)
		return err
	})
	return t, g, err
}

// rotate gives a token its successor and reports whether it did: another
// request may have been faster.
func (s store) rotate(ctx context.Context, old string, t refreshToken, g grant, successor string, now time.Time) (done bool, err error) {
	sealed, err := seal(old, "successor", successor)
	if err != nil {
		return false, err
	}
	err = pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := findGrant(ctx, tx, g.id, now); err != nil {
			return err // errNoToken: revoked while the platform was asked
		}
		n, err := queries.RotateRefreshToken(ctx, tx, brokerdb.RotateRefreshTokenParams{
			TokenHash: digest(old), SuccessorHash: digest(successor), SuccessorSealed: sealed, Now: now,
		})
		if done = n == 1; err != nil || !done {
			return err
		}
		if err := useClient(ctx, tx, g.clientID, now); err != nil {
			return err
		}
		return insertRefresh(ctx, tx, successor, g, t.generation+1, now)
	})
	return done, err
}
