package token_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/edge/token"
)

var b64 = base64.RawURLEncoding

// TestRight sees that the tokens, of which every negative case below differs
// in one point, verify.
//
// clause: E-22, E-23
func TestRight(t *testing.T) {
	t.Parallel()
	access, login, assertion := families(t)
	for _, f := range []family{access, login, assertion} {
		if err := f.verify(f.right()); err != nil {
			t.Errorf("%s: %v", f.name, err)
		}
	}
}

// hostile are tokens that must be refused, by vector.
type hostile map[string][]string

// TestHostileEnvelopes goes through what may be wrong outside the claims.
//
// clause: E-24
func TestHostileEnvelopes(t *testing.T) {
	t.Parallel()
	access, _, _ := families(t)
	p, right := access.signer, access.right()
	parts := strings.Split(right, ".")
	payload := access.claims.text()
	header := func(text string) string { return p.forge(text, payload) }
	head := func(members string) string {
		return header(`{"alg":"EdDSA","kid":"` + p.kid + `","typ":"at+jwt"` + members + `}`)
	}
	longest, tooLong := atLength(t, access)
	if err := access.verify(longest); err != nil {
		t.Errorf("J07 %d bytes: %v", len(longest), err)
	}
	refuse(t, access, hostile{
		"J01 padding": {
			parts[0] + "=." + parts[1] + "." + parts[2], parts[0] + "." + parts[1] + "==." + parts[2], right + "=", right + "==",
		},
		"J02 standard alphabet": {standardAlphabet(p)},
		"J03 line breaks": {
			right + "\n", right + "\r\n", right + "\r", right[:9] + "\n" + right[9:], right[:9] + "\r\n" + right[9:],
			strings.Replace(right, ".", ".\n", 1),
		},
		"J04 loose bits": looseBits(access),
		"J05 other serialisations": {
			fmt.Sprintf(`{"protected":%q,"payload":%q,"signature":%q}`, parts[0], parts[1], parts[2]),
			fmt.Sprintf(`{"payload":%q,"signatures":[{"protected":%q,"signature":%q}]}`, parts[1], parts[0], parts[2]),
		},
		"J06 parts": {
			"", parts[0], parts[0] + "." + parts[1], parts[0] + "." + parts[1] + ".", right + ".", right + ".a", right + ".a.b",
			" " + right, right + " ", "." + right,
		},
		"J07 length": {tooLong},
		"J08 none": {
			b64.EncodeToString([]byte(`{"alg":"none","kid":"`+p.kid+`","typ":"at+jwt"}`)) + "." + parts[1] + ".",
			header(`{"alg":"none","kid":"` + p.kid + `","typ":"at+jwt"}`),
		},
		"J09 alg": {
			header(`{"alg":"ES256","kid":"` + p.kid + `","typ":"at+jwt"}`), header(`{"alg":"HS256","kid":"` + p.kid + `","typ":"at+jwt"}`),
			header(`{"alg":"eddsa","kid":"` + p.kid + `","typ":"at+jwt"}`), header(`{"alg":"Ed25519","kid":"` + p.kid + `","typ":"at+jwt"}`),
			header(`{"kid":"` + p.kid + `","typ":"at+jwt"}`), header(`{"alg":null,"kid":"` + p.kid + `","typ":"at+jwt"}`),
		},
		"J10 HS256 with the public key": symmetric(t, access),
		"J11 twice in the header":       {head(`,"alg":"EdDSA"`), head(`,"alg":"none"`), head(`,"kid":"` + p.kid + `"`), head(`,"kid":"x"`), head(`,"typ":"at+jwt"`)},
		"J12 letter case": {
			header(`{"ALG":"EdDSA","kid":"` + p.kid + `","typ":"at+jwt"}`), header(`{"alg":"EdDSA","KID":"` + p.kid + `","typ":"at+jwt"}`),
			header(`{"alg":"EdDSA","kid":"` + p.kid + `","Typ":"at+jwt"}`), head(`,"ALG":"EdDSA"`),
		},
		"J13 crit":         {head(`,"crit":["foo"],"foo":1`), head(`,"crit":[]`), head(`,"crit":["exp"]`)},
		"J14 b64":          {head(`,"b64":false,"crit":["b64"]`), head(`,"b64":false`)},
		"J15 keys inside":  {head(`,"jwk":{"kty":"OKP"}`), head(`,"jku":"http://127.0.0.1:1/"`), head(`,"x5u":"http://127.0.0.1:1/"`), head(`,"x5c":["AA"]`), head(`,"cty":"JWT"`)},
		"J16 kid":          kids(t, access),
		"J17 typ":          types(access),
		"J35 shape header": {header(p.header(access.name) + "\n"), header(" " + p.header(access.name)), header("[]"), header("null")},
		"J38 signature":    otherSignatures(access),
		"another payload under the signature": {
			parts[0] + "." + b64.EncodeToString([]byte(access.claims.with("auth_version", "4").text())) + "." + parts[2],
		},
	})
}

// TestHostileClaims goes through what may be wrong in the claims, for each
// family.
//
// clause: E-23, E-24
func TestHostileClaims(t *testing.T) {
	t.Parallel()
	access, login, assertion := families(t)
	for _, f := range []family{access, login, assertion} {
		t.Run(string(f.name), func(t *testing.T) {
			t.Parallel()
			refuse(t, f, hostileClaims(f))
		})
	}
	refuse(t, access, hostile{
		"J36 scope": f1(access, "scope", `""`, `"runs:read  support:write"`, `"runs:read\tsupport:write"`, `"runs:read runs:read"`,
			`"support:write runs:read"`, `["runs:read"]`, `"runs:delete"`, `" runs:read"`, `"runs:read "`, `"runs"`, `"Runs:read"`, `":read"`),
		"J37 auth_version": f1(access, "auth_version", `0`, `-1`, `"3"`, `3.0`, `3e0`, `9223372036854775808`),
		"J27 audience":     f1(access, "aud", `"https://agents.example.org/mcp/"`, `"https://AGENTS.example.org/mcp"`, `"https://agents.example.org:443/mcp"`),
	})
	refuse(t, login, hostile{"F03 more than an identity": {
		login.forged(login.claims.with("party_id", `"p-1"`)), login.forged(login.claims.with("scope", `"runs:read"`)),
		login.forged(login.claims.with("operation_id", `"getRun"`)),
	}})
	refuse(t, assertion, hostile{
		"F04 a client": {
			assertion.forged(assertion.claims.with("client_id", `"c"`)),
			assertion.forged(assertion.claims.without("operation_id").with("client_id", `"c"`)),
		},
		"J36 scope": f1(assertion, "scope", `""`, `"runs:read runs:read"`),
	})
}

func hostileClaims(f family) hostile {
	h := hostile{
		"J19 twice": {f.forged(append(slices.Clone(f.claims), [2]string{"sub", `"party-1"`}))},
		"J20 twice by escapes": {
			f.forged(append(slices.Clone(f.claims), [2]string{`\u0073ub`, `"party-2"`})),
			f.forged(append(slices.Clone(f.claims), [2]string{`ſub`, `"party-2"`})), f.forged(append(slices.Clone(f.claims), [2]string{`SUB`, `"x"`})),
		},
		"J22 unknown": {
			f.forged(f.claims.with("nbf", `1800000000`)), f.forged(f.claims.with("azp", `"x"`)), f.forged(f.claims.with("act", `{}`)),
			f.forged(f.claims.with("email", `"x"`)), f.forged(f.claims.with("", `"x"`)),
		},
		"J26 array":  f1(f, "aud", `[`+f.claims[1][1]+`]`, `[`+f.claims[1][1]+`,"x"]`),
		"J28 issuer": f1(f, "iss", strings.TrimSuffix(f.claims[0][1], `"`)+`/"`, `"https://else.example.org"`),
		"J29 exp":    f1(f, "exp", `1800000030.0`, `1.80000003e9`, `"1800000030"`, `true`, `-1`, `-0`, `9223372036854775808`, `1e9`),
		"J29 iat":    f1(f, "iat", `1800000000.0`, `1.8e9`, `"1800000000"`, `-1`, `-0`, `0`, `-9223372036854775808`),
		"J31 order": append(f1(f, "exp", `1800000000`, `1799999999`),
			f.forged(f.claims.with("iat", `1800000003`).with("exp", `1800000002`))),
		"J32 expired":  {f.forged(f.claims.with("iat", `1799999990`).with("exp", `1800000000`))},
		"J33 future":   {f.forged(f.claims.with("iat", `1800000060`).with("exp", `1800000080`)), f.forged(f.claims.with("iat", `1800000006`).with("exp", `1800000020`))},
		"J35 payload":  {f.raw(`[]`), f.raw(`null`), f.raw(`{}{}`), f.raw(f.claims.text() + `{}`), f.raw("\xef\xbb\xbf" + f.claims.text()), f.raw(f.claims.text() + "\n"), f.raw(" " + f.claims.text()), f.raw(`{}`), f.raw(``), f.raw(f.claims.text() + ` {"a":1}`)},
		"J34 text":     f1(f, "sub", "\"\xff\"", `"\ud800"`, `"a\u0000b"`, "\"a\\u0001\"", `" "`, `" a"`, `"a "`, `""`, `"`+strings.Repeat("a", 513)+`"`),
		"J25 identity": nil,
	}
	for _, name := range []string{"identity_issuer", "identity_subject", "identity_voperson_id"} {
		h["J25 identity"] = append(h["J25 identity"], f1(f, name, `""`, `" "`, `"a\u0000"`, `[]`, `1`)...)
	}
	for _, name := range f.require {
		h["J23 missing"] = append(h["J23 missing"], f.forged(f.claims.without(name)))
		h["J24 null"] = append(h["J24 null"], f.forged(f.claims.with(name, `null`)))
	}
	longest := map[token.Family]int64{token.FamilyAccess: 600, token.FamilyLogin: 30, token.FamilyAssertion: 30}[f.name]
	h["J30 lifetime"] = f1(f, "exp", fmt.Sprint(1_800_000_000+longest+1))
	return h
}

// TestBounds sees the other side of each bound.
//
// clause: E-22, E-24
func TestBounds(t *testing.T) {
	t.Parallel()
	access, login, assertion := families(t)
	for name, c := range map[string]struct {
		family family
		claims members
	}{
		"J30 600 s":            {access, access.claims.with("exp", `1800000600`)},
		"J30 30 s of login":    {login, login.claims.with("exp", `1800000030`)},
		"J30 30 s":             {assertion, assertion.claims.with("exp", `1800000030`)},
		"J32 the last second":  {login, login.claims.with("iat", `1799999990`).with("exp", `1800000001`)},
		"J33 5 s ahead":        {login, login.claims.with("iat", `1800000005`).with("exp", `1800000020`)},
		"512 bytes":            {login, login.claims.with("sub", `"`+strings.Repeat("a", 512)+`"`)},
		"auth_version 1":       {access, access.claims.with("auth_version", `1`)},
		"escapes of one value": {login, login.claims.with("sub", `"\u0070arty-1"`)},
		"one scope":            {access, access.claims.with("scope", `"runs:read"`)},
	} {
		if err := c.family.verify(c.family.forged(c.claims)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestFamilies sees that no family passes for another, and no signer for
// another (J18, F02, F05).
//
// clause: E-22, E-25
func TestFamilies(t *testing.T) {
	t.Parallel()
	access, login, assertion := families(t)
	all := []family{access, login, assertion}
	for _, from := range all {
		for _, to := range all {
			if from.name == to.name {
				continue
			}
			if err := to.verify(from.right()); err == nil {
				t.Errorf("%s passes for %s", from.name, to.name)
			}
			// The claims and the signer of the one under the typ of the other.
			if err := to.verify(from.signer.forge(from.signer.header(to.name), from.claims.text())); err == nil {
				t.Errorf("%s under typ %s passes", from.name, to.name)
			}
			// What the other expects, but for the typ.
			if err := to.verify(to.signer.forge(to.signer.header(from.name), to.claims.text())); err == nil {
				t.Errorf("%s with typ %s passes", to.name, from.name)
			}
			if from.signer.kid == to.signer.kid {
				continue
			}
			// What the other expects, signed by the wrong one.
			for _, kid := range []string{from.signer.kid, to.signer.kid} {
				header := strings.Replace(from.signer.header(to.name), from.signer.kid, kid, 1)
				if err := to.verify(from.signer.forge(header, to.claims.text())); err == nil {
					t.Errorf("%s signed by the signer of %s under kid %s passes", to.name, from.name, kid)
				}
			}
		}
	}
}

// refuse fails for every token that the family's verifier takes.
func refuse(t *testing.T, f family, h hostile) {
	t.Helper()
	for name, tokens := range h {
		if len(tokens) == 0 {
			t.Errorf("%s: no tokens", name)
		}
		for _, compact := range tokens {
			if err := f.verify(compact); !errors.Is(err, token.ErrInvalid) {
				t.Errorf("%s: %s: error %v for %.200s", f.name, name, err, compact)
			}
		}
	}
}

// forged is a validly signed token of the family with other claims.
func (f family) forged(claims members) string { return f.raw(claims.text()) }

// raw is a validly signed token of the family with any payload.
func (f family) raw(payload string) string { return f.signer.forge(f.signer.header(f.name), payload) }

// f1 are tokens of the family in which one claim has other values.
func f1(f family, name string, values ...string) []string {
	var tokens []string
	for _, value := range values {
		tokens = append(tokens, f.forged(f.claims.with(name, value)))
	}
	return tokens
}

// standardAlphabet is a token, valid in base64url, whose signature is spelled
// in the standard alphabet.
func standardAlphabet(p party) string {
	for i := 0; ; i++ {
		compact := p.forge(p.header(token.FamilyAccess), accessMembers.with("jti", fmt.Sprintf(`"j-%d"`, i)).text())
		signature := compact[strings.LastIndex(compact, ".")+1:]
		if strings.ContainsAny(signature, "-_") {
			return compact[:len(compact)-len(signature)] + strings.NewReplacer("-", "+", "_", "/").Replace(signature)
		}
	}
}

// looseBits are spellings of the same bytes that differ in bits that carry
// nothing.
func looseBits(f family) []string {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	right := f.right()
	var tokens []string
	at := strings.IndexByte(alphabet, right[len(right)-1]) // 64 bytes leave four loose bits
	for other := at + 1; other/16 == at/16; other++ {
		tokens = append(tokens, right[:len(right)-1]+alphabet[other:other+1])
	}
	return tokens
}

// atLength is a right token of the longest length up to 4,096 bytes, and the
// first one above, which differs in nothing else: each claim keeps its bound.
func atLength(t *testing.T, f family) (longest, tooLong string) {
	t.Helper()
	claims := f.claims
	for _, name := range []string{"sub", "identity_issuer", "identity_subject", "identity_voperson_id", "party_id", "jti"} {
		for size := range 512 {
			claims = claims.with(name, `"`+strings.Repeat("a", size+1)+`"`)
			compact := f.forged(claims)
			if len(compact) > 4096 {
				return longest, compact
			}
			longest = compact
		}
	}
	t.Fatal("the claims do not make a token that is too long")
	return "", ""
}

// symmetric are HS256 tokens keyed with spellings of the public key.
func symmetric(t *testing.T, f family) []string {
	t.Helper()
	public := f.signer.private.Public()
	der, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	raw := []byte(f.signer.private[32:])
	var tokens []string
	for _, key := range [][]byte{raw, der, pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})} {
		signed := b64.EncodeToString([]byte(`{"alg":"HS256","kid":"`+f.signer.kid+`","typ":"at+jwt"}`)) + "." +
			b64.EncodeToString([]byte(f.claims.text()))
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(signed))
		tokens = append(tokens, signed+"."+b64.EncodeToString(mac.Sum(nil)))
	}
	return tokens
}

func kids(t *testing.T, f family) []string {
	t.Helper()
	stranger := newParty(t, 9)
	tokens := []string{
		stranger.forge(stranger.header(f.name), f.claims.text()), // valid, not enrolled
		stranger.forge(f.signer.header(f.name), f.claims.text()), // under the kid of another
		f.signer.forge(`{"alg":"EdDSA","typ":"at+jwt"}`, f.claims.text()),
	}
	for _, kid := range []string{`null`, `1`, `""`, `"unknown"`, `"../b1"`, `"` + newParty(t, 2).kid + `"`} {
		tokens = append(tokens, f.signer.forge(`{"alg":"EdDSA","kid":`+kid+`,"typ":"at+jwt"}`, f.claims.text()))
	}
	return tokens
}

func types(f family) []string {
	tokens := []string{f.signer.forge(`{"alg":"EdDSA","kid":"`+f.signer.kid+`"}`, f.claims.text())}
	for _, typ := range []string{`null`, `"JWT"`, `"AT+JWT"`, `"application/at+jwt"`, `""`, `["at+jwt"]`} {
		tokens = append(tokens, f.signer.forge(`{"alg":"EdDSA","kid":"`+f.signer.kid+`","typ":`+typ+`}`, f.claims.text()))
	}
	return tokens
}

// otherSignatures are signatures that are not the one: S+L (RFC 8032 §5.1.7),
// zeros, one bit off, too short.
func otherSignatures(f family) []string {
	right := f.right()
	dot := strings.LastIndex(right, ".") + 1
	signature, _ := b64.DecodeString(right[dot:])
	order, _ := new(big.Int).SetString("7237005577332262213973186563042994240857116359379907606001950938285454250989", 10)
	little := slices.Clone(signature[32:])
	slices.Reverse(little)
	s := new(big.Int).SetBytes(little)
	sum := s.Add(s, order).FillBytes(make([]byte, 32))
	slices.Reverse(sum)
	flipped := slices.Clone(signature)
	flipped[5] ^= 1
	var tokens []string
	for _, other := range [][]byte{slices.Concat(signature[:32], sum), make([]byte, 64), flipped, signature[:63], append(slices.Clone(signature), 0)} {
		tokens = append(tokens, right[:dot]+b64.EncodeToString(other))
	}
	return tokens
}
