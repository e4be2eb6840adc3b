// Package broker is the OAuth 2.1 authorization server: it lets a person grant
// an MCP client scopes of the platform, and issues the access tokens that a
// gateway takes.
//
// A browser comes to /authorize with a client's request and is asked for
// consent. Approved, it goes to the upstream OpenID provider and comes back to
// /callback with an identity, which the platform resolves to a Party. The
// client redeems the code at /token and refreshes there; each refresh asks the
// platform again. Clients register themselves (RFC 7591) or are known by the
// URL of their metadata document.
//
// Invariants: a code and an upstream answer are used once; a second use of a
// code, or of a refresh token outside its window of grace, ends the grant with
// all its tokens. Nothing is consumed before the client is known, nor by a
// failure of the platform. Secrets are kept as SHA-256 digests, and what must
// be read again is sealed under a secret that is not kept.
//
// Whoever floods it fills nothing: what waits for a person, what registers
// itself and what is fetched are bounded by address and in all, bodies in bytes
// and time. A peer that fails costs an answer that says when to try again.
//
// Tables: broker.client, registration, request, authorization_grant, code,
// refresh_token.
package broker
