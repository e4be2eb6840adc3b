package access

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"

	"github.com/pharos-mcp/pharos/internal/secret"
)

// tokenForm is that of personal access tokens, of 256 random bits.
var tokenForm = secret.Token{Prefix: "pharos_pat_", Bytes: 32}

// cookieForm is that of the secrets of sessions.
const cookieForm = secret.Cookie("pharos_session_")

// csrfOf derives what a page must show beside the cookie of its session. Only
// who was told it by the session's own answers knows it.
func csrfOf(cookie string) string {
	mac := hmac.New(sha256.New, []byte(cookie))
	mac.Write([]byte("pharos csrf v1"))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}
