package token_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/edge/token"
)

// files are the two files of a key that grows from one byte.
func files(t *testing.T, seed byte) (private, enrolment string) {
	t.Helper()
	a, b, err := token.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{seed}, 64)))
	if err != nil {
		t.Fatal(err)
	}
	return string(a), string(b)
}

// TestParseKeys goes through what an enrolment file may not hold (F11).
//
// clause: E-24, E-25
func TestParseKeys(t *testing.T) {
	t.Parallel()
	private, right := files(t, 1)
	_, other := files(t, 2)
	one := func(file string) string { // the key inside a set of one
		return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(file), `{`)), `}`))
	}
	key := strings.TrimSuffix(strings.SplitN(one(right), "[", 2)[1], "]")
	otherKey := strings.TrimSuffix(strings.SplitN(one(other), "[", 2)[1], "]")
	set := func(keys ...string) string { return `{"keys":[` + strings.Join(keys, ",") + `]}` }
	for name, good := range map[string]string{"one": right, "two": set(key, otherKey), "sixteen": set(distinct(t, 16)...)} {
		if _, err := token.ParseKeys([]byte(good)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	kid := member(t, key, "kid")
	for name, c := range map[string]struct{ file, want string }{
		"nothing":           {``, "not one object"},
		"no keys":           {`{}`, "1 to 16 public keys"},
		"null":              {`{"keys":null}`, "1 to 16 public keys"},
		"an empty list":     {set(), "1 to 16 public keys"},
		"seventeen":         {set(distinct(t, 17)...), "1 to 16 public keys"},
		"a private key":     {set(private), "unknown member"},
		"a bare key":        {key, "unknown member"},
		"a short x":         {set(strings.Replace(key, member(t, key, "x"), "AAAA", 1)), "x must be 32 bytes"},
		"a padded x":        {set(strings.Replace(key, member(t, key, "x"), member(t, key, "x")+"=", 1)), "x must be 32 bytes"},
		"loose bits in x":   {set(strings.Replace(key, member(t, key, "x"), loosened(member(t, key, "x")), 1)), "x must be 32 bytes"},
		"no x":              {set(strings.Replace(key, `"x"`, `"use2"`, 1)), "unknown member"},
		"a null x":          {set(strings.Replace(key, `"`+member(t, key, "x")+`"`, `null`, 1)), "x is missing"},
		"a member twice":    {set(strings.Replace(key, `"kty"`, `"kty":"OKP","kty"`, 1)), "not valid JSON, or a member stands twice"},
		"another case":      {set(strings.Replace(key, `"kty"`, `"Kty"`, 1)), "unknown member"},
		"two of one kid":    {set(key, strings.Replace(otherKey, member(t, otherKey, "kid"), kid, 1)), "stands twice"},
		"one key twice":     {set(key, strings.Replace(key, kid, "another", 1)), "the same key as kid"},
		"no kid":            {set(strings.Replace(key, `"`+kid+`"`, `null`, 1)), "kid is missing"},
		"an empty kid":      {set(strings.Replace(key, kid, ``, 1)), "kid is empty"},
		"another kind":      {set(strings.Replace(key, `"OKP"`, `"EC"`, 1)), `kty must be "OKP"`},
		"another curve":     {set(strings.Replace(key, `"Ed25519"`, `"X25519"`, 1)), `crv must be "Ed25519"`},
		"another alg":       {set(strings.Replace(key, `"EdDSA"`, `"none"`, 1)), `alg must be "EdDSA"`},
		"for encryption":    {set(strings.Replace(key, `"sig"`, `"enc"`, 1)), `use must be "sig"`},
		"more in the set":   {`{"keys":[` + key + `],"more":1}`, "unknown member"},
		"bytes behind":      {right + `{}`, "not valid JSON"},
		"a list":            {`[` + key + `]`, "not one object"},
		"a number for keys": {`{"keys":1}`, "of another type"},
	} {
		if _, err := token.ParseKeys([]byte(c.file)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
}

// distinct are n public keys.
func distinct(t *testing.T, n int) (keys []string) {
	t.Helper()
	for seed := range n {
		_, file := files(t, byte(100+seed))
		var set struct{ Keys []json.RawMessage }
		if err := json.Unmarshal([]byte(file), &set); err != nil {
			t.Fatal(err)
		}
		keys = append(keys, string(set.Keys[0]))
	}
	return keys
}

func member(t *testing.T, object, name string) string {
	t.Helper()
	var members map[string]string
	if err := json.Unmarshal([]byte(object), &members); err != nil {
		t.Fatal(err)
	}
	return members[name]
}

// loosened spells the same bytes with other bits at the end, which carry nothing.
func loosened(text string) string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	at := strings.IndexByte(alphabet, text[len(text)-1])
	return text[:len(text)-1] + alphabet[at+1:at+2]
}

// TestParseSigner refuses files that are no private key, and quotes none.
//
// clause: E-25
func TestParseSigner(t *testing.T) {
	t.Parallel()
	private, enrolment := files(t, 1)
	other, _ := files(t, 2)
	d := member(t, private, "d")
	for name, file := range map[string]string{
		"an enrolment":  enrolment,
		"a public key":  strings.Replace(private, `"`+d+`"`, `null`, 1),
		"a short d":     strings.Replace(private, d, d[:20], 1),
		"loose bits":    strings.Replace(private, d, loosened(d), 1),
		"another key's": strings.Replace(private, d, member(t, other, "d"), 1),
		"cut":           private[:len(private)/2],
		"a member more": strings.Replace(private, `"d"`, `"exp":1,"d"`, 1),
		"another alg":   strings.Replace(private, `"EdDSA"`, `"ES256"`, 1),
	} {
		_, err := token.ParseSigner([]byte(file))
		if err == nil || strings.Contains(err.Error(), d) || strings.Contains(err.Error(), member(t, other, "d")) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestDisjoint refuses a broker and a gateway with a key in common, whatever
// it is called.
//
// clause: E-25
func TestDisjoint(t *testing.T) {
	t.Parallel()
	_, a := files(t, 1)
	_, b := files(t, 2)
	renamed := strings.Replace(a, newParty(t, 1).kid, "another name", 1)
	parse := func(file string) token.Keys {
		keys, err := token.ParseKeys([]byte(file))
		if err != nil {
			t.Fatal(err)
		}
		return keys
	}
	if err := token.Disjoint(parse(a), parse(b)); err != nil {
		t.Errorf("two keys: %v", err)
	}
	for _, same := range []string{a, renamed} {
		if err := token.Disjoint(parse(a), parse(same)); err == nil || !strings.Contains(err.Error(), "pharos keygen") {
			t.Errorf("one key: error %v", err)
		}
	}
}

// TestRotation enrols the next key beside the present one, changes the signer
// and removes the old one.
//
// clause: E-25
func TestRotation(t *testing.T) {
	t.Parallel()
	old, next := newParty(t, 1), newParty(t, 3)
	both, err := token.ParseKeys([]byte(`{"keys":[` + strings.Join([]string{publicJWK(t, 1), publicJWK(t, 3)}, ",") + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	trust := func(keys token.Keys) token.Trust {
		return token.Trust{Keys: keys, Issuer: brokerIssuer, Audience: resource, Now: func() time.Time { return now }}
	}
	for step, c := range []struct {
		signer party
		keys   token.Keys
		want   bool
	}{{old, old.keys, true}, {old, both, true}, {next, both, true}, {next, old.keys, false}, {next, next.keys, true}, {old, next.keys, false}} {
		compact, err := c.signer.signer.Access(anAccess())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := trust(c.keys).Access(compact); (err == nil) != c.want {
			t.Errorf("step %d: error %v, want it to verify: %t", step, err, c.want)
		}
	}
}

func publicJWK(t *testing.T, seed byte) string {
	t.Helper()
	_, file := files(t, seed)
	var set struct{ Keys []json.RawMessage }
	if err := json.Unmarshal([]byte(file), &set); err != nil || len(set.Keys) != 1 {
		t.Fatal(fmt.Errorf("enrolment: %w", err))
	}
	return string(set.Keys[0])
}
