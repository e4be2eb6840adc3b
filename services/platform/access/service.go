package access

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/token"
	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/internal/admission"
	"github.com/pharos-mcp/pharos/internal/pg"
)

// Config is what access needs.
type Config struct {
	Pool *pgxpool.Pool
	Now  func() time.Time // nil: time.Now
	// Catalog has the business operations with their scopes, which are all the
	// scopes that there are.
	Catalog tool.Catalog
	// Origin is where browsers find the API, as in "https://platform.example".
	// "" stands for plain HTTP on the loopback interface: cookies are then sent
	// without encryption.
	Origin string
	// Delegation says who speaks for people.
	Delegation Delegation
	// Accounts and Addresses bound logins, by username and by the caller's
	// address; nil keeps them in this process.
	Accounts, Addresses admission.Admission
}

// Service knows who calls. It is safe for concurrent use.
type Service struct {
	pool                *pgxpool.Pool
	now                 func() time.Time
	scopes              []string // that there are, sorted
	business            map[string]tool.Operation
	broker, gateway     token.Trust
	secure              bool
	origin              string
	accounts, addresses admission.Admission
}

// New makes a service, or tells all that is wrong with its configuration.
func New(c Config) (*Service, error) {
	s := &Service{
		pool: c.Pool, now: c.Now, origin: c.Origin, accounts: c.Accounts, addresses: c.Addresses,
		business: map[string]tool.Operation{},
	}
	if s.now == nil {
		s.now = time.Now
	}
	if err := errors.Join(checkOrigin(c.Origin), c.Delegation.check()); err != nil {
		return nil, err
	}
	s.secure = c.Origin != ""
	s.broker = c.Delegation.Broker.trust(token.AudienceLogin, s.now)
	s.gateway = c.Delegation.Gateway.trust(token.AudienceAssertion, s.now)
	if s.accounts == nil {
		s.accounts = admission.NewMemory(admission.Limits{Rate: loginsOfAccount}, s.now)
	}
	if s.addresses == nil {
		s.addresses = admission.NewMemory(admission.Limits{Rate: loginsOfAddress, All: loginsAtATime}, s.now)
	}
	for _, op := range c.Catalog.Operations {
		s.business[operationName(op.ID)] = op
		s.scopes = append(s.scopes, op.Scope)
	}
	slices.Sort(s.scopes)
	s.scopes = slices.Compact(s.scopes)
	return s, nil
}

// checkOrigin refuses an origin of browsers that is not encrypted.
func checkOrigin(origin string) error {
	u, err := url.Parse(origin)
	if origin != "" && (err != nil || u.Scheme != "https" || u.Host == "" || u.Scheme+"://"+u.Host != origin) {
		return fmt.Errorf("origin: %q is not https://host or https://host:port", origin)
	}
	return nil
}

// Scopes are all scopes that a principal holds.
func (s *Service) Scopes(p Principal) []string {
	return slices.DeleteFunc(slices.Clone(s.scopes), func(scope string) bool { return !p.Allows(scope) })
}

// time is now, as exact as the database keeps it.
func (s *Service) time() time.Time { return pg.Time(s.now()) }
