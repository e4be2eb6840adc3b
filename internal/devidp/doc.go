// Package devidp is an OpenID provider for development: it asks nobody for a
// password, but lets whoever looks at it choose who to be. It serves loopback
// only and refuses any other issuer, so that it cannot stand in for a real
// provider by mistake (contract E-31).
//
// It speaks what the broker needs of OpenID Connect Core 1.0 and Discovery 1.0:
// the code flow with PKCE S256 (RFC 7636), a public client, ID tokens signed
// with an Ed25519 key of its own that ends with the process, and the claim
// voperson_id. A test may make it misbehave through Fault.
package devidp
