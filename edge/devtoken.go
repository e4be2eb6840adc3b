package edge

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
)

// The modes of Authentication.
const (
	modeToken     = "token"
	modeAnonymous = "anonymous"
	modeOAuth     = "oauth"
)

// maxSecret bounds a secret file.
const maxSecret = 16 << 10

// DevToken authenticates whoever knows one shared token. It is for development
// and for single users: the token does not expire and names nobody.
type DevToken struct {
	digest [sha256.Size]byte
	scopes []string
}

// madePrefix begins a token that was made at start, by which a leaked one is
// found.
const madePrefix = "pharos_edge_"

// minToken is the least length of a token: 16 characters of base32 are 80 bits.
const minToken = 16

// NewDevToken returns an authenticator for the token, which grants the scopes.
func NewDevToken(token string, scopes []string) (*DevToken, error) {
	if len(token) < minToken || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, errors.New("a token is at least 16 visible ASCII characters")
	}
	return &DevToken{sha256.Sum256([]byte(token)), scopes}, nil
}

// Authenticate compares in a time that tells nothing of the token.
func (d *DevToken) Authenticate(r *http.Request) (*Principal, error) {
	token, given := Bearer(r)
	if !given {
		return nil, &Refusal{
			Status: http.StatusUnauthorized, Challenge: Challenge{Scopes: d.scopes}.String(),
			Message: "a bearer token is needed",
		}
	}
	digest := sha256.Sum256([]byte(token))
	if subtle.ConstantTimeCompare(digest[:], d.digest[:]) != 1 {
		return nil, &Refusal{
			Status:    http.StatusUnauthorized,
			Challenge: Challenge{Error: "invalid_token", Scopes: d.scopes}.String(),
			Message:   "the bearer token is not valid",
		}
	}
	return &Principal{Subject: "development", Scopes: d.scopes}, nil
}

// ResourceMetadata is empty: no authorization server issues this token.
func (d *DevToken) ResourceMetadata() string { return "" }

// Anonymous grants its scopes to every caller on the loopback interface. A
// connection that arrives at any other address is refused, whatever listener
// the handler was put behind.
type Anonymous struct{ Scopes []string }

// Authenticate admits local connections.
func (a Anonymous) Authenticate(r *http.Request) (*Principal, error) {
	addr, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !loopbackAddr(addr) {
		return nil, &Refusal{Status: http.StatusForbidden, Message: "callers without a token are served on loopback only"}
	}
	return &Principal{Subject: "anonymous", Scopes: a.Scopes}, nil
}

// ResourceMetadata is empty: nobody issues tokens here.
func (Anonymous) ResourceMetadata() string { return "" }

func loopbackAddr(addr net.Addr) bool {
	tcp, ok := addr.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// authenticator makes what the configuration asks for. The token is returned
// only if it was made here and must be printed.
func (a Authentication) authenticator(scopes []string) (auth Authenticator, token string, err error) {
	if len(a.Scopes) > 0 {
		scopes = a.Scopes
	}
	switch a.Mode {
	case modeAnonymous:
		return Anonymous{scopes}, "", nil
	case modeOAuth:
		if len(a.Scopes) == 0 {
			scopes = slices.DeleteFunc(slices.Clone(scopes), func(s string) bool { return strings.HasSuffix(s, ":admin") })
		}
		auth, err = a.Broker.authenticator(scopes)
		return auth, "", err
	}
	if a.TokenFile == "" {
		token = madePrefix + rand.Text()
		auth, err = NewDevToken(token, scopes)
		return auth, token, err
	}
	secret, err := readSecret(a.TokenFile)
	if err != nil {
		return nil, "", err
	}
	auth, err = NewDevToken(secret, scopes)
	return auth, "", err
}

// readSecret reads a secret file: one line, which may end in a line feed.
func readSecret(file string) (string, error) {
	info, err := os.Stat(file)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > maxSecret {
		return "", errors.New("a secret file is a regular file of at most 16 KiB")
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	secret := strings.TrimSuffix(strings.TrimSuffix(string(data), "\n"), "\r")
	if secret == "" {
		return "", errors.New("the secret file is empty")
	}
	if strings.ContainsFunc(secret, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return "", errors.New("the secret file holds more than one line")
	}
	if strings.TrimSpace(strings.TrimPrefix(secret, "\uFEFF")) != secret {
		return "", errors.New("the secret begins or ends with white space or a byte order mark")
	}
	return secret, nil
}
