package assignment

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/secret"
)

// TokenPrefix begins every play token.
const TokenPrefix = "pharos_play_"

// token is the kind of play tokens: 160 random bits.
var token = secret.Token{Prefix: TokenPrefix, Bytes: 20}

// errInactive is a token that nobody could use, and that would be good one day.
var errInactive = fault.New(fault.Conflict,
	"the account of the game master or of the player is not active: no play token can be made until it is")

// GenerateToken makes the play token of an assignment, for its game master or
// its player. The one before is no good any more. The text is not kept. Both
// must be active, and are until it is made: whoever deactivates an account then
// ends what was made, and what comes after is a Conflict.
func (s *Service) GenerateToken(
	ctx context.Context, viewer, id uuid.UUID,
) (plaintext string, info TokenInfo, err error) {
	plaintext = token.New()
	err = pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := roleOf(ctx, tx, viewer, id); err != nil {
			return err
		}
		active, err := holdActive(ctx, tx, id)
		if err != nil {
			return err
		}
		if !active {
			return errInactive
		}
		now := pg.Time(s.now())
		info = TokenInfo{CreatedAt: now, ExpiresAt: now.Add(TokenLife)}
		return putToken(ctx, tx, id, secret.Digest(plaintext), info)
	})
	if err != nil {
		return "", TokenInfo{}, err
	}
	return plaintext, info, nil
}

// RevokeToken ends the play token of an assignment, where there is one.
func (s *Service) RevokeToken(ctx context.Context, viewer, id uuid.UUID) error {
	return pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := roleOf(ctx, tx, viewer, id); err != nil {
			return err
		}
		return deleteToken(ctx, tx, id)
	})
}

// Seat finds where the bearer of a play token sits. Anything but a token that
// lives, of an active game master and an active player, is Unauthenticated.
func (s *Service) Seat(ctx context.Context, bearer string) (seat Seat, err error) {
	unknown := fault.New(fault.Unauthenticated, "the token is not one that is valid here")
	if !token.Is(bearer) {
		return Seat{}, unknown
	}
	found := false
	err = pg.Look(ctx, s.pool, func(ctx context.Context, conn *pgxpool.Conn) error {
		seat, found, err = findSeat(ctx, conn, secret.Digest(bearer), s.now())
		return err
	})
	if err == nil && !found {
		err = unknown
	}
	if err != nil {
		return Seat{}, err
	}
	return seat, nil
}
