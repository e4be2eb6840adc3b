package access

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// The bounds of a new password, in characters.
const (
	minPassword = 12
	maxPassword = 256
)

// The work of one password: argon2id over 19 MiB in two passes, which takes a
// few hundredths of a second, and at most hashers of them at a time.
const (
	memory  = 19 << 10 // KiB
	passes  = 2
	lanes   = 1
	keySize = 32
	salt    = 16
	hashers = 2
)

// The most work that a stored password may ask for, whoever stored it.
const (
	maxMemory = 64 << 10
	maxPasses = 8
	maxLanes  = 4
)

// working bounds the memory that passwords take.
var working = make(chan struct{}, hashers)

// HashPassword makes what is stored of a password. A password that is too short,
// too long or not text is an invalid request.
func HashPassword(ctx context.Context, password string) (string, error) {
	n := utf8.RuneCountInString(password)
	if n < minPassword || n > maxPassword || !utf8.ValidString(password) {
		return "", fault.Newf(fault.Invalid, "a password has %d to %d characters", minPassword, maxPassword)
	}
	s := make([]byte, salt)
	_, _ = rand.Read(s) // it never fails
	h := hash{memory: memory, passes: passes, lanes: lanes, salt: s}
	key, err := h.of(ctx, password)
	if err != nil {
		return "", err
	}
	h.key = key
	return h.String(), nil
}

// unknown is the password of every username that does not exist. Nothing is its
// preimage.
var unknown = hash{memory: memory, passes: passes, lanes: lanes, salt: make([]byte, salt), key: make([]byte, keySize)}

// checkPassword reports whether a password is the stored one. The work is the
// same for "", which stands for an unknown username and never matches.
func checkPassword(ctx context.Context, stored, password string) (bool, error) {
	h := unknown
	if stored != "" {
		var err error
		if h, err = parseHash(stored); err != nil {
			return false, err
		}
	}
	key, err := h.of(ctx, password)
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(key, h.key) == 1 && stored != "", nil
}

// hash is a password hash in the PHC string format.
type hash struct {
	memory, passes uint32
	lanes          uint8
	salt, key      []byte
}

// of hashes a password as h says, in its turn.
func (h hash) of(ctx context.Context, password string) ([]byte, error) {
	select {
	case working <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-working }()
	return argon2.IDKey([]byte(password), h.salt, h.passes, h.memory, h.lanes, keySize), nil
}

func (h hash) String() string {
	e := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s",
		argon2.Version, h.memory, h.passes, h.lanes, e.EncodeToString(h.salt), e.EncodeToString(h.key))
}

var errHash = errors.New("a stored password is not one of ours")

func parseHash(text string) (hash, error) {
	parts := strings.Split(text, "$")
	if len(parts) != 6 {
		return hash{}, errHash
	}
	var h hash
	var err error
	if _, err = fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &h.memory, &h.passes, &h.lanes); err != nil {
		return hash{}, errHash
	}
	if h.salt, err = base64.RawStdEncoding.Strict().DecodeString(parts[4]); err != nil {
		return hash{}, errHash
	}
	if h.key, err = base64.RawStdEncoding.Strict().DecodeString(parts[5]); err != nil {
		return hash{}, errHash
	}
	bounded := h.memory >= 8 && h.memory <= maxMemory && h.passes >= 1 && h.passes <= maxPasses &&
		h.lanes >= 1 && h.lanes <= maxLanes && len(h.salt) >= 8 && len(h.key) == keySize
	if !bounded || h.String() != text {
		return hash{}, errHash
	}
	return h, nil
}
