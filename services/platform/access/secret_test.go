package access

import (
	"regexp"
	"strings"
	"testing"
)

func TestTokenText(t *testing.T) {
	t.Parallel()
	scanner := regexp.MustCompile(`^pharos_pat_[a-z2-7]{59}$`)
	seen := map[string]bool{}
	for range 100 {
		token := newToken()
		if !isToken(token) || !scanner.MatchString(token) || seen[token] {
			t.Fatalf("made %q, seen before: %v", token, seen[token])
		}
		seen[token] = true
	}
	token := newToken()
	for i := range token {
		for _, c := range "a7" {
			if changed := token[:i] + string(c) + token[i+1:]; changed != token && isToken(changed) {
				t.Errorf("%q passes for %q", changed, token)
			}
		}
	}
	for _, other := range []string{
		"", tokenPrefix, token + "a", token[:len(token)-1], strings.ToUpper(token), " " + token, token + "\n",
		strings.Replace(token, tokenPrefix, "pharos_pax_", 1),
	} {
		if isToken(other) {
			t.Errorf("%q passes", other)
		}
	}
	// A token as other programs would make it: secret 0, 1, … 31.
	if !isToken("pharos_pat_aaaqeayeaudaocajbifqydiob4ibceqtcqkrmfyydenbwha5dypq77qyeva") {
		t.Error("the checksum is not the CRC-32 of what stands before it")
	}
}

func TestCookieText(t *testing.T) {
	t.Parallel()
	cookie := newCookie()
	last := len(cookie) - 1
	if !isCookie(cookie) || len(csrfOf(cookie)) != 43 || csrfOf(cookie) == csrfOf(newCookie()) {
		t.Errorf("cookie %q with CSRF token %q", cookie, csrfOf(cookie))
	}
	for _, other := range []string{
		"", cookie + "A", cookie[1:], cookie[:last] + "=", cookie[:last] + "+", cookiePrefix + strings.Repeat("_", 43),
		strings.TrimPrefix(cookie, cookiePrefix), csrfOf(cookie),
	} {
		if isCookie(other) {
			t.Errorf("%q passes", other)
		}
	}
}
