package account

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/secret"
)

// AuthorTokenPrefix begins every author token.
const AuthorTokenPrefix = "pharos_author_"

// The bounds on author tokens.
const (
	TokenTime = 90 * 24 * time.Hour // how long one lives
	MaxTokens = 20                  // that live, of one account
)

// tokenForm is that of author tokens, of 256 random bits.
var tokenForm = secret.Token{Prefix: AuthorTokenPrefix, Bytes: 32}

// errToken is a bearer that stands for no author, whatever is wrong with it.
var errToken = fault.New(fault.Unauthenticated, "the token is not one of an author, or it is over")

// IssueToken makes a token of an account and gives it with its text, which nobody
// keeps. The client chooses the id, so that a form that is sent twice makes one
// token: the second time is a fault.Exists, without the text. MaxTokens that live
// are a fault.Conflict.
func (s *Service) IssueToken(
	ctx context.Context, owner, id uuid.UUID, name string,
) (plaintext string, t Token, err error) {
	if id == uuid.Nil {
		return "", Token{}, fault.New(fault.Unprocessable, "id must not be the nil UUID")
	}
	if err := checkName("name", name, MaxTokenName); err != nil {
		return "", Token{}, err
	}
	now := s.time()
	t = Token{ID: id, Name: name, CreatedAt: now, ExpiresAt: now.Add(TokenTime)}
	plaintext = tokenForm.New()
	err = pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		a, _, err := lockAccount(ctx, tx, owner)
		if err != nil {
			return err
		}
		if !a.Active {
			return errSession // it was deactivated meanwhile
		}
		others, err := otherTokens(ctx, tx, owner, t)
		if err != nil {
			return err
		}
		if others >= MaxTokens {
			return fault.Newf(fault.Conflict, "there are %d tokens already: revoke one first", MaxTokens)
		}
		made, err := insertToken(ctx, tx, owner, t, secret.Digest(plaintext))
		if err == nil && !made {
			err = fault.New(fault.Exists, "this token was issued already, and its text was shown then: issue another one")
		}
		return err
	})
	if err != nil {
		return "", Token{}, err
	}
	return plaintext, t, nil
}

// Tokens lists the tokens of an account that live, the newest first.
func (s *Service) Tokens(ctx context.Context, owner uuid.UUID) ([]Token, error) {
	tokens, err := listTokens(ctx, s.pool, owner, s.time())
	return tokens, pg.Fault(err)
}

// RevokeToken ends a token of an account. One that is not there, or another
// account's, is a fault.NotFound.
func (s *Service) RevokeToken(ctx context.Context, owner, id uuid.UUID) error {
	found, err := deleteToken(ctx, s.pool, owner, id)
	if err == nil && !found {
		err = fault.New(fault.NotFound, "there is no such token")
	}
	return pg.Fault(err)
}

// Author finds the account of a bearer token, which it is a use of. Anything but
// a live author token of an active account is one fault.Unauthenticated.
func (s *Service) Author(ctx context.Context, bearer string) (Account, error) {
	if !tokenForm.Is(bearer) {
		return Account{}, errToken
	}
	now := s.time()
	found, err := findToken(ctx, s.pool, secret.Digest(bearer))
	if err != nil {
		return Account{}, pg.Fault(err)
	}
	if !now.Before(found.expiresAt) || !found.account.Active {
		return Account{}, errToken
	}
	if found.usedAt == nil || now.Sub(*found.usedAt) >= touchEvery {
		s.note(ctx, "token", found.account.ID, touchToken(ctx, s.pool, found.id, now))
	}
	return found.account, nil
}
