package account

import (
	"context"
	"encoding/binary"
	"net/netip"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/generated/playdb"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/internal/secret"
)

// How many logins of one username, and from one address, may be tried within any
// window, whether they succeed or not. What is refused does not count, so that a
// refusal is over when it said.
//
// The attempts are in the database: all processes that serve one installation
// hold these bounds together, and a process that starts again forgets nothing.
const (
	LoginsOfUsername = 10
	LoginsOfAddress  = 60
	LoginWindow      = time.Minute
)

// subject is what attempts are counted for.
type subject struct {
	digest []byte
	most   int64
}

// key is what stands for the subject in a lock.
func (s subject) key() int64 { return int64(binary.BigEndian.Uint64(s.digest)) }

// subjectsOf are those of one attempt, in the order in which they are locked.
func subjectsOf(username, address string) []subject {
	return []subject{
		{secret.Digest("play login address " + network(address)), LoginsOfAddress},
		{secret.Digest("play login username " + username), LoginsOfUsername},
	}
}

// network is whom an address counts for: of IPv6 that is the network of 64 bits
// that one site has.
func network(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	if a = a.Unmap(); a.Is6() {
		return netip.PrefixFrom(a.WithZone(""), 64).Masked().String()
	}
	return a.String()
}

// attempt counts an attempt to log in, or refuses it, in one step that no other
// attempt of the same subjects can come between.
func (s *Service) attempt(ctx context.Context, username, address string) error {
	id, now := uuid.New(), s.time()
	since := now.Add(-LoginWindow)
	return pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		var wait time.Duration
		subjects := subjectsOf(username, address)
		for _, of := range subjects {
			if err := queries.LockSubject(ctx, tx, of.key()); err != nil {
				return err
			}
			// A transaction that runs again does not count its own.
			made, err := queries.CountAttempts(ctx, tx, playdb.CountAttemptsParams{
				Subject: of.digest, Since: since, Beside: id,
			})
			if err != nil {
				return err
			}
			if made.Number >= of.most {
				wait = max(wait, made.Oldest.Add(LoginWindow).Sub(now))
			}
		}
		if wait > 0 {
			return &fault.Fault{Code: fault.TooMany, Message: "too many logins; try again later", RetryAfter: wait}
		}
		for _, of := range subjects {
			err := queries.InsertAttempt(ctx, tx, playdb.InsertAttemptParams{Subject: of.digest, ID: id, Now: now})
			if err != nil {
				return err
			}
		}
		return queries.DeleteOldAttempts(ctx, tx, since)
	})
}
