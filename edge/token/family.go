package token

import "time"

// Family is what a token is for: the value of its header's typ.
type Family string

// The families (contract E-22).
const (
	FamilyAccess    Family = "at+jwt"                   // broker to gateway, RFC 9068's typ
	FamilyLogin     Family = "pharos-mcp-login+jwt"     // broker to API
	FamilyAssertion Family = "pharos-mcp-assertion+jwt" // gateway to API
)

// The audiences of the families that are for an API. An access token's is the
// exact URL of the resource that the gateway serves.
const (
	AudienceLogin     = "pharos-api-mcp-login:v1"
	AudienceAssertion = "pharos-api-mcp:v1"
)

// The longest lifetimes, from iat to exp.
const (
	LifetimeAccess    = 600 * time.Second
	LifetimeLogin     = 30 * time.Second
	LifetimeAssertion = 30 * time.Second
)

// skew is how far in the future an iat may lie: clocks differ.
const skew = 5 * time.Second

// The bounds of a token and of each text in it, in bytes.
const (
	maxToken = 4096
	maxText  = 512
)

// lifetime is the longest lifetime of a token of the family.
func (f Family) lifetime() time.Duration {
	if f == FamilyAccess {
		return LifetimeAccess
	}
	return LifetimeLogin // an assertion's is the same
}
