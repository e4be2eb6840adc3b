package main

import (
	"crypto/ed25519"

	"github.com/lestrrat-go/jwx/v2/jwa"
	"github.com/lestrrat-go/jwx/v2/jwk"
	"github.com/lestrrat-go/jwx/v2/jws"

	"github.com/pharos-mcp/pharos/edge/token"
)

// signatures are what of parties.call the library must do in any case, on the
// same bytes under the same keys: two signatures are verified and one is made.
// No claim is read, and nothing else is checked.
type signatures struct {
	access, payload []byte // a token, and what an assertion says
	header          jws.Headers
	broker, gateway ed25519.PublicKey
	private         ed25519.PrivateKey
}

func (p parties) signatures() (s signatures, err error) {
	access, err := p.atGateway.Access(p.caller)
	if err != nil {
		return s, err
	}
	compact, err := p.assert(access)
	if err != nil {
		return s, err
	}
	message, err := jws.ParseString(compact)
	if err != nil {
		return s, err
	}
	key, err := jwk.ParseKey(p.gatewayKey)
	if err != nil {
		return s, err
	}
	enrolled, err := jwk.Parse(p.brokerKeys)
	if err != nil {
		return s, err
	}
	first, _ := enrolled.Key(0)
	if err := first.Raw(&s.broker); err != nil {
		return s, err
	}
	if err := key.Raw(&s.private); err != nil {
		return s, err
	}
	s.access, s.payload, s.gateway = []byte(p.caller), message.Payload(), s.private.Public().(ed25519.PublicKey)
	s.header = jws.NewHeaders()
	if err := s.header.Set(jws.KeyIDKey, key.KeyID()); err != nil {
		return s, err
	}
	return s, s.header.Set(jws.TypeKey, string(token.FamilyAssertion))
}

func (s signatures) call() error {
	if _, err := jws.Verify(s.access, jws.WithCompact(), jws.WithKey(jwa.EdDSA, s.broker)); err != nil {
		return err
	}
	compact, err := jws.Sign(s.payload, jws.WithKey(jwa.EdDSA, s.private, jws.WithProtectedHeaders(s.header)))
	if err != nil {
		return err
	}
	_, err = jws.Verify(compact, jws.WithCompact(), jws.WithKey(jwa.EdDSA, s.gateway))
	return err
}
