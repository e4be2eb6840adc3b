package broker

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"

	"github.com/pharos-mcp/pharos/edge/token"
)

// errUpstreamDown is a provider that did not answer as it should: the same
// login may work a moment later.
var errUpstreamDown = errors.New("the login service does not answer")

// maxReason bounds what is logged of a provider's own words, in characters.
const maxReason = 200

func down(err error) error { return fmt.Errorf("%w: %w", errUpstreamDown, err) }

// identity redeems the code that the browser brought and judges who it is. An
// error other than errUpstreamDown is an answer that must not be believed.
func (u *upstream) identity(ctx context.Context, code string, e errand) (token.Identity, error) {
	d, err := u.connect(ctx)
	if err != nil {
		return token.Identity{}, down(err)
	}
	ctx = oidc.ClientContext(ctx, u.http)
	tokens, err := u.client(d).Exchange(ctx, code, oauth2.VerifierOption(e.Verifier))
	if err != nil {
		return token.Identity{}, down(exchangeError(err))
	}
	raw, ok := tokens.Extra("id_token").(string)
	if !ok {
		return token.Identity{}, errors.New("no ID token")
	}
	id, err := d.provider.Verifier(&oidc.Config{ClientID: u.config.Upstream.ClientID, Now: u.now}).Verify(ctx, raw)
	if err != nil && strings.Contains(err.Error(), fetchingKeys) {
		return token.Identity{}, down(errors.New("its keys cannot be read"))
	}
	if err != nil {
		return token.Identity{}, errors.New(cut(err.Error(), maxReason))
	}
	return u.judge(id, raw, e)
}

// fetchingKeys is how go-oidc says that not the token is wrong, but the keys to
// judge it by are out of reach.
const fetchingKeys = "fetching keys"

// exchangeError says what became of a code, without what the provider wrote,
// which may hold what it was sent.
func exchangeError(err error) error {
	if refused, ok := errors.AsType[*oauth2.RetrieveError](err); ok && refused.Response != nil {
		return fmt.Errorf("the code is answered with status %d and error %q", refused.Response.StatusCode, cut(refused.ErrorCode, 40))
	}
	return errors.New(cut(err.Error(), maxReason))
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
	case id.IssuedAt.Unix() <= 0:
		return token.Identity{}, errors.New("iat is missing")
	case id.IssuedAt.After(u.now().Add(5 * time.Second)):
		return token.Identity{}, errors.New("iat is in the future")
	case !u.now().Before(id.Expiry):
		return token.Identity{}, errors.New("expired at this second")
	case !plain(id.Subject):
		return token.Identity{}, errors.New("sub is empty, too long or not plain text")
	case claims.VopersonID == nil || !plain(*claims.VopersonID):
		return token.Identity{}, errors.New("voperson_id is missing, too long or not plain text")
	}
	if err := checkType(raw); err != nil {
		return token.Identity{}, err
	}
	return token.Identity{Issuer: id.Issuer, Subject: id.Subject, VopersonID: *claims.VopersonID}, nil
}

// checkType refuses a JWS whose typ says that it is no ID token, as an access
// token of the same provider might be.
func checkType(raw string) error {
	first, _, _ := strings.Cut(raw, ".")
	text, err := base64.RawURLEncoding.DecodeString(first)
	if err != nil {
		return err
	}
	var header struct {
		Type string `json:"typ"`
	}
	if err := json.Unmarshal(text, &header); err != nil {
		return err
	}
	if header.Type != "" && !strings.EqualFold(header.Type, "JWT") {
		return errors.New("typ is not an ID token's")
	}
	return nil
}
