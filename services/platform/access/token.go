package access

import (
	"context"
	"slices"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/secret"
	"github.com/pharos-mcp/pharos/services/platform/page"
)

// The bounds on personal access tokens.
const (
	maxTokens     = 50 // of one Party
	maxTokenName  = 80
	minTokenTime  = time.Minute
	MaxTokenTime  = 366 * 24 * time.Hour
	maxTokenScope = 64
)

// Token is a personal access token without its secret.
type Token struct {
	ID          uuid.UUID
	Party       uuid.UUID
	Name        string
	Scopes      []string // sorted
	AuthVersion int64    // the Party's when the token was made; later it is void
	CreatedAt   time.Time
	ExpiresAt   time.Time
	LastUsedAt  *time.Time
}

// CreateToken makes a personal access token for a Party and returns it with the
// text that nobody keeps. Its scopes are among those that the principal holds,
// which must be the Party as it is now.
func (s *Service) CreateToken(
	ctx context.Context, p Principal, name string, scopes []string, expiresAt time.Time,
) (t Token, text string, err error) {
	now := s.time()
	given := len(scopes)
	if scopes = slices.Compact(slices.Sorted(slices.Values(scopes))); len(scopes) != given {
		return Token{}, "", fault.New(fault.Invalid, "scopes holds one twice")
	}
	if err := s.checkToken(p, name, scopes, expiresAt.Sub(now)); err != nil {
		return Token{}, "", err
	}
	t = Token{
		ID: uuid.New(), Party: p.Party, Name: name, Scopes: scopes, AuthVersion: p.AuthVersion,
		CreatedAt: now, ExpiresAt: pg.Time(expiresAt),
	}
	text = tokenForm.New()
	err = pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		party, err := queries.LockParty(ctx, tx, t.Party)
		if err != nil {
			return err
		}
		if party.AuthVersion != p.AuthVersion {
			return fault.New(fault.Unauthenticated, "what you may do has changed: log in again")
		}
		others, err := otherTokens(ctx, tx, t)
		if err != nil {
			return err
		}
		if others >= maxTokens {
			return fault.Newf(fault.Conflict, "there are %d tokens already: delete one first", maxTokens)
		}
		return insertToken(ctx, tx, t, secret.Digest(text))
	})
	if err != nil {
		return Token{}, "", err
	}
	return t, text, nil
}

func (s *Service) checkToken(p Principal, name string, scopes []string, lasts time.Duration) error {
	if n := utf8.RuneCountInString(name); n == 0 || n > maxTokenName || !utf8.ValidString(name) {
		return fault.Newf(fault.Invalid, "the name of a token has 1 to %d characters", maxTokenName)
	}
	for _, r := range name {
		if unicode.IsControl(r) {
			return fault.New(fault.Invalid, "the name of a token is plain text")
		}
	}
	if len(scopes) == 0 || len(scopes) > maxTokenScope {
		return fault.Newf(fault.Invalid, "a token has 1 to %d scopes", maxTokenScope)
	}
	for _, scope := range scopes {
		if !slices.Contains(s.scopes, scope) {
			return fault.New(fault.Invalid, "scopes holds one that does not exist")
		}
		if !p.Allows(scope) {
			return fault.New(fault.Forbidden, "scopes holds one that is not yours")
		}
	}
	if lasts < minTokenTime || lasts > MaxTokenTime {
		return fault.New(fault.Invalid, "a token lasts from a minute to 366 days")
	}
	return nil
}

// Tokens lists the tokens of a Party, the newest first: those that are void are
// among them until another is made.
func (s *Service) Tokens(ctx context.Context, party uuid.UUID, p page.Page) ([]Token, *string, error) {
	rows, err := listTokens(ctx, s.pool, party, p)
	if err != nil {
		return nil, nil, err
	}
	tokens, next := page.Next(p, rows, func(t Token) page.Key { return page.Key{Time: t.CreatedAt, ID: t.ID} })
	return tokens, next, nil
}

// DeleteToken revokes a token of a Party. It says whether there was one.
func (s *Service) DeleteToken(ctx context.Context, party, id uuid.UUID) (bool, error) {
	return deleteToken(ctx, s.pool, party, id)
}

// liveToken finds the token with this text: errNobody when it does not exist,
// has expired, or was made before its Party's authority changed.
func (s *Service) liveToken(ctx context.Context, text string) (tokenRow, error) {
	if !tokenForm.Is(text) {
		return tokenRow{}, errNobody
	}
	now := s.time()
	row, err := findToken(ctx, s.pool, secret.Digest(text), now)
	if err != nil {
		return tokenRow{}, err
	}
	if !now.Before(row.expiresAt) || row.authVersion != row.caller.AuthVersion {
		return tokenRow{}, errNobody
	}
	return row, nil
}

// tokenOf finds the caller of a live token, which it is a use of.
func (s *Service) tokenOf(ctx context.Context, text string) (Caller, error) {
	row, err := s.liveToken(ctx, text)
	if err != nil {
		return Caller{}, err
	}
	if now := s.time(); row.usedAt == nil || now.Sub(*row.usedAt) >= touchEvery {
		if err := touchToken(ctx, s.pool, row.id, now); err != nil {
			return Caller{}, err
		}
	}
	return row.caller, nil
}
