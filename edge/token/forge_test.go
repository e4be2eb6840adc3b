package token_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/edge/token"
)

// The parties to the tests.
const (
	brokerIssuer  = "https://agents.example.org"
	gatewayIssuer = "https://agents.example.org/gateway"
	resource      = "https://agents.example.org/mcp"
)

// now is the moment of every test; tokens are issued then.
var now = time.Unix(1_800_000_000, 0).UTC()

// party is somebody who signs, and what a verifier knows of it.
type party struct {
	signer  *token.Signer
	keys    token.Keys
	kid     string
	private ed25519.PrivateKey
}

// newParty makes a signer whose key grows from one byte.
func newParty(t testing.TB, seed byte) party {
	t.Helper()
	private, enrolment, err := token.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{seed}, 64)))
	if err != nil {
		t.Fatal(err)
	}
	var p party
	if p.signer, err = token.ParseSigner(private); err != nil {
		t.Fatal(err)
	}
	if p.keys, err = token.ParseKeys(enrolment); err != nil {
		t.Fatal(err)
	}
	var file struct{ Kid, D string }
	if err := json.Unmarshal(private, &file); err != nil {
		t.Fatal(err)
	}
	raw, err := base64.RawURLEncoding.DecodeString(file.D)
	if err != nil {
		t.Fatal(err)
	}
	p.kid, p.private = file.Kid, ed25519.NewKeyFromSeed(raw)
	return p
}

// forge assembles a token by hand, under a valid signature, from any header
// and any payload.
func (p party) forge(header, payload string) string {
	b64 := base64.RawURLEncoding.EncodeToString
	signed := b64([]byte(header)) + "." + b64([]byte(payload))
	return signed + "." + b64(ed25519.Sign(p.private, []byte(signed)))
}

// header is the right header of a family.
func (p party) header(f token.Family) string {
	return `{"alg":"EdDSA","kid":"` + p.kid + `","typ":"` + string(f) + `"}`
}

// members are the claims of a token in order, each as JSON.
type members [][2]string

// text writes the claims as an object.
func (ms members) text() string {
	var parts []string
	for _, m := range ms {
		parts = append(parts, `"`+m[0]+`":`+m[1])
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// with returns the claims with one set, added at the end where it is new.
func (ms members) with(name, value string) members {
	ms = slices.Clone(ms)
	for i := range ms {
		if ms[i][0] == name {
			ms[i][1] = value
			return ms
		}
	}
	return append(ms, [2]string{name, value})
}

// without returns the claims without one.
func (ms members) without(name string) members {
	return slices.DeleteFunc(slices.Clone(ms), func(m [2]string) bool { return m[0] == name })
}

// commonMembers are right for every family but for aud, iss and exp.
var commonMembers = members{
	{"iss", `"` + brokerIssuer + `"`}, {"aud", `"` + resource + `"`}, {"sub", `"party-1"`},
	{"iat", `1800000000`}, {"exp", `1800000030`}, {"jti", `"j-1"`},
	{"identity_issuer", `"https://id.example.org"`}, {"identity_subject", `"s-1"`},
	{"identity_voperson_id", `"V1@example.org"`},
}

// The right claims of each family.
var (
	accessMembers = slices.Concat(commonMembers.with("exp", `1800000600`), members{
		{"client_id", `"client-1"`}, {"party_id", `"p-1"`}, {"auth_version", `3`},
		{"scope", `"runs:read support:write"`},
	})
	loginMembers     = commonMembers.with("aud", `"`+token.AudienceLogin+`"`)
	assertionMembers = slices.Concat(
		commonMembers.with("aud", `"`+token.AudienceAssertion+`"`).with("iss", `"`+gatewayIssuer+`"`), members{
			{"operation_id", `"getRun"`}, {"party_id", `"p-1"`}, {"auth_version", `3`},
			{"scope", `"runs:read support:write"`},
		})
)

// family is one family with its right claims and how it is verified.
type family struct {
	name    token.Family
	signer  party
	claims  members
	require []string // all claims
	verify  func(string) error
}

// right is a token that must verify.
func (f family) right() string { return f.signer.forge(f.signer.header(f.name), f.claims.text()) }

// families are the three, trusted as broker, API and gateway trust them.
func families(t testing.TB) (access, login, assertion family) {
	t.Helper()
	broker, gateway := newParty(t, 1), newParty(t, 2)
	clock := func() time.Time { return now }
	trust := func(p party, issuer, audience string) token.Trust {
		return token.Trust{Keys: p.keys, Issuer: issuer, Audience: audience, Now: clock}
	}
	forResource := trust(broker, brokerIssuer, resource)
	forIdentity := trust(broker, brokerIssuer, token.AudienceLogin)
	forAPI := trust(gateway, gatewayIssuer, token.AudienceAssertion)
	access = family{token.FamilyAccess, broker, accessMembers, nil, func(s string) error {
		_, err := forResource.Access(s)
		return err
	}}
	login = family{token.FamilyLogin, broker, loginMembers, nil, func(s string) error {
		_, err := forIdentity.Login(s)
		return err
	}}
	assertion = family{token.FamilyAssertion, gateway, assertionMembers, nil, func(s string) error {
		_, err := forAPI.Assertion(s)
		return err
	}}
	for _, f := range []*family{&access, &login, &assertion} {
		for _, m := range f.claims {
			f.require = append(f.require, m[0])
		}
	}
	return access, login, assertion
}
