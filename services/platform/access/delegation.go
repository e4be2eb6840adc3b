package access

import (
	"fmt"
	"time"

	"github.com/pharos-mcp/pharos/edge/token"
)

// Signer is somebody whose tokens are believed: under one issuer, by the keys
// that are enrolled here. Of the zero Signer nothing is.
type Signer struct {
	Issuer string
	Keys   token.Keys
}

// Delegation says who speaks for people: the broker, which asks who an identity
// is, and the gateway, which calls operations in somebody's name. Neither may
// sign as the other (contract E-25). Its zero value lets nobody do so.
type Delegation struct {
	Broker, Gateway Signer
}

func (d Delegation) check() error {
	if err := token.Disjoint(d.Broker.Keys, d.Gateway.Keys); err != nil {
		return fmt.Errorf("delegation: %w", err)
	}
	return nil
}

func (s Signer) trust(audience string, now func() time.Time) token.Trust {
	return token.Trust{Keys: s.Keys, Issuer: s.Issuer, Audience: audience, Now: now}
}
