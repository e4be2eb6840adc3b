package token_test

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

// FuzzVerify signs any header and payload with the enrolled key, and sees that
// what is accepted is right by a reading of its own: the exact members, each
// once, with the claims of the trusted signer.
func FuzzVerify(f *testing.F) {
	access, _, _ := families(f)
	right := access.header()
	f.Add(right, access.claims.text())
	f.Add(right, access.claims.with("aud", `["`+resource+`"]`).text())
	f.Add(right, access.claims.with("exp", `1800000000.5`).text())
	f.Add(right, access.claims.with("sub", `"\ud800"`).text())
	f.Add(right, access.claims.with("Sub", `"x"`).text())
	f.Add(right, access.claims.text()+"\n")
	f.Add(`{"alg":"EdDSA","kid":"`+access.signer.kid+`","typ":"at+jwt","crit":[]}`, access.claims.text())
	f.Add(strings.Replace(right, "EdDSA", "none", 1), access.claims.text())
	f.Fuzz(func(t *testing.T, header, payload string) {
		compact := access.signer.forge(header, payload)
		if access.verify(compact) != nil {
			return
		}
		if got := read(t, header); len(got) != 3 || got["alg"] != "EdDSA" || got["kid"] != access.signer.kid || got["typ"] != "at+jwt" {
			t.Errorf("accepted the header %q", header)
		}
		got := read(t, payload)
		if len(got) != len(access.require) {
			t.Errorf("accepted %d members: %q", len(got), payload)
		}
		for _, name := range access.require {
			if _, text := got[name].(string); !text && !slices.Contains([]string{"iat", "exp", "auth_version"}, name) {
				t.Errorf("accepted %s = %v", name, got[name])
			}
		}
		if got["iss"] != brokerIssuer || got["aud"] != resource {
			t.Errorf("accepted iss %v, aud %v", got["iss"], got["aud"])
		}
		issued, expires := seconds(t, got["iat"]), seconds(t, got["exp"])
		if expires <= now.Unix() || expires-issued > 600 || issued > now.Add(5*time.Second).Unix() {
			t.Errorf("accepted from %d to %d", issued, expires)
		}
	})
}

// FuzzSplit changes the spelling of a right token: only the right one passes.
func FuzzSplit(f *testing.F) {
	access, _, _ := families(f)
	right := access.right()
	f.Add(right + "=")
	f.Add(" " + right)
	f.Add(strings.Replace(right, ".", "..", 1))
	f.Add(right[:len(right)-1])
	f.Fuzz(func(t *testing.T, compact string) {
		if compact != right && access.verify(compact) == nil {
			t.Errorf("accepted another spelling: %q", compact)
		}
	})
}

func (f family) header() string { return f.signer.header(f.name) }

// read reads an object token by token, and fails for a member that stands
// twice or a null.
func read(t *testing.T, text string) map[string]any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	members := map[string]any{}
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		t.Fatalf("accepted %q", text)
	}
	for d.More() {
		name, _ := d.Token()
		var value any
		if err := d.Decode(&value); err != nil || value == nil {
			t.Fatalf("accepted %q: %v", text, err)
		}
		if _, twice := members[name.(string)]; twice {
			t.Fatalf("accepted %v twice: %q", name, text)
		}
		members[name.(string)] = value
	}
	if _, err := d.Token(); err != nil {
		t.Fatalf("accepted %q", text)
	}
	if _, err := d.Token(); err != io.EOF {
		t.Fatalf("accepted more behind: %q", text)
	}
	return members
}

func seconds(t *testing.T, value any) int64 {
	t.Helper()
	number, _ := value.(json.Number)
	n, err := number.Int64()
	if err != nil {
		t.Fatalf("accepted the time %v", value)
	}
	return n
}
