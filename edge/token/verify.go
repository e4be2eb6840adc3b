package token

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/lestrrat-go/jwx/v2/jwa"
	"github.com/lestrrat-go/jwx/v2/jws"
	"github.com/pharos-mcp/pharos/internal/strictjson"
)

// ErrInvalid is what every refusal wraps. Its text is all that a caller may
// see; the text around it is for logs and names no value of the token.
var ErrInvalid = errors.New("the token is not valid")

// Trust is what a verifier expects of one family: who signs, with which keys,
// for whom.
type Trust struct {
	Keys     Keys
	Issuer   string           // the only accepted iss
	Audience string           // the only accepted aud
	Now      func() time.Time // the clock; nil is time.Now
}

// Access verifies an access token.
func (t Trust) Access(compact string) (Access, error) {
	var p accessPayload
	if err := t.verify(FamilyAccess, compact, &p); err != nil {
		return Access{}, err
	}
	return Access{p.claims(), p.authority.authority(), *p.ClientID}, nil
}

// Login verifies a login assertion. That it is used once only (contract E-26)
// is the caller's to keep, by Claims.ID until Claims.Expires.
func (t Trust) Login(compact string) (Login, error) {
	var p loginPayload
	if err := t.verify(FamilyLogin, compact, &p); err != nil {
		return Login{}, err
	}
	return Login{p.claims()}, nil
}

// Assertion verifies a gateway's assertion. That OperationID is the operation
// being called is the caller's to check.
func (t Trust) Assertion(compact string) (Assertion, error) {
	var p assertionPayload
	if err := t.verify(FamilyAssertion, compact, &p); err != nil {
		return Assertion{}, err
	}
	return Assertion{p.claims(), p.authority.authority(), *p.OperationID}, nil
}

// verify decodes a token of the family into p and judges all of it.
func (t Trust) verify(f Family, compact string, p payload) error {
	if err := t.open(f, compact, p); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrInvalid, f, err)
	}
	return nil
}

func (t Trust) open(f Family, compact string, p payload) error {
	header, body, err := split(compact)
	if err != nil {
		return err
	}
	if err := t.checkSignature(f, compact, header); err != nil {
		return err
	}
	if err := strictjson.Exact(body, p); err != nil {
		return fmt.Errorf("claims: %w", err)
	}
	now := time.Now
	if t.Now != nil {
		now = t.Now
	}
	return p.check(t, now())
}

// checkSignature finds the enrolled key that the header names and verifies
// with it, and with no other.
func (t Trust) checkSignature(f Family, compact string, text []byte) error {
	var header struct {
		Algorithm *string `json:"alg"`
		KeyID     *string `json:"kid"`
		Type      *string `json:"typ"`
	}
	if err := strictjson.Exact(text, &header); err != nil {
		return fmt.Errorf("header: %w", err)
	}
	if header.Type == nil || *header.Type != string(f) {
		return errors.New("typ is another family")
	}
	if header.Algorithm == nil || *header.Algorithm != jwa.EdDSA.String() {
		return errors.New("alg is not the enrolled key's")
	}
	if header.KeyID == nil {
		return errors.New("kid is missing")
	}
	key, enrolled := t.Keys.public[*header.KeyID]
	if !enrolled {
		return errors.New("kid is not enrolled")
	}
	if _, err := jws.Verify([]byte(compact), jws.WithCompact(), jws.WithKey(jwa.EdDSA, key)); err != nil {
		return errors.New("the signature does not verify")
	}
	return nil
}

// split takes a compact JWS apart and decodes its header and payload. It
// accepts the one canonical spelling of the bytes: base64url without padding,
// line breaks or loose bits.
func split(compact string) (header, body []byte, err error) {
	if len(compact) > maxToken {
		return nil, nil, fmt.Errorf("longer than %d bytes", maxToken)
	}
	for i := range len(compact) {
		if c := compact[i]; c != '.' && !isBase64URL(c) {
			return nil, nil, errors.New("not in base64url")
		}
	}
	parts := strings.Split(compact, ".")
	if len(parts) != 3 {
		return nil, nil, errors.New("not three parts")
	}
	var decoded [3][]byte
	for i, part := range parts {
		if decoded[i], err = base64.RawURLEncoding.Strict().DecodeString(part); err != nil {
			return nil, nil, fmt.Errorf("part %d is not canonical base64url", i+1)
		}
	}
	return decoded[0], decoded[1], nil
}

func isBase64URL(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_'
}
