package access

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

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

// maxSessions is how many sessions an identity has at a time. One more ends the
// oldest.
const maxSessions = 20

// Session is what a cookie stands for.
type Session struct {
	Digest    []byte
	Identity  uuid.UUID
	CreatedAt time.Time
	ExpiresAt time.Time // whatever happens; earlier when idle
	CSRF      string    // what a request that changes something must show
}

// Grant is a session that has just begun, with the secret that nobody keeps.
type Grant struct {
	Session
	Cookie string
}

// begin makes the secret of a session that begins now.
func (s *Service) begin(identity uuid.UUID) Grant {
	cookie, now := cookieForm.New(), s.time()
	return Grant{Cookie: cookie, Session: Session{
		Digest: secret.Digest(cookie), Identity: identity, CreatedAt: now, ExpiresAt: now.Add(AbsoluteTime), CSRF: csrfOf(cookie),
	}}
}

// start lets the granted session begin, at the Party's auth_version (0 without a
// Party), and ends what it replaces: the session of that digest, if any, those
// of the identity beyond its bound, and a few that have expired.
func (s *Service) start(ctx context.Context, tx pgx.Tx, g Grant, authVersion int64, replaces []byte) error {
	if replaces != nil {
		if err := queries.DeleteSession(ctx, tx, replaces); err != nil {
			return err
		}
	}
	return insertSession(ctx, tx, g.Session, authVersion)
}

// Renew replaces a session in the transaction that changes what its caller may
// do: f does the change and gives the Party's auth_version after it. Like all
// that pg.Write runs, f may run again.
func (s *Service) Renew(
	ctx context.Context, old *Session, f func(ctx context.Context, tx pgx.Tx, now time.Time) (authVersion int64, err error),
) (Grant, error) {
	g := s.begin(old.Identity)
	err := pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		version, err := f(ctx, tx, g.CreatedAt)
		if err != nil {
			return err
		}
		return s.start(ctx, tx, g, version, old.Digest)
	})
	if err != nil {
		return Grant{}, err
	}
	return g, nil
}

// Logout ends a session. One that has ended already is as good.
func (s *Service) Logout(ctx context.Context, digest []byte) error {
	return queries.DeleteSession(ctx, s.pool, digest)
}

// Refresh looks a session's caller up again, after what they may do has changed.
func (s *Service) Refresh(ctx context.Context, c Caller) (Caller, error) {
	row, err := findSession(ctx, s.pool, c.Session.Digest, s.time())
	if err != nil {
		return Caller{}, err
	}
	row.caller.Session = c.Session
	return row.caller, nil
}

// liveSession finds the session whose cookie this is: errNobody when it has
// ended, is too old, or was begun before its Party's authority changed.
func (s *Service) liveSession(ctx context.Context, cookie string) (sessionRow, error) {
	if !cookieForm.Is(cookie) {
		return sessionRow{}, errNobody
	}
	now := s.time()
	row, err := findSession(ctx, s.pool, secret.Digest(cookie), now)
	if err != nil {
		return sessionRow{}, err
	}
	ended := !now.Before(row.session.ExpiresAt) || now.Sub(row.seenAt) >= IdleTime
	if ended || row.authVersion != row.caller.AuthVersion {
		return sessionRow{}, errNobody
	}
	return row, nil
}

// sessionOf finds the caller of a live session, which it is a use of.
func (s *Service) sessionOf(ctx context.Context, cookie string) (Caller, error) {
	row, err := s.liveSession(ctx, cookie)
	if err != nil {
		return Caller{}, err
	}
	if now := s.time(); now.Sub(row.seenAt) >= touchEvery {
		if err := touchSession(ctx, s.pool, row.session.Digest, now); err != nil {
			return Caller{}, err
		}
	}
	row.session.CSRF = csrfOf(cookie)
	row.caller.Session = &row.session
	return row.caller, nil
}
