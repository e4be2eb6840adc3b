package password

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// The bounds of a new password, in characters.
const (
	Min = 12
	Max = 256
)

// Hasher hashes passwords, some at a time.
type Hasher struct {
	turns chan struct{}
	done  atomic.Int64
}

// New makes a Hasher of so many passwords at a time. Each takes 19 MiB while it
// is hashed.
func New(atATime int) *Hasher { return &Hasher{turns: make(chan struct{}, atATime)} }

// Hash makes what is stored of a password. A password that is too short, too
// long, not text or with control characters, which no form and no JSON may be
// able to send again, is an invalid request.
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	n := utf8.RuneCountInString(password)
	if n < Min || n > Max || !utf8.ValidString(password) {
		return "", fault.Newf(fault.Invalid, "a password has %d to %d characters", Min, Max)
	}
	if strings.ContainsFunc(password, unicode.IsControl) {
		return "", fault.New(fault.Invalid, "a password has no control characters")
	}
	salt := make([]byte, saltSize)
	_, _ = rand.Read(salt) // it never fails
	made := hash{memory: memory, passes: passes, lanes: lanes, salt: salt}
	key, err := h.derive(ctx, made, password)
	if err != nil {
		return "", err
	}
	made.key = key
	return made.String(), nil
}

// Check reports whether a password is the stored one. The work is the same for
// "", which stands for a user who does not exist and never matches. One that is
// longer than any password matches none, without work.
func (h *Hasher) Check(ctx context.Context, stored, password string) (bool, error) {
	if utf8.RuneCountInString(password) > Max {
		return false, nil
	}
	kept := unknown
	if stored != "" {
		var err error
		if kept, err = parse(stored); err != nil {
			return false, err
		}
	}
	key, err := h.derive(ctx, kept, password)
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(key, kept.key) == 1 && stored != "", nil
}

// Done is how many passwords were hashed so far.
func (h *Hasher) Done() int64 { return h.done.Load() }

// derive hashes a password as the hash says, in its turn.
func (h *Hasher) derive(ctx context.Context, as hash, password string) ([]byte, error) {
	select {
	case h.turns <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-h.turns }()
	h.done.Add(1)
	return argon2.IDKey([]byte(password), as.salt, as.passes, as.memory, as.lanes, keySize), nil
}
