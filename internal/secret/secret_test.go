package secret_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/internal/secret"
)

// clause: P-05
func TestToken(t *testing.T) {
	t.Parallel()
	for bytes, letters := range map[int]int{20: 32 + 7, 32: 52 + 7} {
		kind := secret.Token{Prefix: "pharos_test_", Bytes: bytes}
		scanner := regexp.MustCompile(fmt.Sprintf(`^pharos_test_[a-z2-7]{%d}$`, letters))
		seen := map[string]bool{}
		for range 100 {
			token := kind.New()
			if !kind.Is(token) || !scanner.MatchString(token) || seen[token] {
				t.Fatalf("made %q, seen before: %v", token, seen[token])
			}
			seen[token] = true
		}
		token := kind.New()
		for i := range token {
			for _, c := range "a7" {
				if changed := token[:i] + string(c) + token[i+1:]; changed != token && kind.Is(changed) {
					t.Errorf("%q passes for %q", changed, token)
				}
			}
		}
		for _, other := range []string{
			"", kind.Prefix, token + "a", token[:len(token)-1], strings.ToUpper(token), " " + token, token + "\n",
			strings.Replace(token, kind.Prefix, "pharos_tesu_", 1), secret.Token{Prefix: "pharos_tesu_", Bytes: bytes}.New(),
			secret.Token{Prefix: kind.Prefix, Bytes: bytes + 1}.New(), secret.Token{Prefix: kind.Prefix, Bytes: bytes - 1}.New(),
		} {
			if kind.Is(other) {
				t.Errorf("%q passes", other)
			}
		}
	}
}

func TestCookie(t *testing.T) {
	t.Parallel()
	const kind = secret.Cookie("pharos_test_")
	cookie := kind.New()
	last := len(cookie) - 1
	if !kind.Is(cookie) || len(cookie) != len(kind)+43 || kind.New() == cookie {
		t.Errorf("cookie %q", cookie)
	}
	for _, other := range []string{
		"", string(kind), cookie + "A", cookie[1:], cookie[:last] + "=", cookie[:last] + "+",
		string(kind) + strings.Repeat("_", 43), strings.TrimPrefix(cookie, string(kind)),
	} {
		if kind.Is(other) {
			t.Errorf("%q passes", other)
		}
	}
}

// clause: P-05
func TestDigest(t *testing.T) {
	t.Parallel()
	want, err := hex.DecodeString("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad") // of FIPS 180-2
	if err != nil {
		t.Fatal(err)
	}
	if got := secret.Digest("abc"); !bytes.Equal(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
}
