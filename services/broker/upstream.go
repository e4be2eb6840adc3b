package broker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/pharos-mcp/pharos/edge/token"
)

// upstreamTime bounds one exchange with the provider.
const upstreamTime = 10 * time.Second

// upstream is the OpenID provider that logs people in (contract E-31).
type upstream struct {
	config Config
	now    func() time.Time
	http   *http.Client

	mu       sync.Mutex
	provider *oidc.Provider // known once it has answered
}

func newUpstream(c Config, now func() time.Time) *upstream {
	return &upstream{config: c, now: now, http: &http.Client{
		Timeout:       upstreamTime,
		Transport:     limited{&http.Transport{Proxy: nil, MaxResponseHeaderBytes: 64 << 10}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// errand is what the broker must know when a browser comes back: sealed under
// the state, which only the browser brings.
type errand struct {
	Handle   string `json:"handle"`
	Verifier string `json:"verifier"`
	Nonce    string `json:"nonce"`
}

func newErrand(handle string) errand {
	return errand{Handle: handle, Verifier: oauth2.GenerateVerifier(), Nonce: newSecret("")}
}

func (e errand) text() string {
	text, err := json.Marshal(e)
	if err != nil {
		panic(err) // three strings
	}
	return string(text)
}

// connect finds the provider's endpoints, and remembers them.
func (u *upstream) connect(ctx context.Context) (*oidc.Provider, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.provider != nil {
		return u.provider, nil
	}
	// The provider keeps the context for fetching its keys later on.
	p, err := oidc.NewProvider(oidc.ClientContext(context.WithoutCancel(ctx), u.http), u.config.Upstream.Issuer)
	if err != nil {
		return nil, err
	}
	u.provider = p
	return p, nil
}

func (u *upstream) client(p *oidc.Provider) *oauth2.Config {
	return &oauth2.Config{
		ClientID: u.config.Upstream.ClientID, ClientSecret: u.config.Upstream.ClientSecret, Endpoint: p.Endpoint(),
		RedirectURL: u.config.Issuer + "/callback", Scopes: []string{oidc.ScopeOpenID, "profile"},
	}
}

// loginURL is where the browser goes to log in.
func (u *upstream) loginURL(ctx context.Context, state string, e errand) (string, error) {
	p, err := u.connect(ctx)
	if err != nil {
		return "", err
	}
	return u.client(p).AuthCodeURL(state, oidc.Nonce(e.Nonce), oauth2.S256ChallengeOption(e.Verifier)), nil
}

// errUpstreamDown is a provider that did not answer as it should: the same
// login may work a moment later.
var errUpstreamDown = errors.New("the login service does not answer")

// identity redeems the code that the browser brought and judges who it is. An
// error other than errUpstreamDown is an answer that must not be believed.
func (u *upstream) identity(ctx context.Context, code string, e errand) (token.Identity, error) {
	p, err := u.connect(ctx)
	if err != nil {
		return token.Identity{}, fmt.Errorf("%w: %w", errUpstreamDown, err)
	}
	ctx = oidc.ClientContext(ctx, u.http)
	tokens, err := u.client(p).Exchange(ctx, code, oauth2.VerifierOption(e.Verifier))
	if err != nil {
		return token.Identity{}, fmt.Errorf("%w: %w", errUpstreamDown, err)
	}
	raw, ok := tokens.Extra("id_token").(string)
	if !ok {
		return token.Identity{}, errors.New("no ID token")
	}
	id, err := p.Verifier(&oidc.Config{ClientID: u.config.Upstream.ClientID, Now: u.now}).Verify(ctx, raw)
	if err != nil {
		return token.Identity{}, err
	}
	return u.judge(id, raw, e)
}

// idClaims are the claims that go-oidc leaves to its caller.
type idClaims struct {
	Authorized *string `json:"azp"`
	VopersonID *string `json:"voperson_id"`
}

// judge checks what go-oidc does not: the nonce, one audience, a time of issue
// that has been, the type, and the identity itself.
func (u *upstream) judge(id *oidc.IDToken, raw string, e errand) (token.Identity, error) {
	var claims idClaims
	if err := id.Claims(&claims); err != nil {
		return token.Identity{}, fmt.Errorf("claims: %w", err)
	}
	switch {
	case id.Nonce != e.Nonce:
		return token.Identity{}, errors.New("nonce is another login's")
	case !slices.Equal(id.Audience, []string{u.config.Upstream.ClientID}):
		return token.Identity{}, errors.New("aud names others too")
	case claims.Authorized != nil && *claims.Authorized != u.config.Upstream.ClientID:
		return token.Identity{}, errors.New("azp is another client")
	case id.IssuedAt.After(u.now().Add(5 * time.Second)):
		return token.Identity{}, errors.New("iat is in the future")
	case id.Subject == "":
		return token.Identity{}, errors.New("sub is empty")
	case claims.VopersonID == nil || strings.TrimSpace(*claims.VopersonID) == "":
		return token.Identity{}, errors.New("voperson_id is missing")
	}
	if err := checkType(raw); err != nil {
		return token.Identity{}, err
	}
	return token.Identity{Issuer: id.Issuer, Subject: id.Subject, VopersonID: *claims.VopersonID}, nil
}
