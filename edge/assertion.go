package edge

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/pharos-mcp/pharos/edge/token"
	"github.com/pharos-mcp/pharos/edge/tool"
)

// Assertion says with what authority an API of pharos's kind is called: a
// token of the gateway's own for each call, in the name of the caller and for
// that operation alone (E-23). All of it is needed.
type Assertion struct {
	// Issuer is the gateway's name, as the API trusts it.
	Issuer string `json:"issuer"`
	// KeyFile holds the gateway's private key.
	KeyFile string `json:"key_file"`
}

// Assertions signs them. It is safe for concurrent use.
type Assertions struct {
	base   *url.URL
	issuer string
	signer *token.Signer
	now    func() time.Time
}

// NewAssertions signs for the API at base, and sends nothing anywhere else.
func NewAssertions(base, issuer string, signer *token.Signer, now func() time.Time) (*Assertions, error) {
	origin, err := url.Parse(base)
	if err != nil || issuer == "" {
		return nil, errors.New("an assertion needs the API's URL and an issuer")
	}
	return &Assertions{origin, issuer, signer, now}, nil
}

// Apply puts a fresh assertion on a request. It lives for 30 seconds at most,
// and never longer than the caller's token.
func (a *Assertions) Apply(ctx context.Context, r *http.Request, op *tool.Operation) error {
	if r.URL.Scheme != a.base.Scheme || r.URL.Host != a.base.Host {
		return errForeignOrigin
	}
	p := Caller(ctx)
	if p == nil {
		return errors.New("the call has no caller")
	}
	access, ok := p.Identity.(token.Access)
	if !ok {
		return errors.New("the caller has no access token of a broker")
	}
	now := a.now().Truncate(time.Second)
	expires := now.Add(token.LifetimeAssertion)
	if expires.After(access.Expires) {
		expires = access.Expires
	}
	if !expires.After(now) {
		return errors.New("the caller's access token has expired")
	}
	compact, err := a.signer.Assertion(token.Assertion{
		Claims: token.Claims{
			Issuer: a.issuer, Audience: token.AudienceAssertion, Subject: access.Subject, ID: rand.Text(),
			IssuedAt: now, Expires: expires, Identity: access.Identity,
		},
		Authority:   access.Authority,
		OperationID: op.ID,
	})
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+compact)
	return nil
}

// open reads the key and sees that it is none of the broker's (E-25).
func (a Assertion) open(base string, broker token.Keys) (*Assertions, error) {
	text, err := readKeyFile(a.KeyFile)
	if err != nil {
		return nil, fmt.Errorf("key_file: %w", err)
	}
	signer, err := token.ParseSigner(text)
	if err != nil {
		return nil, fmt.Errorf("key_file: %w", err)
	}
	if err := token.Disjoint(broker, signer.Keys()); err != nil {
		return nil, fmt.Errorf("key_file: %w", err)
	}
	return NewAssertions(base, a.Issuer, signer, time.Now)
}
