package edge

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/edge/token"
)

// verifying is a broker with a clock, and what remembers its tokens.
type verifying struct {
	broker *token.Signer
	trust  token.Trust
	now    time.Time
	asked  int // how often the clock was: once for a token that is remembered, else twice
	verified
}

func newVerifying(t *testing.T) *verifying {
	t.Helper()
	private, _, err := token.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{1}, 64)))
	if err != nil {
		t.Fatal(err)
	}
	v := &verifying{now: time.Unix(1_800_000_000, 0)}
	if v.broker, err = token.ParseSigner(private); err != nil {
		t.Fatal(err)
	}
	v.trust = token.Trust{Keys: v.broker.Keys(), Issuer: "b", Audience: "r", Now: func() time.Time { v.asked++; return v.now }}
	return v
}

func (v *verifying) mint(t *testing.T, id string) string {
	t.Helper()
	compact, err := v.broker.Access(token.Access{
		Claims: token.Claims{
			Issuer: "b", Audience: "r", Subject: "s", ID: id, IssuedAt: v.now, Expires: v.now.Add(time.Minute),
			Identity: token.Identity{Issuer: "i", Subject: "s", VopersonID: "v"},
		},
		Authority: token.Authority{Party: "p", AuthVersion: 1, Scopes: []string{"shop:read"}}, ClientID: "c",
	})
	if err != nil {
		t.Fatal(err)
	}
	return compact
}

// TestVerifiedOnce: a token is verified once, and refused as soon as it would be
// if it were verified again.
//
// clause: E-21, E-24
func TestVerifiedOnce(t *testing.T) {
	t.Parallel()
	v := newVerifying(t)
	compact := v.mint(t, "1")
	begun := v.now
	for _, c := range []struct {
		name    string
		after   time.Duration
		compact string
		taken   bool
		asked   int
	}{
		{"first", 0, compact, true, 2},
		{"again", 0, compact, true, 1},
		{"in its last second", 59 * time.Second, compact, true, 1},
		{"when it has expired", time.Minute, compact, false, 2},
		{"with the clock set back", -time.Second, compact, true, 2},
		{"before it may be", -6 * time.Second, compact, false, 2},
		{"another spelling", 0, compact + "=", false, 1},
		{"cut", 0, compact[:len(compact)-1], false, 1},
		{"nothing", 0, "", false, 1},
		{"again after all", 0, compact, true, 1},
	} {
		v.now, v.asked = begun.Add(c.after), 0
		access, err := v.access(v.trust, c.compact)
		if (err == nil) != c.taken || c.taken != (access.Party == "p") {
			t.Errorf("%s: %+v, %v", c.name, access, err)
		}
		if v.asked != c.asked {
			t.Errorf("%s: the clock was asked %d times, want %d", c.name, v.asked, c.asked)
		}
		if c.taken {
			access.Scopes[0] = "shop:admin" // what a handler does to its own is its own
		}
	}
	if access, err := v.access(v.trust, compact); err != nil || access.Scopes[0] != "shop:read" {
		t.Errorf("a caller changed what is remembered: %+v, %v", access, err)
	}
}

// TestVerifiedByTheWallClock: a time of the process's own clock, which nobody
// sets back, would never be after the present.
//
// clause: E-24
func TestVerifiedByTheWallClock(t *testing.T) {
	t.Parallel()
	v := newVerifying(t)
	v.now = time.Now()
	if _, err := v.access(v.trust, v.mint(t, "1")); err != nil {
		t.Fatal(err)
	}
	for _, r := range v.younger {
		if r.when != r.when.Round(0) {
			t.Errorf("remembered at %v", r.when)
		}
	}
}

// TestVerifiedIsBounded: the oldest are forgotten, and one that is in use stays.
//
// clause: E-58
func TestVerifiedIsBounded(t *testing.T) {
	t.Parallel()
	v := newVerifying(t)
	inUse := v.mint(t, "in use")
	digest := func(n int) [sha256.Size]byte { return sha256.Sum256(fmt.Append(nil, n)) }
	r := remembered{token.Access{Claims: token.Claims{Expires: v.now.Add(time.Minute)}}, v.now}
	for n := range 5 * maxGeneration {
		if n%100 == 0 {
			v.asked = 0
			if _, err := v.access(v.trust, inUse); err != nil || n > 0 && v.asked != 1 {
				t.Fatalf("after %d others: %v, the clock was asked %d times", n, err, v.asked)
			}
		}
		v.keep(digest(n), r)
		if got := len(v.younger) + len(v.older); got > 2*maxGeneration {
			t.Fatalf("%d are remembered", got)
		}
	}
	if _, ok := v.find(digest(0), v.now); ok {
		t.Error("the first is remembered still")
	}
	if _, ok := v.find(digest(5*maxGeneration-1), v.now); !ok {
		t.Error("the last is forgotten")
	}
}
