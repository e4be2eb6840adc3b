package token_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/token"
)

// aClaim is what every right token carries.
func aClaim(issuer, audience string, lifetime time.Duration) token.Claims {
	return token.Claims{
		Issuer: issuer, Audience: audience, Subject: "party-1", ID: "j-1", IssuedAt: now, Expires: now.Add(lifetime),
		Identity: token.Identity{Issuer: "https://id.example.org", Subject: "s-1", VopersonID: "V1@example.org"},
	}
}

func anAccess() token.Access {
	return token.Access{
		Claims:    aClaim(brokerIssuer, resource, token.LifetimeAccess),
		Authority: token.Authority{Party: "p-1", AuthVersion: 1, Scopes: []string{"runs:read", "support:write"}},
		ClientID:  "https://client.example.org/metadata.json",
	}
}

func anAssertion() token.Assertion {
	return token.Assertion{
		Claims:      aClaim(gatewayIssuer, token.AudienceAssertion, token.LifetimeAssertion),
		Authority:   anAccess().Authority,
		OperationID: "getRun",
	}
}

// TestSignLong signs the longest client id and identity, of characters that
// JSON for a page would spell with six.
//
// clause: E-22
func TestSignLong(t *testing.T) {
	t.Parallel()
	broker, want := newParty(t, 1), anAccess()
	want.ClientID = "https://client.example.org/?" + strings.Repeat("&", 512-len("https://client.example.org/?"))
	want.Identity.Subject, want.Identity.VopersonID = strings.Repeat("<", 512), strings.Repeat(">", 512)
	compact, err := broker.signer.Access(want)
	if err != nil {
		t.Fatal(err)
	}
	trust := token.Trust{Keys: broker.keys, Issuer: brokerIssuer, Audience: resource, Now: func() time.Time { return now }}
	access, err := trust.Access(compact)
	if diff := cmp.Diff(want, access); err != nil || diff != "" {
		t.Errorf("error %v, difference %s", err, diff)
	}
}

// TestSign sees that what is signed comes back as it was.
//
// clause: E-22, E-23
func TestSign(t *testing.T) {
	t.Parallel()
	broker, gateway := newParty(t, 1), newParty(t, 2)
	clock := func() time.Time { return now }
	compact, err := broker.signer.Access(anAccess())
	if err != nil {
		t.Fatal(err)
	}
	access, err := token.Trust{Keys: broker.keys, Issuer: brokerIssuer, Audience: resource, Now: clock}.Access(compact)
	if diff := cmp.Diff(anAccess(), access); err != nil || diff != "" {
		t.Errorf("access: error %v, difference %s", err, diff)
	}
	want := token.Login{Claims: aClaim(brokerIssuer, token.AudienceLogin, token.LifetimeLogin)}
	if compact, err = broker.signer.Login(want); err != nil {
		t.Fatal(err)
	}
	login, err := token.Trust{Keys: broker.signer.Keys(), Issuer: brokerIssuer, Audience: token.AudienceLogin, Now: clock}.Login(compact)
	if diff := cmp.Diff(want, login); err != nil || diff != "" {
		t.Errorf("login: error %v, difference %s", err, diff)
	}
	if compact, err = gateway.signer.Assertion(anAssertion()); err != nil {
		t.Fatal(err)
	}
	trust := token.Trust{Keys: gateway.keys, Issuer: gatewayIssuer, Audience: token.AudienceAssertion, Now: clock}
	assertion, err := trust.Assertion(compact)
	if diff := cmp.Diff(anAssertion(), assertion); err != nil || diff != "" {
		t.Errorf("assertion: error %v, difference %s", err, diff)
	}
}

// TestSignRefuses sees that nothing is signed which its verifier would refuse.
//
// clause: E-22, E-24
func TestSignRefuses(t *testing.T) {
	t.Parallel()
	signer := newParty(t, 1).signer
	for name, change := range map[string]func(*token.Access){
		"no issuer":       func(a *token.Access) { a.Issuer = "" },
		"no client":       func(a *token.Access) { a.ClientID = "" },
		"no voperson":     func(a *token.Access) { a.Identity.VopersonID = "" },
		"not UTF-8":       func(a *token.Access) { a.Subject = "\xff" },
		"too long a life": func(a *token.Access) { a.Expires = a.IssuedAt.Add(601 * time.Second) },
		"no life":         func(a *token.Access) { a.Expires = a.IssuedAt },
		"no scope":        func(a *token.Access) { a.Scopes = nil },
		"unsorted scopes": func(a *token.Access) { a.Scopes = []string{"support:write", "runs:read"} },
		"no generation":   func(a *token.Access) { a.AuthVersion = 0 },
		"too long a text": func(a *token.Access) { a.Subject = strings.Repeat("a", 513) },
		"too long in all": func(a *token.Access) {
			long := strings.Repeat("a", 512)
			a.Subject, a.ID, a.ClientID, a.Party, a.Identity = long, long, long, long, token.Identity{Issuer: long, Subject: long, VopersonID: long}
		},
	} {
		a := anAccess()
		change(&a)
		if compact, err := signer.Access(a); err == nil {
			t.Errorf("%s: signed %s", name, compact)
		}
	}
}
