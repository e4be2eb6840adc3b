package assignment

import (
	"context"

	"github.com/google/uuid"
)

// TokenPrefix begins every play token.
const TokenPrefix = "pharos_play_"

// GenerateToken makes the play token of an assignment, for its game master or
// its player. The one before is no good any more. The text is not kept.
func (s *Service) GenerateToken(ctx context.Context, viewer, id uuid.UUID) (plaintext string, t TokenInfo, err error) {
	return "", TokenInfo{}, errUnbuilt
}

// RevokeToken ends the play token of an assignment, where there is one.
func (s *Service) RevokeToken(ctx context.Context, viewer, id uuid.UUID) error { return errUnbuilt }

// Seat finds where the bearer of a play token sits. Anything but a token that
// lives, of an active game master and an active player, is Unauthenticated.
func (s *Service) Seat(ctx context.Context, bearer string) (Seat, error) { return Seat{}, errUnbuilt }
