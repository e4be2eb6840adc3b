package access

import (
	"context"
	"strings"
	"testing"
)

func TestPasswords(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for name, c := range map[string]struct {
		password string
		taken    bool
	}{
		"11 characters":   {strings.Repeat("é", 11), false},
		"12 characters":   {strings.Repeat("é", 12), true},
		"256 characters":  {strings.Repeat("é", 256), true},
		"257 characters":  {strings.Repeat("é", 257), false},
		"what is no text": {strings.Repeat("\xff", 20), false},
	} {
		stored, err := HashPassword(ctx, c.password)
		if (err == nil) != c.taken {
			t.Errorf("%s: %v", name, err)
		}
		if !c.taken {
			continue
		}
		again, err := HashPassword(ctx, c.password)
		if err != nil || again == stored {
			t.Errorf("%s: the same salt twice (%v)", name, err)
		}
		if ok, err := checkPassword(ctx, stored, c.password); !ok || err != nil {
			t.Errorf("%s: is not itself (%v)", name, err)
		}
		if ok, err := checkPassword(ctx, stored, c.password+"x"); ok || err != nil {
			t.Errorf("%s: is another one (%v)", name, err)
		}
	}
	if ok, err := checkPassword(ctx, "", "x"); ok || err != nil {
		t.Errorf("nobody's password: %v, %v", ok, err)
	}
	ended, end := context.WithCancel(ctx)
	end()
	for range hashers {
		working <- struct{}{}
	}
	if _, err := HashPassword(ended, strings.Repeat("x", 12)); err == nil {
		t.Error("a password is hashed out of its turn")
	}
	for range hashers {
		<-working
	}
}

// A username that does not exist costs what one that exists does.
func TestUnknownCostsTheSame(t *testing.T) {
	t.Parallel()
	stored, err := HashPassword(t.Context(), strings.Repeat("x", 12))
	if err != nil {
		t.Fatal(err)
	}
	h, err := parseHash(stored)
	if err != nil {
		t.Fatal(err)
	}
	if h.memory != unknown.memory || h.passes != unknown.passes || h.lanes != unknown.lanes ||
		len(h.salt) != len(unknown.salt) || len(h.key) != len(unknown.key) {
		t.Errorf("%v and %v", h, unknown)
	}
}

func TestStoredPasswords(t *testing.T) {
	t.Parallel()
	const salt, key = "AAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	if _, err := parseHash("$argon2id$v=19$m=65536,t=8,p=4$" + salt + "$" + key); err != nil {
		t.Errorf("the most work: %v", err)
	}
	for _, bad := range []string{
		"", "x", "$argon2i$v=19$m=19456,t=2,p=1$" + salt + "$" + key, "$argon2id$v=16$m=19456,t=2,p=1$" + salt + "$" + key,
		"$argon2id$v=19$m=65537,t=2,p=1$" + salt + "$" + key, "$argon2id$v=19$m=19456,t=9,p=1$" + salt + "$" + key,
		"$argon2id$v=19$m=19456,t=2,p=5$" + salt + "$" + key, "$argon2id$v=19$m=19456,t=0,p=1$" + salt + "$" + key,
		"$argon2id$v=19$m=19456,t=2,p=0$" + salt + "$" + key, "$argon2id$v=19$m=019456,t=2,p=1$" + salt + "$" + key,
		"$argon2id$v=19$m=19456,t=2,p=1,x$" + salt + "$" + key, "$argon2id$v=19$m=19456,t=2,p=1$$" + key,
		"$argon2id$v=19$m=19456,t=2,p=1$" + salt + "$" + key[:42], "$argon2id$v=19$m=19456,t=2,p=1$" + salt + "$" + key + "$",
	} {
		if _, err := checkPassword(t.Context(), bad, "x"); bad != "" && err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}
