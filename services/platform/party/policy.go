package party

import (
	"bytes"
	"context"
	"crypto/sha256"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/page"
)

// The bounds of a policy, in characters.
const (
	maxPolicyTitle = 200
	maxPolicyText  = 100_000
)

// maxNotice is how long before a policy takes effect it may be published: no
// later version can take effect sooner, so that a slip would bar all of them.
const maxNotice = 366 * 24 * time.Hour

// Policy is a version of the acceptable use policy.
type Policy struct {
	Version     int64
	Title       string
	Text        string // "" in a list
	Digest      []byte // SHA-256 of the text
	Current     bool   // the newest in effect
	EffectiveAt time.Time
	PublishedAt time.Time
}

// Publish makes a policy the next version, which takes effect at a time that is
// after that of the version before. From then on everybody must accept it.
func (s *Service) Publish(ctx context.Context, title, text string, effectiveAt time.Time) (Policy, error) {
	if err := checkText("title", title, 1, maxPolicyTitle); err != nil {
		return Policy{}, err
	}
	if err := checkPolicyText(text); err != nil {
		return Policy{}, err
	}
	now := s.time()
	if effectiveAt.Sub(now) > maxNotice {
		return Policy{}, fault.New(fault.Invalid, "a policy takes effect within 366 days")
	}
	digest := sha256.Sum256([]byte(text))
	p := Policy{
		Title: title, Text: text, Digest: digest[:],
		EffectiveAt: pg.Time(effectiveAt), PublishedAt: now,
	}
	err := pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		newest, err := newestPolicy(ctx, tx)
		if err != nil {
			return err
		}
		if newest.PublishedAt.Equal(p.PublishedAt) && bytes.Equal(newest.Digest, p.Digest) {
			p.Version = newest.Version // an earlier attempt was committed
			return nil
		}
		if newest.Version > 0 && !p.EffectiveAt.After(newest.EffectiveAt) {
			return fault.Newf(fault.Conflict, "version %d takes effect later or at the same time", newest.Version)
		}
		p.Version = newest.Version + 1
		return insertPolicy(ctx, tx, p)
	})
	return p, err
}

func checkPolicyText(text string) error {
	n := utf8.RuneCountInString(text)
	control := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' }
	if n < 1 || n > maxPolicyText || !utf8.ValidString(text) || strings.ContainsFunc(text, control) {
		return fault.Newf(fault.Invalid, "the policy must be plain text of 1 to %d characters", maxPolicyText)
	}
	return nil
}

// Policy gives one version.
func (s *Service) Policy(ctx context.Context, version int64) (Policy, error) {
	return getPolicy(ctx, s.pool, version, s.time())
}

// Policies lists the versions without their texts, the newest first.
func (s *Service) Policies(ctx context.Context, p page.Page) ([]Policy, *string, error) {
	rows, err := listPolicies(ctx, s.pool, p, s.time())
	if err != nil {
		return nil, nil, err
	}
	policies, next := page.Next(p, rows, func(p Policy) page.Key { return page.Key{Number: p.Version} })
	return policies, next, nil
}

// Accept binds the Party of a session to the policy in effect, through the
// session's identity. The digest says that it is this text which was read. To
// accept again what binds already changes nothing.
func (s *Service) Accept(ctx context.Context, c access.Caller, version int64, digest []byte) error {
	switch c.Standing {
	case access.Unregistered, access.Deactivated:
		return c.Standing.Required()
	}
	return pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		party, err := lockParty(ctx, tx, c.Party)
		if err != nil {
			return err
		}
		if party.AuthVersion != c.AuthVersion {
			return fault.New(fault.Unauthenticated, "what you may do has changed: log in again")
		}
		now := s.time()
		required, err := requiredPolicy(ctx, tx, now)
		if err != nil {
			return err
		}
		if required.Version != version || !bytes.Equal(required.Digest, digest) {
			return fault.New(fault.Conflict, "this is not the policy in effect: read it again")
		}
		_, err = acceptPolicy(ctx, tx, c.Party, version, c.Identity, now)
		return err
	})
}

// AcceptFor records that a user has accepted the policy in effect elsewhere, as
// on paper. It says whether that was new.
func (s *Service) AcceptFor(ctx context.Context, username string) (changed bool, err error) {
	identity, err := findIdentityOfUser(ctx, s.pool, username)
	if err != nil {
		return false, err
	}
	err = pg.Write(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		party, err := lockUser(ctx, tx, username)
		if err != nil {
			return err
		}
		required, err := requiredPolicy(ctx, tx, s.time())
		if err != nil || required.Version == 0 {
			return err
		}
		did, err := acceptPolicy(ctx, tx, party.ID, required.Version, identity, s.time())
		changed = changed || did
		return err
	})
	return changed && err == nil, err
}

// Acceptance is a Party's acceptance of a policy.
type Acceptance struct {
	Version     int64
	Digest      []byte
	AcceptedAt  time.Time
	WithdrawnAt *time.Time // since when it does not count
	Identity    Identity   // through which it was made
}

// Acceptances lists those of the principal, the newest version first.
func (s *Service) Acceptances(ctx context.Context, p page.Page) ([]Acceptance, *string, error) {
	rows, err := listAcceptances(ctx, s.pool, access.From(ctx).Party, p)
	if err != nil {
		return nil, nil, err
	}
	acceptances, next := page.Next(p, rows, func(a Acceptance) page.Key { return page.Key{Number: a.Version} })
	return acceptances, next, nil
}

// Withdraw ends every acceptance of a user, who must then accept anew. It says
// whether there was one.
func (s *Service) Withdraw(ctx context.Context, username string) (bool, error) {
	return s.changeUser(ctx, username, func(ctx context.Context, tx pgx.Tx, p lockedParty) (bool, error) {
		return withdrawAcceptances(ctx, tx, p.ID, s.time())
	})
}
