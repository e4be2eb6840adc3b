package password

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

// The work of one password: argon2id over 19 MiB in two passes, which takes a
// few hundredths of a second.
const (
	memory   = 19 << 10 // KiB
	passes   = 2
	lanes    = 1
	keySize  = 32
	saltSize = 16
)

// The most work that a stored password may ask for, whoever stored it.
const (
	maxMemory = 64 << 10
	maxPasses = 8
	maxLanes  = 4
)

// hash is a password hash in the PHC string format.
type hash struct {
	memory, passes uint32
	lanes          uint8
	salt, key      []byte
}

// unknown is the password of every user who does not exist. Nothing is its
// preimage.
var unknown = hash{memory: memory, passes: passes, lanes: lanes, salt: make([]byte, saltSize), key: make([]byte, keySize)}

func (h hash) String() string {
	e := base64.RawStdEncoding
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s",
		argon2.Version, h.memory, h.passes, h.lanes, e.EncodeToString(h.salt), e.EncodeToString(h.key))
}

var errHash = errors.New("a stored password is not one of ours")

func parse(text string) (hash, error) {
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
