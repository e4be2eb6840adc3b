package broker

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
)

// The prefixes of secrets, by which a leaked one is found.
const (
	prefixHandle  = "pharos_ask_"     // a consent page's form
	prefixBinding = "pharos_browser_" // the cookie of that browser
	prefixState   = "pharos_state_"   // what the upstream provider brings back
	prefixCode    = "pharos_code_"
	prefixRefresh = "pharos_refresh_"
)

// newSecret makes a secret of 256 random bits.
func newSecret(prefix string) string {
	var bits [32]byte
	_, _ = rand.Read(bits[:]) // never fails
	return prefix + base64.RawURLEncoding.EncodeToString(bits[:])
}

// digest is what is kept of a secret.
func digest(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// seal encrypts a text so that only who has the secret can read it, which is
// kept nowhere beside it: AES-256-GCM under HKDF-SHA-256 (RFC 5869) of the
// secret, for one purpose.
func seal(secret, purpose, text string) ([]byte, error) {
	box, err := boxOf(secret, purpose)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, box.NonceSize())
	_, _ = rand.Read(nonce)
	return box.Seal(nonce, nonce, []byte(text), nil), nil
}

// unseal reads what seal wrote.
func unseal(secret, purpose string, sealed []byte) (string, error) {
	box, err := boxOf(secret, purpose)
	if err != nil {
		return "", err
	}
	if len(sealed) < box.NonceSize() {
		return "", errors.New("sealed text is cut")
	}
	text, err := box.Open(nil, sealed[:box.NonceSize()], sealed[box.NonceSize():], nil)
	return string(text), err
}

func boxOf(secret, purpose string) (cipher.AEAD, error) {
	key, err := hkdf.Key(sha256.New, []byte(secret), nil, "pharos broker "+purpose, 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}
