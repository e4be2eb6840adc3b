package access

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"hash/crc32"
	"strings"
)

// tokenPrefix begins every personal access token.
const tokenPrefix = "pharos_pat_"

// The parts of a token after its prefix: 256 random bits, then the CRC-32 of
// prefix and secret, so that a scanner can tell a token from what looks like
// one, and we refuse most mistakes without asking the database.
const (
	secretLength = 52
	sumLength    = 7
)

var tokenText = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// newToken makes the text of a personal access token.
func newToken() string {
	body := tokenPrefix + tokenText.EncodeToString(random())
	return body + tokenSum(body)
}

func tokenSum(body string) string {
	sum := crc32.ChecksumIEEE([]byte(body))
	return tokenText.EncodeToString([]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)})
}

// isToken reports whether a text has the form and the checksum of a token.
func isToken(text string) bool {
	if len(text) != len(tokenPrefix)+secretLength+sumLength || !strings.HasPrefix(text, tokenPrefix) {
		return false
	}
	body := text[:len(text)-sumLength]
	return tokenSum(body) == text[len(body):]
}

// cookiePrefix begins the secret of every session, by which a leaked one is
// found.
const cookiePrefix = "pharos_session_"

// newCookie makes the secret of a session.
func newCookie() string { return cookiePrefix + base64.RawURLEncoding.EncodeToString(random()) }

// isCookie reports whether a text has the form of a session's secret.
func isCookie(text string) bool {
	secret, ok := strings.CutPrefix(text, cookiePrefix)
	b, err := base64.RawURLEncoding.Strict().DecodeString(secret)
	return ok && err == nil && len(b) == sha256.Size
}

// csrfOf derives what a page must show beside the cookie of its session. Only
// who was told it by the session's own answers knows it.
func csrfOf(cookie string) string {
	mac := hmac.New(sha256.New, []byte(cookie))
	mac.Write([]byte("pharos csrf v1"))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// digestOf is what is kept of a secret. It has 256 random bits, so that no
// slower digest would be harder to invert.
func digestOf(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// random gives 256 random bits.
func random() []byte {
	b := make([]byte, sha256.Size)
	_, _ = rand.Read(b) // it never fails
	return b
}
