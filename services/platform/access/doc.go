// Package access says who calls the platform's API and what they may ask.
//
// A caller shows exactly one credential: the cookie of a session, which a
// username and a password begin, a personal access token, or an assertion, by
// which a gateway calls one operation in somebody's name. Every request looks it
// up anew, together with the Party behind it, so that whatever changes a Party's
// authority is felt by the very next call: a Party's auth_version rises with each
// such change, and what was granted under an older one is void.
//
// The broker asks who an identity is with a login assertion, each of which is
// taken once by all instances together.
//
// Tables: credential, session, access_token and login_assertion. It reads party,
// identity, operator, aup_version and aup_acceptance, whose rules are package
// party's; of a Party it changes only what a new password does, auth_version and
// state.
//
// Secrets are stored as digests only. A credential that fails is an error, never
// a reason to try the next one.
package access
