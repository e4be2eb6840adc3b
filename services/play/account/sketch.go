package account

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
)

// How long a session lasts: without a request, and in all.
const (
	IdleTime     = 2 * time.Hour
	AbsoluteTime = 12 * time.Hour
)

// AuthorTokenPrefix begins every author token.
const AuthorTokenPrefix = "pharos_author_"

var errNot = errors.New("not there yet")

// Create makes an account.
func (s *Service) Create(ctx context.Context, n NewAccount) (Account, error) {
	return Account{}, errNot
}

// SetPassword replaces a password and ends the account's sessions.
func (s *Service) SetPassword(ctx context.Context, username, password string) error { return errNot }

// SetActive activates or deactivates.
func (s *Service) SetActive(ctx context.Context, username string, active bool) error { return errNot }

// ByUsername finds an account.
func (s *Service) ByUsername(ctx context.Context, username string) (Account, error) {
	return Account{}, errNot
}

// ByID finds an account.
func (s *Service) ByID(ctx context.Context, id uuid.UUID) (Account, error) { return Account{}, errNot }

// List gives accounts by username.
func (s *Service) List(ctx context.Context) ([]Account, error) { return nil, errNot }

// SetLanguage changes the language.
func (s *Service) SetLanguage(ctx context.Context, id uuid.UUID, language string) error {
	return errNot
}

// Login begins a session; presented are the cookies that the browser had, whose sessions end.
func (s *Service) Login(
	ctx context.Context, username, password, address string, presented ...string,
) (cookie string, a Account, err error) {
	return "", Account{}, errNot
}

// Session finds who a cookie stands for.
func (s *Service) Session(ctx context.Context, cookie string) (Account, error) {
	return Account{}, errNot
}

// Logout ends a session.
func (s *Service) Logout(ctx context.Context, cookie string) error { return errNot }

// IssueToken makes an author token.
func (s *Service) IssueToken(ctx context.Context, owner, id uuid.UUID, name string) (plaintext string, t Token, err error) {
	return "", Token{}, errNot
}

// Tokens lists the tokens.
func (s *Service) Tokens(ctx context.Context, owner uuid.UUID) ([]Token, error) { return nil, errNot }

// RevokeToken ends a token.
func (s *Service) RevokeToken(ctx context.Context, owner, id uuid.UUID) error { return errNot }

// Author finds who a bearer token stands for.
func (s *Service) Author(ctx context.Context, bearer string) (Account, error) {
	return Account{}, errNot
}
