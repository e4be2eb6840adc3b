package broker

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/generated/brokerdb"
	"github.com/pharos-mcp/pharos/internal/pg"
)

// redemption is a client's use of a code.
type redemption struct {
	code, clientID, redirect string
	matches                  func(challenge string) bool // the verifier's
	refresh                  string                      // the token to issue
}

// errWrongVerifier is a code that was used up by a verifier that is not its own.
var errWrongVerifier = errors.New("code_verifier does not belong to the code")

// redeem uses a code up, for a grant and its first refresh token. A wrong
// verifier uses it up as well. A second use ends the grant, with what the first
// one was given.
func (s store) redeem(ctx context.Context, r redemption, now time.Time) (grant, error) {
	var g grant
	var refused error // what is kept, and then said
	err := pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		refused = nil
		row, err := queries.ConsumeCode(ctx, tx, brokerdb.ConsumeCodeParams{
			CodeHash: digest(r.code), ClientID: r.clientID, RedirectURI: r.redirect, Now: now, ConsumedBy: digest(r.refresh),
		})
		if errors.Is(err, pgx.ErrNoRows) {
			refused = errNoCode
			return s.usedBefore(ctx, tx, r, now)
		}
		if err != nil {
			return err
		}
		if !r.matches(row.Challenge) {
			refused = errWrongVerifier
			return nil
		}
		if g, err = s.findGrant(ctx, tx, row.GrantID, now); errors.Is(err, errNoToken) {
			refused = errNoCode
			return nil
		} else if err != nil {
			return err
		}
		if err := s.useClient(ctx, tx, r.clientID, now); err != nil {
			return err
		}
		return insertRefresh(ctx, tx, r.refresh, g, 1, now)
	})
	if err != nil {
		return grant{}, err
	}
	return g, refused
}

// usedBefore ends the grant of a code that comes a second time.
func (s store) usedBefore(ctx context.Context, tx pgx.Tx, r redemption, now time.Time) error {
	id, err := queries.FindConsumedCode(ctx, tx, brokerdb.FindConsumedCodeParams{CodeHash: digest(r.code), ClientID: r.clientID})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = queries.RevokeGrant(ctx, tx, brokerdb.RevokeGrantParams{ID: id, Now: now, Because: "a code was used twice"})
	return err
}

// useClient keeps a registered client from being forgotten.
func (s store) useClient(ctx context.Context, tx pgx.Tx, id string, now time.Time) error {
	return queries.TouchClient(ctx, tx, brokerdb.TouchClientParams{ID: id, Now: now, Stale: now.Add(-time.Hour)})
}

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

// refreshToken gives a token, whatever has become of it.
func (s store) refreshToken(ctx context.Context, secret string) (refreshToken, error) {
	row, err := queries.FindRefreshToken(ctx, s.pool, digest(secret))
	if err != nil {
		return refreshToken{}, orElse(err, errNoToken)
	}
	return refreshToken{
		grantID: row.GrantID, clientID: row.ClientID, generation: row.Generation, expires: row.ExpiresAt,
		rotated: row.RotatedAt, sealed: row.SuccessorSealed, successorUsed: row.SuccessorUsed,
	}, nil
}

// rotate gives a token its successor and reports whether it did: another
// request may have been faster.
func (s store) rotate(ctx context.Context, old string, t refreshToken, g grant, successor string, now time.Time) (done bool, err error) {
	sealed, err := seal(old, "successor", successor)
	if err != nil {
		return false, err
	}
	err = pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		n, err := queries.RotateRefreshToken(ctx, tx, brokerdb.RotateRefreshTokenParams{
			TokenHash: digest(old), SuccessorHash: digest(successor), SuccessorSealed: sealed, Now: now,
		})
		if done = n == 1; err != nil || !done {
			return err
		}
		if err := s.useClient(ctx, tx, g.clientID, now); err != nil {
			return err
		}
		return insertRefresh(ctx, tx, successor, g, t.generation+1, now)
	})
	return done, err
}
