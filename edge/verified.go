package edge

import (
	"crypto/sha256"
	"slices"
	"sync"
	"time"

	"github.com/pharos-mcp/pharos/edge/token"
)

// verified remembers access tokens that were verified, so that the signature of
// each is verified once and not at every request: that is most of what authority
// costs an edge. What is remembered is the digest of a token's whole text, for
// as long as the token lives; keys do not change while a process runs. What is
// refused is never remembered. It is safe for concurrent use.
//
// It is bounded: two generations of maxGeneration tokens each, of which the
// older is forgotten when the younger is full. One that is asked for stays.
type verified struct {
	mu             sync.Mutex
	younger, older map[[sha256.Size]byte]remembered
}

type remembered struct {
	access token.Access
	when   time.Time // it was verified
}

// maxGeneration bounds half of what is remembered. A token has 4 KiB at most,
// and some hundred bytes as a rule.
const maxGeneration = 1024

// access verifies a token, or gives what it was found to be before. The token's
// time is looked at each time; a clock that was set back makes all unknown.
func (v *verified) access(trust token.Trust, compact string) (token.Access, error) {
	now := time.Now
	if trust.Now != nil {
		now = trust.Now
	}
	digest, at := sha256.Sum256([]byte(compact)), now().Round(0) // by the wall clock, which is what can be set back
	if access, ok := v.find(digest, at); ok {
		return access, nil
	}
	access, err := trust.Access(compact)
	if err != nil {
		return token.Access{}, err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.keep(digest, remembered{access, at})
	return own(access), nil
}

func (v *verified) find(digest [sha256.Size]byte, at time.Time) (token.Access, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	r, young := v.younger[digest]
	if !young {
		var old bool
		if r, old = v.older[digest]; !old {
			return token.Access{}, false
		}
	}
	if at.Before(r.when) || !at.Before(r.access.Expires) {
		return token.Access{}, false
	}
	if !young {
		v.keep(digest, r)
	}
	return own(r.access), true
}

// keep is for who holds the lock.
func (v *verified) keep(digest [sha256.Size]byte, r remembered) {
	if v.younger == nil || len(v.younger) >= maxGeneration {
		v.older, v.younger = v.younger, make(map[[sha256.Size]byte]remembered)
	}
	v.younger[digest] = r
}

// own is a token whose scopes belong to one request, whatever that does to them.
func own(access token.Access) token.Access {
	access.Scopes = slices.Clone(access.Scopes)
	return access
}
