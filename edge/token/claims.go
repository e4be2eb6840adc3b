package token

import (
	"time"
)

// Identity is who a person is to the identity provider: the exact triple that
// an account is bound to. All three are required.
type Identity struct {
	Issuer     string // identity_issuer
	Subject    string // identity_subject
	VopersonID string // identity_voperson_id
}

// Claims are what every family carries (contract E-23).
type Claims struct {
	Issuer   string    // iss: who signed
	Audience string    // aud: whom it is for, exactly
	Subject  string    // sub
	ID       string    // jti
	IssuedAt time.Time // iat, in whole seconds
	Expires  time.Time // exp, in whole seconds; the token is no longer valid then
	Identity Identity
}

// Authority is what a Party may do (contract E-23).
type Authority struct {
	Party       string   // party_id
	AuthVersion int64    // auth_version, from 1: the generation of the Party's authority
	Scopes      []string // scope: sorted, each once
}

// Access is the token by which a client of the broker calls a gateway.
type Access struct {
	Claims
	Authority
	ClientID string // client_id
}

// Login is the token by which the broker asks an API who an identity is.
type Login struct{ Claims }

// Assertion is the token by which a gateway calls one operation of an API.
type Assertion struct {
	Claims
	Authority
	OperationID string // operation_id: the only operation that it is for
}

// common are the members that every family has on the wire. Pointers tell a
// member that is missing or null from one that is empty.
type common struct {
	Issuer           *string `json:"iss"`
	Audience         *string `json:"aud"`
	Subject          *string `json:"sub"`
	IssuedAt         *int64  `json:"iat"`
	Expires          *int64  `json:"exp"`
	ID               *string `json:"jti"`
	IdentityIssuer   *string `json:"identity_issuer"`
	IdentitySubject  *string `json:"identity_subject"`
	IdentityVoperson *string `json:"identity_voperson_id"`
}

// authority are the members that name a Party and its scopes on the wire.
type authority struct {
	Party       *string `json:"party_id"`
	AuthVersion *int64  `json:"auth_version"`
	Scope       *string `json:"scope"`
}

// The payloads, exactly.
type (
	accessPayload struct {
		common
		authority
		ClientID *string `json:"client_id"`
	}
	loginPayload     struct{ common }
	assertionPayload struct {
		common
		authority
		OperationID *string `json:"operation_id"`
	}
)

func (c Claims) wire() common {
	issued, expires := c.IssuedAt.Unix(), c.Expires.Unix()
	return common{
		Issuer: &c.Issuer, Audience: &c.Audience, Subject: &c.Subject, ID: &c.ID, IssuedAt: &issued, Expires: &expires,
		IdentityIssuer: &c.Identity.Issuer, IdentitySubject: &c.Identity.Subject, IdentityVoperson: &c.Identity.VopersonID,
	}
}

func (a Authority) wire() authority {
	scope := joinScopes(a.Scopes)
	return authority{Party: &a.Party, AuthVersion: &a.AuthVersion, Scope: &scope}
}

// claims are the checked members as values.
func (c common) claims() Claims {
	return Claims{
		Issuer: *c.Issuer, Audience: *c.Audience, Subject: *c.Subject, ID: *c.ID,
		IssuedAt: time.Unix(*c.IssuedAt, 0).UTC(), Expires: time.Unix(*c.Expires, 0).UTC(),
		Identity: Identity{Issuer: *c.IdentityIssuer, Subject: *c.IdentitySubject, VopersonID: *c.IdentityVoperson},
	}
}

// authority are the checked members as values.
func (a authority) authority() Authority {
	return Authority{Party: *a.Party, AuthVersion: *a.AuthVersion, Scopes: splitScopes(*a.Scope)}
}
