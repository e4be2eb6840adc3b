package sshkey_test

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/crypto/ssh"

	"github.com/pharos-mcp/pharos/services/platform/sshkey"
)

// wire writes the fields of a key as SSH does; a *big.Int is an mpint.
func wire(fields ...any) []byte {
	var b []byte
	for _, f := range fields {
		var field []byte
		switch f := f.(type) {
		case string:
			field = []byte(f)
		case []byte:
			field = f
		case *big.Int:
			field = ssh.Marshal(struct{ N *big.Int }{f})[4:]
		}
		b = binary.BigEndian.AppendUint32(b, uint32(len(field)))
		b = append(b, field...)
	}
	return b
}

// line is a key as a .pub file has it.
func line(kind string, blob []byte) string {
	return kind + " " + base64.StdEncoding.EncodeToString(blob)
}

// rsaLine is an RSA key of a length, the smallest whose modulus has no small
// factor.
func rsaLine(bits uint, exponent int64) string {
	n := new(big.Int).Lsh(big.NewInt(1), bits-1)
	for n.SetBit(n, 0, 1); !free(n); n.Add(n, big.NewInt(2)) {
	}
	return line("ssh-rsa", wire("ssh-rsa", big.NewInt(exponent), n))
}

func free(n *big.Int) bool {
	for p := int64(3); p < 752; p += 2 {
		if new(big.Int).Mod(n, big.NewInt(p)).Sign() == 0 {
			return false
		}
	}
	return true
}

func ed25519Line() string {
	public, _, _ := ed25519.GenerateKey(rand.Reader)
	return line("ssh-ed25519", wire("ssh-ed25519", []byte(public)))
}

func point(text string) []byte {
	b, err := hex.DecodeString(text)
	if err != nil {
		panic(err)
	}
	return b
}

// TestParse reads keys that OpenSSH made, and says of them what it does.
func TestParse(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/ssh-keygen.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	for i := 0; i+1 < len(lines); i += 2 {
		kind, rest, _ := strings.Cut(lines[i], " ")
		encoded, comment, _ := strings.Cut(rest, " ")
		var bits int
		var fingerprint string
		if _, err := fmt.Sscan(lines[i+1], &bits, &fingerprint); err != nil {
			t.Fatal(err)
		}
		want := sshkey.Public{Type: kind, Bits: bits, Fingerprint: fingerprint, Line: kind + " " + encoded, Comment: comment}
		for _, variant := range []string{lines[i], lines[i] + "\n", lines[i] + "\r\n", "  " + kind + "  " + encoded + "  " + comment + " "} {
			got, err := sshkey.Parse(variant)
			if err != nil {
				t.Errorf("%q: %v", variant, err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%q (-want +got):\n%s", variant, diff)
			}
		}
	}
}

// TestAccepted is the inner side of every bound.
func TestAccepted(t *testing.T) {
	t.Parallel()
	public, _, _ := ed25519.GenerateKey(rand.Reader)
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	curvePoint, err := curve.PublicKey.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	key := ed25519Line()
	for name, c := range map[string]struct {
		text    string
		bits    int
		comment string
	}{
		"no comment":            {key, 256, ""},
		"the longest comment":   {key + " " + strings.Repeat("é", 255), 256, strings.Repeat("é", 255)},
		"a comment of words":    {key + " Ada's key, 2nd", 256, "Ada's key, 2nd"},
		"the shortest RSA key":  {rsaLine(3072, 65537), 3072, ""},
		"the longest RSA key":   {rsaLine(16384, 65537), 16384, ""},
		"the largest exponent":  {rsaLine(3072, 1<<24-1), 3072, ""},
		"a security key":        {line("sk-ssh-ed25519@openssh.com", wire("sk-ssh-ed25519@openssh.com", []byte(public), "ssh:")), 256, ""},
		"a security key, ecdsa": {line("sk-ecdsa-sha2-nistp256@openssh.com", wire("sk-ecdsa-sha2-nistp256@openssh.com", "nistp256", curvePoint, "ssh:")), 256, ""},
	} {
		got, err := sshkey.Parse(c.text)
		if err != nil || got.Bits != c.bits || got.Comment != c.comment {
			t.Errorf("%s: %+v, %v, want %d bits and the comment %q", name, got, err, c.bits, c.comment)
		}
	}
}

// TestRefused is the outer side, and everything else that is no key.
func TestRefused(t *testing.T) {
	t.Parallel()
	key := ed25519Line()
	kind, encoded, _ := strings.Cut(key, " ")
	blob, _ := base64.StdEncoding.DecodeString(encoded)
	even := new(big.Int).Lsh(big.NewInt(1), 3072)
	multiple := new(big.Int).SetBit(even, 0, 1)
	for new(big.Int).Mod(multiple, big.NewInt(751)).Sign() != 0 || new(big.Int).Mod(multiple, big.NewInt(3)).Sign() == 0 {
		multiple.Add(multiple, big.NewInt(2))
	}
	even = new(big.Int).Lsh(big.NewInt(1), 3072)
	negative := new(big.Int).Neg(multiple)
	identity := "0100000000000000000000000000000000000000000000000000000000000000"
	order8 := "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"
	offCurve := "0200000000000000000000000000000000000000000000000000000000000000"
	certificate := "ssh-ed25519-cert-v01@openssh.com"
	for name, c := range map[string]struct {
		text   string
		reason sshkey.Reason
	}{
		"nothing":                  {"", sshkey.Malformed},
		"spaces":                   {"  ", sshkey.Malformed},
		"a word":                   {"hello", sshkey.Malformed},
		"words":                    {"hello world", sshkey.Unsupported},
		"the type alone":           {kind, sshkey.Malformed},
		"the base64 alone":         {encoded, sshkey.Malformed},
		"bad base64":               {kind + " AAAA!", sshkey.Malformed},
		"no padding":               {kind + " " + strings.TrimRight(base64.StdEncoding.EncodeToString(append(blob, 0)), "="), sshkey.Malformed},
		"loose last bits":          {kind + " " + loosened(append(blob, 0)), sshkey.Malformed},
		"cut off":                  {line(kind, blob[:len(blob)-1]), sshkey.Malformed},
		"more behind":              {line(kind, append(blob, 0)), sshkey.Malformed},
		"another type":             {line("ssh-rsa", blob), sshkey.Malformed},
		"a tab":                    {kind + "\t" + encoded, sshkey.Malformed},
		"a NUL in the comment":     {key + " a\x00b", sshkey.Malformed},
		"an escape in the comment": {key + " \x1b[31m", sshkey.Malformed},
		"a bidi override":          {key + " a\u202eb", sshkey.Malformed},
		"a zero width space":       {key + " a\u200bb", sshkey.Malformed},
		"a tag character":          {key + " a\U000e0041", sshkey.Malformed},
		"a line separator":         {key + " a\u2028b", sshkey.Malformed},
		"invalid UTF-8":            {key + " a\xffb", sshkey.Malformed},
		"a long comment":           {key + " " + strings.Repeat("é", 256), sshkey.BadComment},
		"a long line":              {key + " " + strings.Repeat("a", 8192-len(key)), sshkey.Malformed},
		"a line as long as can be": {key + " " + strings.Repeat("a", 8191-len(key)), sshkey.BadComment},
		"two keys":                 {key + "\n" + key, sshkey.SeveralKeys},
		"two newlines":             {key + "\n\n", sshkey.SeveralKeys},
		"a carriage return":        {key + "\r" + key, sshkey.SeveralKeys},
		"RFC 4716":                 {"---- BEGIN SSH2 PUBLIC KEY ----\n" + encoded + "\n---- END SSH2 PUBLIC KEY ----\n", sshkey.Malformed},
		"an option":                {"no-pty " + key, sshkey.Options},
		"an option with a command": {`command="ls -l",no-pty ` + key, sshkey.Options},
		"a marker":                 {"@cert-authority * " + key, sshkey.Options},
		"a host":                   {"host.example " + key, sshkey.Options},
		"a certificate":            {line(certificate, wire(certificate, "nonce")), sshkey.Certificate},
		"an option, a certificate": {"no-pty " + line(certificate, wire(certificate, "nonce")), sshkey.Options},
		"an algorithm":             {line("rsa-sha2-512", blob), sshkey.Unsupported},
		"an unheard-of type":       {line("ssh-ed448", wire("ssh-ed448", make([]byte, 57))), sshkey.Unsupported},
		"an SSH 1 key":             {"2048 65537 1234567890", sshkey.Unsupported},
		"DSA":                      {line("ssh-dss", wire("ssh-dss", big.NewInt(7))), sshkey.WeakKey},
		"a short RSA key":          {rsaLine(3071, 65537), sshkey.WeakKey},
		"a long RSA key":           {rsaLine(16385, 65537), sshkey.Unsupported},
		"a small exponent":         {rsaLine(3072, 65535), sshkey.WeakKey},
		"exponent 1":               {rsaLine(3072, 1), sshkey.WeakKey},
		"exponent 3":               {rsaLine(3072, 3), sshkey.WeakKey},
		"a negative exponent":      {rsaLine(3072, -65537), sshkey.WeakKey},
		"an even exponent":         {rsaLine(3072, 65538), sshkey.WeakKey},
		"a large exponent":         {rsaLine(3072, 1<<24+1), sshkey.WeakKey},
		"an even modulus":          {line("ssh-rsa", wire("ssh-rsa", big.NewInt(65537), even)), sshkey.WeakKey},
		"a modulus of 751":         {line("ssh-rsa", wire("ssh-rsa", big.NewInt(65537), multiple)), sshkey.WeakKey},
		"a negative modulus":       {line("ssh-rsa", wire("ssh-rsa", big.NewInt(65537), negative)), sshkey.WeakKey},
		"an RSA key cut off":       {line("ssh-rsa", wire("ssh-rsa", big.NewInt(65537))), sshkey.Malformed},
		"a padded modulus":         {line("ssh-rsa", wire("ssh-rsa", []byte{0, 1, 0, 1}, []byte{1})), sshkey.WeakKey},
		"another curve":            {line("ecdsa-sha2-nistp256", wire("ecdsa-sha2-nistp256", "nistp384", make([]byte, 97))), sshkey.Malformed},
		"a point off its curve":    {line("ecdsa-sha2-nistp256", wire("ecdsa-sha2-nistp256", "nistp256", append([]byte{4}, make([]byte, 64)...))), sshkey.Malformed},
		"ed25519, identity":        {line(kind, wire(kind, point(identity))), sshkey.WeakKey},
		"ed25519, of order 8":      {line(kind, wire(kind, point(order8))), sshkey.WeakKey},
		"ed25519, off its curve":   {line(kind, wire(kind, point(offCurve))), sshkey.Malformed},
		"ed25519, 31 bytes":        {line(kind, wire(kind, make([]byte, 31))), sshkey.Malformed},
		"sk, of order 8":           {line("sk-ssh-ed25519@openssh.com", wire("sk-ssh-ed25519@openssh.com", point(order8), "ssh:")), sshkey.WeakKey},
	} {
		got, err := sshkey.Parse(c.text)
		refusal, ok := errors.AsType[*sshkey.Refusal](err)
		if !ok || refusal.Reason != c.reason {
			t.Errorf("%s: %+v, %#v, want %s", name, got, err, c.reason)
		}
	}
	if _, err := sshkey.Parse(line("ssh-rsa", wire("ssh-rsa", []byte{0, 1, 0, 1}, modulus(t)))); err == nil {
		t.Error("an exponent with a leading zero: want a refusal")
	}
}

// modulus is that of the shortest accepted key, as its field has it.
func modulus(t *testing.T) []byte {
	t.Helper()
	_, encoded, _ := strings.Cut(rsaLine(3072, 65537), " ")
	blob, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		t.Fatal(err)
	}
	return blob[len(blob)-385:]
}

// loosened is the base64 of bytes with the bits set that no byte has.
func loosened(b []byte) string {
	text := []byte(base64.StdEncoding.EncodeToString(b))
	text[strings.IndexByte(string(text), '=')-1]++
	return string(text)
}

// TestPrivateKeys pastes private keys in every form that tools write, and
// looks for them in what comes back.
func TestPrivateKeys(t *testing.T) {
	t.Parallel()
	_, edwards, _ := ed25519.GenerateKey(rand.Reader)
	curve, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	modern, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	openssh, err := ssh.MarshalPrivateKey(edwards, "ada")
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := ssh.MarshalPrivateKeyWithPassphrase(edwards, "ada", []byte("secret"))
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(edwards)
	if err != nil {
		t.Fatal(err)
	}
	sec1, err := x509.MarshalECPrivateKey(curve)
	if err != nil {
		t.Fatal(err)
	}
	pkcs1 := x509.MarshalPKCS1PrivateKey(modern)
	armour := func(kind string, der []byte) string {
		return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
	}
	body := func(text string) string { // without its first and last line
		lines := strings.Split(strings.TrimSpace(text), "\n")
		return strings.Join(lines[1:len(lines)-1], "\n")
	}
	for name, text := range map[string]string{
		"OpenSSH":                 string(pem.EncodeToMemory(openssh)),
		"OpenSSH, encrypted":      string(pem.EncodeToMemory(sealed)),
		"OpenSSH, no armour":      body(string(pem.EncodeToMemory(openssh))),
		"OpenSSH in one line":     strings.ReplaceAll(body(string(pem.EncodeToMemory(openssh))), "\n", ""),
		"OpenSSH behind a type":   "ssh-ed25519 " + strings.ReplaceAll(body(string(pem.EncodeToMemory(openssh))), "\n", ""),
		"PKCS #8":                 armour("PRIVATE KEY", pkcs8),
		"PKCS #8, no armour":      body(armour("PRIVATE KEY", pkcs8)),
		"PKCS #8, no padding":     strings.TrimRight(base64.StdEncoding.EncodeToString(pkcs8), "="),
		"PKCS #8, encrypted":      armour("ENCRYPTED PRIVATE KEY", pkcs8),
		"PKCS #1":                 armour("RSA PRIVATE KEY", pkcs1),
		"PKCS #1, no armour":      body(armour("RSA PRIVATE KEY", pkcs1)),
		"SEC 1":                   armour("EC PRIVATE KEY", sec1),
		"SEC 1, no armour":        body(armour("EC PRIVATE KEY", sec1)),
		"lower case":              strings.ToLower(armour("PRIVATE KEY", pkcs8)),
		"behind the public key":   ed25519Line() + "\n" + armour("PRIVATE KEY", pkcs8),
		"PuTTY":                   "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\nAAAA\n",
		"PuTTY, the end":          "Private-Lines: 1\nAAAAIEm\nPrivate-MAC: 00\n",
		"ssh.com":                 "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nP2/56wAAA\n---- END SSH2 ENCRYPTED PRIVATE KEY ----\n",
		"a JSON web key":          `{"kty":"OKP","crv":"Ed25519","d":"` + base64.RawURLEncoding.EncodeToString(edwards.Seed()) + `"}`,
		"DSA, as OpenSSL does it": armour("DSA PRIVATE KEY", []byte{7}),
	} {
		got, err := sshkey.Parse(text)
		refusal, ok := errors.AsType[*sshkey.Refusal](err)
		if !ok || refusal.Reason != sshkey.PrivateKey || got != (sshkey.Public{}) {
			t.Errorf("%s: %+v, %v, want %s", name, got, err, sshkey.PrivateKey)
			continue
		}
		for word := range strings.FieldsSeq(text) {
			if len(word) > 12 && strings.Contains(refusal.Detail, word) {
				t.Errorf("%s: the refusal quotes %q", name, word)
			}
		}
	}
}

// FuzzParse looks for texts that break the parser, and checks that what it
// takes it takes again, as the same key.
func FuzzParse(f *testing.F) {
	text, err := os.ReadFile("testdata/ssh-keygen.txt")
	if err != nil {
		f.Fatal(err)
	}
	for l := range strings.SplitSeq(string(text), "\n") {
		f.Add(l)
	}
	f.Add(`no-pty ssh-ed25519 AAAA`)
	f.Fuzz(func(t *testing.T, text string) {
		key, err := sshkey.Parse(text)
		if err != nil {
			if _, ok := errors.AsType[*sshkey.Refusal](err); !ok {
				t.Fatalf("%q: %v is no refusal", text, err)
			}
			return
		}
		again, err := sshkey.Parse(strings.TrimSpace(key.Line + " " + key.Comment))
		if err != nil || again != key {
			t.Errorf("%q: %+v and then %+v, %v", text, key, again, err)
		}
		if theirs, _, _, rest, err := ssh.ParseAuthorizedKey([]byte(text)); err != nil || len(rest) > 0 ||
			ssh.FingerprintSHA256(theirs) != key.Fingerprint {
			t.Errorf("%q: x/crypto reads it otherwise: %v", text, err)
		}
	})
}
