package token

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/lestrrat-go/jwx/v2/jwk"
	"github.com/pharos-mcp/pharos/internal/strictjson"
)

// maxKeys bounds an enrolment: the key in use, the next one and room for more
// than one signer.
const maxKeys = 16

// Keys are the public keys that a verifier trusts for one kind of signer, by
// kid. A key rotates by enrolling the new one beside the old one, changing the
// signer, and removing the old one when its last token has expired.
type Keys struct {
	public map[string]ed25519.PublicKey
}

// jwkPublic is a public Ed25519 key (RFC 8037) as enrolment files have it.
type jwkPublic struct {
	KeyType   *string `json:"kty"`
	Curve     *string `json:"crv"`
	X         *string `json:"x"`
	ID        *string `json:"kid"`
	Algorithm *string `json:"alg"`
	Use       *string `json:"use"`
}

// ParseKeys reads an enrolment file, a JWK set (RFC 7517) of 1 to 16 public
// Ed25519 keys, each with kty OKP, crv Ed25519, alg EdDSA, use sig and a kid
// of its own. Anything else in it is an error: a private key above all.
func ParseKeys(file []byte) (Keys, error) {
	var set struct {
		Keys *[]jwkPublic `json:"keys"`
	}
	if err := strictjson.Exact(bytes.TrimSpace(file), &set); err != nil {
		return Keys{}, fmt.Errorf("enrolled keys: %w", err)
	}
	if set.Keys == nil || len(*set.Keys) == 0 || len(*set.Keys) > maxKeys {
		return Keys{}, fmt.Errorf("enrolled keys: keys must list 1 to %d public keys", maxKeys)
	}
	keys := Keys{public: map[string]ed25519.PublicKey{}}
	known := map[string]string{} // public key → kid
	for i, k := range *set.Keys {
		public, err := k.public()
		if err != nil {
			return Keys{}, fmt.Errorf("enrolled keys: keys[%d]: %w", i, err)
		}
		if _, twice := keys.public[*k.ID]; twice {
			return Keys{}, fmt.Errorf("enrolled keys: keys[%d]: kid %q stands twice", i, *k.ID)
		}
		if other, twice := known[string(public)]; twice {
			return Keys{}, fmt.Errorf("enrolled keys: keys[%d]: the same key as kid %q", i, other)
		}
		keys.public[*k.ID], known[string(public)] = public, *k.ID
	}
	return keys, nil
}

func (k jwkPublic) public() (ed25519.PublicKey, error) {
	for _, member := range []struct {
		name, want string
		value      *string
	}{{"kty", "OKP", k.KeyType}, {"crv", "Ed25519", k.Curve}, {"alg", "EdDSA", k.Algorithm}, {"use", "sig", k.Use}} {
		if member.value == nil || *member.value != member.want {
			return nil, fmt.Errorf("%s must be %q", member.name, member.want)
		}
	}
	if err := checkText("kid", k.ID); err != nil {
		return nil, err
	}
	if k.X == nil {
		return nil, errors.New("x is missing")
	}
	x, err := base64.RawURLEncoding.Strict().DecodeString(*k.X)
	if err != nil || len(x) != ed25519.PublicKeySize {
		return nil, fmt.Errorf("x must be %d bytes in base64url", ed25519.PublicKeySize)
	}
	return x, nil
}

// Disjoint returns an error when one key, by its thumbprint (RFC 7638), is
// among both: a broker must not be able to sign as a gateway, nor a gateway as
// a broker (contract E-25).
func Disjoint(broker, gateway Keys) error {
	prints := map[string]string{}
	for kid, key := range broker.public {
		prints[thumbprint(key)] = kid
	}
	for kid, key := range gateway.public {
		if other, both := prints[thumbprint(key)]; both {
			return fmt.Errorf(
				"the gateway's key %q is the broker's key %q; make another with pharos keygen", kid, other)
		}
	}
	return nil
}

// thumbprint identifies a key whatever its kid is.
func thumbprint(public ed25519.PublicKey) string {
	key, err := jwk.FromRaw(public)
	if err != nil {
		panic(err) // 32 bytes always make a key
	}
	sum, err := key.Thumbprint(thumbprintHash)
	if err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(sum)
}

// JWKS is the keys as a JWK set, as an enrolment file has it, sorted by kid.
// Verifiers of pharos read files and never fetch it.
func (k Keys) JWKS() ([]byte, error) {
	set := map[string][]jwkPublic{"keys": {}}
	for _, kid := range slices.Sorted(maps.Keys(k.public)) {
		set["keys"] = append(set["keys"], jwkOf(kid, k.public[kid]))
	}
	return json.MarshalIndent(set, "", "  ")
}

func jwkOf(kid string, public ed25519.PublicKey) jwkPublic {
	text := func(s string) *string { return &s }
	return jwkPublic{
		KeyType: text("OKP"), Curve: text("Ed25519"), Algorithm: text("EdDSA"), Use: text("sig"),
		ID: &kid, X: text(base64.RawURLEncoding.EncodeToString(public)),
	}
}
