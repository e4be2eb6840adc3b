package password

import (
	"context"
	"strings"
	"sync"
	"testing"
)

func TestPasswords(t *testing.T) {
	t.Parallel()
	ctx, h := t.Context(), New(1)
	for name, c := range map[string]struct {
		password string
		taken    bool
	}{
		"11 characters":   {strings.Repeat("é", 11), false},
		"12 characters":   {strings.Repeat("é", 12), true},
		"256 characters":  {strings.Repeat("é", 256), true},
		"257 characters":  {strings.Repeat("é", 257), false},
		"what is no text": {strings.Repeat("\xff", 20), false},
		"U+0000":          {"a sentence\x00and more", false},
		"a tabulator":     {"a sentence\tand more", false},
		"a second line":   {"a sentence\u0085and more", false},
		"white space":     {"  a sentence\u00a0 ", true},
	} {
		stored, err := h.Hash(ctx, c.password)
		if (err == nil) != c.taken {
			t.Errorf("%s: %v", name, err)
		}
		if !c.taken {
			continue
		}
		again, err := h.Hash(ctx, c.password)
		if !strings.HasPrefix(stored, "$argon2id$v=19$m=19456,t=2,p=1$") {
			t.Errorf("%s: stored is %q", name, stored)
		}
		if err != nil || again == stored {
			t.Errorf("%s: the same salt twice (%v)", name, err)
		}
		if ok, err := h.Check(ctx, stored, c.password); !ok || err != nil {
			t.Errorf("%s: is not itself (%v)", name, err)
		}
		if ok, err := h.Check(ctx, stored, c.password+"x"); ok || err != nil {
			t.Errorf("%s: is another one (%v)", name, err)
		}
	}
	if ok, err := h.Check(ctx, "", "x"); ok || err != nil {
		t.Errorf("nobody's password: %v, %v", ok, err)
	}
	if ok, err := h.Check(ctx, "", strings.Repeat("x", Max+1)); ok || err != nil {
		t.Errorf("one that is too long: %v, %v", ok, err)
	}
	ended, end := context.WithCancel(ctx)
	end()
	h.turns <- struct{}{}
	if _, err := h.Hash(ended, strings.Repeat("x", 12)); err == nil {
		t.Error("a password is hashed out of its turn")
	}
	<-h.turns
}

// A username that does not exist costs what one that exists does.
func TestUnknownCostsTheSame(t *testing.T) {
	t.Parallel()
	stored, err := New(1).Hash(t.Context(), strings.Repeat("x", 12))
	if err != nil {
		t.Fatal(err)
	}
	kept, err := parse(stored)
	if err != nil {
		t.Fatal(err)
	}
	if kept.memory != unknown.memory || kept.passes != unknown.passes || kept.lanes != unknown.lanes ||
		len(kept.salt) != len(unknown.salt) || len(kept.key) != len(unknown.key) {
		t.Errorf("%v and %v", kept, unknown)
	}
	h := New(1)
	for i, stored := range []string{"", stored} {
		if ok, err := h.Check(t.Context(), stored, "another password"); ok || err != nil || h.Done() != int64(i+1) {
			t.Errorf("checked against %q: %v, %v, %d hashes so far, want %d", stored, ok, err, h.Done(), i+1)
		}
	}
}

func TestStoredPasswords(t *testing.T) {
	t.Parallel()
	const salt, key = "AAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	if _, err := parse("$argon2id$v=19$m=65536,t=8,p=4$" + salt + "$" + key); err != nil {
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
		if _, err := New(1).Check(t.Context(), bad, "x"); bad != "" && err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// Of many that come at once, some are hashed at a time and all in the end.
func TestTurns(t *testing.T) {
	t.Parallel()
	const many = 6
	h := New(2)
	var all sync.WaitGroup
	for range many {
		all.Go(func() {
			if _, err := h.Hash(t.Context(), strings.Repeat("x", Min)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if h.Done() != many || len(h.turns) != 0 || cap(h.turns) != 2 {
		t.Errorf("%d hashed, %d turns of %d taken, want %d, none and 2", h.Done(), len(h.turns), cap(h.turns), many)
	}
}
