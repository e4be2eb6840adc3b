package token

import (
	"bytes"
	"crypto"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/lestrrat-go/jwx/v2/jwa"
	"github.com/lestrrat-go/jwx/v2/jws"
	"github.com/pharos-mcp/pharos/internal/strictjson"
)

const thumbprintHash = crypto.SHA256

// Signer signs with one private key.
type Signer struct {
	kid     string
	private ed25519.PrivateKey
}

// jwkPrivate is a private Ed25519 key as key files have it.
type jwkPrivate struct {
	jwkPublic
	D *string `json:"d"`
}

// GenerateKey makes a key from random and returns the text of its two files:
// the private JWK for the signer and the enrolment for its verifiers. Its kid
// is its thumbprint (RFC 7638).
func GenerateKey(random io.Reader) (private, enrolment []byte, err error) {
	public, key, err := ed25519.GenerateKey(random)
	if err != nil {
		return nil, nil, err
	}
	kid, seed := thumbprint(public), base64.RawURLEncoding.EncodeToString(key.Seed())
	if private, err = json.MarshalIndent(jwkPrivate{jwkOf(kid, public), &seed}, "", "  "); err != nil {
		return nil, nil, err
	}
	enrolment, err = Keys{public: map[string]ed25519.PublicKey{kid: public}}.JWKS()
	return append(private, '\n'), append(enrolment, '\n'), err
}

// ParseSigner reads a private key file as GenerateKey makes it. Its errors
// never quote the file.
func ParseSigner(file []byte) (*Signer, error) {
	var k jwkPrivate
	if err := strictjson.Exact(bytes.TrimSpace(file), &k); err != nil {
		return nil, fmt.Errorf("private key: %w", err)
	}
	public, err := k.public()
	if err != nil {
		return nil, fmt.Errorf("private key: %w", err)
	}
	if k.D == nil {
		return nil, errors.New("private key: d is missing: this is a public key")
	}
	seed, err := base64.RawURLEncoding.Strict().DecodeString(*k.D)
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, fmt.Errorf("private key: d must be %d bytes in base64url", ed25519.SeedSize)
	}
	private := ed25519.NewKeyFromSeed(seed)
	if !public.Equal(private.Public()) {
		return nil, errors.New("private key: x does not belong to d")
	}
	return &Signer{kid: *k.ID, private: private}, nil
}

// Keys are the signer's own public key, enrolled alone.
func (s *Signer) Keys() Keys {
	return Keys{public: map[string]ed25519.PublicKey{s.kid: s.private.Public().(ed25519.PublicKey)}}
}

// Access signs an access token. It refuses what a verifier would refuse at the
// moment of issue.
func (s *Signer) Access(a Access) (string, error) {
	p := accessPayload{a.Claims.wire(), a.Authority.wire(), &a.ClientID}
	return s.sign(FamilyAccess, &p, a.Claims)
}

// Login signs a login assertion, for AudienceLogin.
func (s *Signer) Login(l Login) (string, error) {
	return s.sign(FamilyLogin, &loginPayload{l.Claims.wire()}, l.Claims)
}

// Assertion signs a gateway's assertion, for AudienceAssertion.
func (s *Signer) Assertion(a Assertion) (string, error) {
	p := assertionPayload{a.Claims.wire(), a.Authority.wire(), &a.OperationID}
	return s.sign(FamilyAssertion, &p, a.Claims)
}

// payload is what a family's claims are on the wire.
type payload interface {
	check(t Trust, now time.Time) error
}

func (s *Signer) sign(f Family, p payload, c Claims) (string, error) {
	if err := p.check(Trust{Issuer: c.Issuer, Audience: c.Audience}, c.IssuedAt); err != nil {
		return "", fmt.Errorf("sign %s: %w", f, err)
	}
	var body bytes.Buffer
	claims := json.NewEncoder(&body)
	claims.SetEscapeHTML(false) // no page shows a token, and its length is bounded
	if err := claims.Encode(p); err != nil {
		return "", fmt.Errorf("sign %s: %w", f, err)
	}
	header := jws.NewHeaders()
	for name, value := range map[string]string{jws.KeyIDKey: s.kid, jws.TypeKey: string(f)} {
		if err := header.Set(name, value); err != nil {
			return "", fmt.Errorf("sign %s: %w", f, err)
		}
	}
	compact, err := jws.Sign(bytes.TrimSpace(body.Bytes()), jws.WithKey(jwa.EdDSA, s.private, jws.WithProtectedHeaders(header)))
	if err != nil {
		return "", fmt.Errorf("sign %s: %w", f, err)
	}
	if len(compact) > maxToken {
		return "", fmt.Errorf("sign %s: longer than %d bytes", f, maxToken)
	}
	return string(compact), nil
}
