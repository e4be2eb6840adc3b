package access

import (
	"bytes"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/edge/token"
	catalog "github.com/pharos-mcp/pharos/generated/platform"
)

func keys(t *testing.T, seed byte) token.Keys {
	t.Helper()
	_, enrolment, err := token.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{seed}, 64)))
	if err != nil {
		t.Fatal(err)
	}
	k, err := token.ParseKeys(enrolment)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// clause: E-25
func TestBrokerAndGatewayHaveKeysOfTheirOwn(t *testing.T) {
	t.Parallel()
	c := Config{Catalog: catalog.Catalog(), Delegation: Delegation{
		Broker: Signer{"https://agents.example.org", keys(t, 1)}, Gateway: Signer{"https://agents.example.org/gateway", keys(t, 2)},
	}}
	if _, err := New(c); err != nil {
		t.Error(err)
	}
	c.Delegation.Gateway.Keys, c.Origin = keys(t, 1), "http://platform.example"
	_, err := New(c)
	if err == nil || !strings.Contains(err.Error(), "delegation: the gateway's key") || !strings.Contains(err.Error(), "origin: ") {
		t.Errorf("the same key for both, and a bad origin: %v", err)
	}
}

// Where nobody is trusted, a token says nothing.
func TestNobodyIsTrusted(t *testing.T) {
	t.Parallel()
	s := newService(t)
	private, _, err := token.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{1}, 64)))
	if err != nil {
		t.Fatal(err)
	}
	signer, err := token.ParseSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	now := s.time().Truncate(1e9)
	compact, err := signer.Login(token.Login{Claims: token.Claims{
		Issuer: "i", Audience: token.AudienceLogin, Subject: "s", ID: "1", IssuedAt: now, Expires: now.Add(token.LifetimeLogin),
		Identity: token.Identity{Issuer: "i", Subject: "s", VopersonID: "v"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.broker.Login(compact); err == nil {
		t.Errorf("taken: %+v", got)
	}
}
