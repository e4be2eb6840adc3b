// Package token mints and verifies the three families of signed tokens by
// which authority travels: from the broker to a gateway (Access), from the
// broker to an API (Login) and from a gateway to an API (Assertion).
//
// A token is a JWS in compact form (RFC 7515) under an Ed25519 key (RFC 8037)
// that the verifier's operator enrolled in a file; no key is ever fetched.
// Families differ by the header's typ, the audience and the claims, and none
// can pass for another. Parsing is exact: a member twice, unknown, in other
// letter case or null, another spelling of the same bytes, bytes before or
// behind, all are refused (contract E-22 to E-25).
//
// Every failure is ErrInvalid to the caller of an API; the reason that Verify
// gives is for logs.
package token
