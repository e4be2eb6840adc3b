package main

import (
	"crypto/rand"
	"time"

	"github.com/pharos-mcp/pharos/edge/token"
)

// parties are a broker, a gateway, an API that trusts them, and somebody who
// calls.
type parties struct {
	brokerKeys []byte // enrolment file
	gatewayKey []byte // private key file
	gateway    *token.Signer
	caller     string // an access token
	atGateway  token.Trust
	atAPI      token.Trust
}

// The names that they have for one another.
const (
	brokerIssuer = "https://agents.example.org"
	mcpResource  = "https://agents.example.org/mcp" // the gateway's name, too
)

func newParties() (p parties, err error) {
	var brokerKey []byte
	if brokerKey, p.brokerKeys, err = token.GenerateKey(rand.Reader); err != nil {
		return p, err
	}
	if p.gatewayKey, _, err = token.GenerateKey(rand.Reader); err != nil {
		return p, err
	}
	broker, err := token.ParseSigner(brokerKey)
	if err != nil {
		return p, err
	}
	if p.gateway, err = token.ParseSigner(p.gatewayKey); err != nil {
		return p, err
	}
	p.atGateway = token.Trust{Keys: broker.Keys(), Issuer: brokerIssuer, Audience: mcpResource}
	p.atAPI = token.Trust{Keys: p.gateway.Keys(), Issuer: mcpResource, Audience: token.AudienceAssertion}
	p.caller, err = broker.Access(accessToken())
	return p, err
}

// accessToken is one as brokers issue it.
func accessToken() token.Access {
	now := time.Now()
	const party = "5b2f5b1a-6f38-4a52-8f86-8d5a3c2a9b10"
	return token.Access{
		Claims: token.Claims{
			Issuer: brokerIssuer, Audience: mcpResource, Subject: party, ID: rand.Text(),
			IssuedAt: now, Expires: now.Add(token.LifetimeAccess),
			Identity: token.Identity{
				Issuer: "https://login.example.org/realms/people", Subject: "0b9fd3a5-3d0c-4a3d-9b11-1f0f9a1c7f2e", VopersonID: "ada@example.org",
			},
		},
		Authority: token.Authority{Party: party, AuthVersion: 7, Scopes: []string{"petstore:read", "petstore:write"}},
		ClientID:  "https://desk.example.org/client.json",
	}
}

// call is what authority takes for one call at gateway and API: the access token
// is verified, an assertion is made of it, and that is verified.
func (p parties) call() error {
	access, err := p.atGateway.Access(p.caller)
	if err != nil {
		return err
	}
	compact, err := p.assert(access)
	if err != nil {
		return err
	}
	_, err = p.atAPI.Assertion(compact)
	return err
}

func (p parties) assert(access token.Access) (string, error) {
	now := time.Now()
	return p.gateway.Assertion(token.Assertion{
		Claims: token.Claims{
			Issuer: mcpResource, Audience: token.AudienceAssertion, Subject: access.Subject, ID: rand.Text(),
			IssuedAt: now, Expires: now.Add(token.LifetimeAssertion), Identity: access.Identity,
		},
		Authority: access.Authority, OperationID: "getPet",
	})
}
