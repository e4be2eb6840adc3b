package secret

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"hash/crc32"
	"strings"
)

// Token is a kind of tokens, which people paste into programs: the prefix, the
// random bits, then the CRC-32 of both, so that a scanner can tell a token from
// what looks like one, and most mistakes are refused without asking a database.
// Its text has small letters, digits and underscores only.
type Token struct {
	Prefix string
	Bytes  int // random ones; 20 are 160 bits
}

var (
	text      = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)
	sumLength = text.EncodedLen(crc32.Size)
)

// New makes a token.
func (t Token) New() string {
	body := t.Prefix + text.EncodeToString(random(t.Bytes))
	return body + sum(body)
}

// Is reports whether a text has the form and the checksum of such a token.
func (t Token) Is(s string) bool {
	if len(s) != len(t.Prefix)+text.EncodedLen(t.Bytes)+sumLength || !strings.HasPrefix(s, t.Prefix) {
		return false
	}
	body := s[:len(s)-sumLength]
	return sum(body) == s[len(body):]
}

func sum(body string) string {
	n := crc32.ChecksumIEEE([]byte(body))
	return text.EncodeToString([]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)})
}

// Cookie is the prefix of a kind of cookies: 256 random bits follow it.
type Cookie string

// New makes a cookie's value.
func (c Cookie) New() string {
	return string(c) + base64.RawURLEncoding.EncodeToString(random(sha256.Size))
}

// Is reports whether a text has the form of such a cookie's value.
func (c Cookie) Is(s string) bool {
	body, ok := strings.CutPrefix(s, string(c))
	b, err := base64.RawURLEncoding.Strict().DecodeString(body)
	return ok && err == nil && len(b) == sha256.Size
}

// Digest is what is kept of a secret: its SHA-256.
func Digest(secret string) []byte {
	d := sha256.Sum256([]byte(secret))
	return d[:]
}

func random(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // it never fails
	return b
}
