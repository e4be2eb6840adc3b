package account

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/secret"
)

// How long a session lasts: without a request, and in all.
const (
	IdleTime     = 2 * time.Hour
	AbsoluteTime = 12 * time.Hour
)

// touchEvery is how exactly the last use of a session or token is known: a
// request writes it only when it is that old.
const touchEvery = time.Minute

// MaxSessions is how many sessions an account has at a time. One more ends the
// oldest.
const MaxSessions = 20

// maxPresented is how many cookies of one browser a login ends: more than a
// browser has, and no more than is done in no time.
const maxPresented = 8

// cookieForm is that of the secrets of sessions.
const cookieForm = secret.Cookie("pharos_login_")

// errSession is a cookie that stands for nobody.
var errSession = fault.New(fault.Unauthenticated, "log in first")

// start begins a session, and ends those of the cookies that it replaces, those
// of the account beyond its bound, and a few that are over.
func (s *Service) start(ctx context.Context, tx pgx.Tx, id uuid.UUID, cookie string, presented []string) error {
	now := s.time()
	var ended [][]byte
	for _, old := range presented[:min(len(presented), maxPresented)] {
		if cookieForm.Is(old) {
			ended = append(ended, secret.Digest(old))
		}
	}
	if len(ended) > 0 {
		if err := queries.DeleteLogins(ctx, tx, ended); err != nil {
			return err
		}
	}
	return insertLogin(ctx, tx, id, secret.Digest(cookie), now)
}

// Session finds the account of a cookie, which it is a use of the session of.
// That is a fault.Unauthenticated for a cookie that is none, and for a session
// that has ended, was idle for IdleTime, is AbsoluteTime old, or whose account is
// not active.
func (s *Service) Session(ctx context.Context, cookie string) (Account, error) {
	if !cookieForm.Is(cookie) {
		return Account{}, errSession
	}
	digest, now := secret.Digest(cookie), s.time()
	found, err := findLogin(ctx, s.pool, digest)
	if err != nil {
		return Account{}, pg.Fault(err)
	}
	over := !now.Before(found.expiresAt) || now.Sub(found.seenAt) >= IdleTime
	if over || !found.account.Active {
		return Account{}, errSession
	}
	if now.Sub(found.seenAt) >= touchEvery {
		s.note(ctx, "session", found.account.ID, touchLogin(ctx, s.pool, digest, now))
	}
	return found.account, nil
}

// Logout ends the session of a cookie. One that has ended already is as good.
func (s *Service) Logout(ctx context.Context, cookie string) error {
	if !cookieForm.Is(cookie) {
		return nil
	}
	return pg.Fault(queries.DeleteLogins(ctx, s.pool, [][]byte{secret.Digest(cookie)}))
}

// note logs that the use of something could not be written down, which is no
// reason to refuse the use.
func (s *Service) note(ctx context.Context, what string, account uuid.UUID, err error) {
	if err != nil && !errors.Is(err, context.Canceled) {
		s.log.WarnContext(ctx, "a use was not noted", "of", what, "account", account, "error", err)
	}
}
