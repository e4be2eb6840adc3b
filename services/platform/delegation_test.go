package platform_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/token"
	"github.com/pharos-mcp/pharos/services/platform/access"
	"github.com/pharos-mcp/pharos/services/platform/party"
)

const (
	brokerIssuer  = "https://agents.example.org"
	gatewayIssuer = "https://agents.example.org/gateway"
)

// signer is a broker or a gateway.
type signer struct {
	*token.Signer
	issuer, kid string
	private     ed25519.PrivateKey
}

// newSigner makes a signer whose key grows from one byte.
func newSigner(issuer string, seed byte) signer {
	text, _, err := token.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{seed}, 64)))
	if err != nil {
		panic(err)
	}
	s := signer{issuer: issuer}
	if s.Signer, err = token.ParseSigner(text); err != nil {
		panic(err)
	}
	var file struct{ Kid, D string }
	if err := json.Unmarshal(text, &file); err != nil {
		panic(err)
	}
	key, err := base64.RawURLEncoding.DecodeString(file.D)
	if err != nil {
		panic(err)
	}
	s.kid, s.private = file.Kid, ed25519.NewKeyFromSeed(key)
	return s
}

var broker, gateway = newSigner(brokerIssuer, 1), newSigner(gatewayIssuer, 2)

// delegation believes those two.
func delegation() access.Delegation {
	return access.Delegation{
		Broker:  access.Signer{Issuer: brokerIssuer, Keys: broker.Keys()},
		Gateway: access.Signer{Issuer: gatewayIssuer, Keys: gateway.Keys()},
	}
}

// identityOf is the identity of a user of these tests.
func identityOf(name string) token.Identity {
	return token.Identity{Issuer: party.PasswordIssuer, Subject: name, VopersonID: name}
}

// claims are what a token of a family says.
func claims(issuer string, f token.Family, i token.Identity) token.Claims {
	c := token.Claims{Issuer: issuer, Subject: i.Subject, ID: uuid.NewString(), IssuedAt: noon, Identity: i}
	switch f {
	case token.FamilyLogin:
		c.Audience, c.Expires = token.AudienceLogin, noon.Add(token.LifetimeLogin)
	case token.FamilyAssertion:
		c.Audience, c.Expires = token.AudienceAssertion, noon.Add(token.LifetimeAssertion)
	default:
		c.Audience, c.Expires = "https://agents.example.org/mcp", noon.Add(token.LifetimeAccess)
	}
	return c
}

func must(text string, err error) string {
	if err != nil {
		panic(err)
	}
	return text
}

// login is the broker's login assertion for an identity.
func login(i token.Identity) string {
	return must(broker.Login(token.Login{Claims: claims(brokerIssuer, token.FamilyLogin, i)}))
}

// anAssertion is for an operation in the name of a user with their first
// authority.
func (d *door) anAssertion(t *testing.T, name, operation string, scopes ...string) token.Assertion {
	t.Helper()
	var id string
	if err := d.pool.QueryRow(t.Context(), "SELECT id::text FROM platform.party WHERE username = $1", name).Scan(&id); err != nil {
		t.Fatal(err)
	}
	return token.Assertion{
		Claims:      claims(gatewayIssuer, token.FamilyAssertion, identityOf(name)),
		Authority:   token.Authority{Party: id, AuthVersion: 1, Scopes: scopes},
		OperationID: operation,
	}
}

// forge signs a token whose claims are those of another of the signer's, and
// members more.
func (s signer) forge(f token.Family, compact, members string) string {
	b64 := base64.RawURLEncoding
	body, err := b64.DecodeString(strings.Split(compact, ".")[1])
	if err != nil {
		panic(err)
	}
	header := `{"alg":"EdDSA","kid":"` + s.kid + `","typ":"` + string(f) + `"}`
	signed := b64.EncodeToString([]byte(header)) + "." + b64.EncodeToString([]byte(strings.TrimSuffix(string(body), "}")+members+"}"))
	return signed + "." + b64.EncodeToString(ed25519.Sign(s.private, []byte(signed)))
}
