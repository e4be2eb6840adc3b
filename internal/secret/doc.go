// Package secret makes the secrets that a service hands out once and keeps only
// the digest of: tokens for programs and cookies for browsers.
//
// Each kind has a prefix of its own, by which a leaked one is found, and at
// least 160 random bits, so that a fast digest is as hard to invert as a slow
// one. A secret is looked up by its digest: what a comparison in an index could
// tell by its time is about the digest, of which nothing can be computed back.
package secret
