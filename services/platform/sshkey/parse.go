package sshkey

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/ssh"
)

// The longest texts: a line in bytes (an RSA key of 16384 bits takes 2,800)
// and its comment in characters.
const (
	maxLine    = 8192
	maxComment = 255
)

// certificate ends the name of every type of certificate.
const certificate = "-cert-v01@openssh.com"

// accepted lists the types of keys that may be added.
var accepted = []string{
	ssh.KeyAlgoED25519, ssh.KeyAlgoSKED25519,
	ssh.KeyAlgoECDSA256, ssh.KeyAlgoECDSA384, ssh.KeyAlgoECDSA521, ssh.KeyAlgoSKECDSA256,
	ssh.KeyAlgoRSA,
}

// Public is a public key that passed every check.
type Public struct {
	Type        string // as SSH names it, e.g. ssh-ed25519
	Bits        int    // of the modulus or the curve
	Fingerprint string // SHA256:… as ssh-keygen -l prints it
	Line        string // type and base64, without the comment
	Comment     string
}

// Parse reads one line as an authorized_keys file or an id_*.pub file has it:
// the type, the key in base64 and perhaps a comment. The key must be written
// in its one canonical form and be strong enough (see weakness). What is not
// accepted gives a *Refusal, which quotes nothing of the text; no other error
// is returned.
func Parse(text string) (Public, error) {
	line, err := oneLine(text)
	if err != nil {
		return Public{}, err
	}
	kind, rest, _ := strings.Cut(line, " ")
	if err := checkType(kind, rest); err != nil {
		return Public{}, err
	}
	encoded, comment, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	comment = strings.TrimLeft(comment, " ")
	if utf8.RuneCountInString(comment) > maxComment {
		return Public{}, refuse(BadComment, "the comment must have at most 255 characters")
	}
	blob, err := base64.StdEncoding.Strict().DecodeString(encoded)
	if err != nil || encoded == "" {
		return Public{}, refuse(Malformed, "the text after the type is no base64; copy the whole line of the .pub file")
	}
	if name, ok := typeOf(blob); !ok || name != kind {
		return Public{}, refuse(Malformed, "the key is of another type than the line says, or is cut off")
	}
	if err := weakness(kind, blob); err != nil {
		return Public{}, err
	}
	key, err := ssh.ParsePublicKey(blob)
	if err != nil || !bytes.Equal(key.Marshal(), blob) {
		return Public{}, refuse(Malformed, "the key is damaged or cut off; copy the whole line of the .pub file")
	}
	return Public{
		Type: kind, Bits: bits(kind, blob), Fingerprint: ssh.FingerprintSHA256(key), Line: kind + " " + encoded,
		Comment: comment,
	}, nil
}

// oneLine gives the only line of a text, without the spaces around it.
func oneLine(text string) (string, error) {
	if len(text) > maxLine {
		return "", refuse(Malformed, "a key must have at most 8192 bytes")
	}
	if private(text) {
		return "", refuse(PrivateKey, "this is a private key: it was not stored, but consider it disclosed, replace it, "+
			"and add the public key, whose file ends in .pub")
	}
	line := strings.TrimSuffix(strings.TrimSuffix(text, "\n"), "\r")
	switch {
	case strings.HasPrefix(line, "----"):
		return "", refuse(Malformed, "the key is in another format; convert it with ssh-keygen -i")
	case strings.ContainsAny(line, "\r\n"):
		return "", refuse(SeveralKeys, "there must be one key, in one line")
	case !plain(line):
		return "", refuse(Malformed, "control characters, invisible characters and tabs are not allowed")
	}
	line = strings.Trim(line, " ")
	if line == "" {
		return "", refuse(Malformed, "there is no key")
	}
	return line, nil
}

// checkType tells whether a line begins with an accepted type, and if not, as
// what it is refused.
func checkType(kind, rest string) error {
	switch {
	case slices.Contains(accepted, kind):
		return nil
	case kind == "ssh-dss":
		return refuse(WeakKey, "DSA keys are too weak; make one with ssh-keygen -t ed25519")
	case strings.HasSuffix(kind, certificate), strings.HasSuffix(kind, "-cert-v00@openssh.com"):
		return refuse(Certificate, "certificates are not accepted; add the public key that it certifies")
	}
	for word := range strings.SplitSeq(rest, " ") {
		if slices.Contains(accepted, word) || strings.HasSuffix(word, certificate) {
			return refuse(Options, "the line must begin with the type of the key: options and markers are not accepted")
		}
	}
	if rest == "" {
		return refuse(Malformed, "the line must have the type of the key and the key; copy the whole line of the .pub file")
	}
	return refuse(Unsupported, "the type is not accepted; ed25519, ecdsa and rsa keys are, and those of security keys")
}

// typeOf reads the name that a key in its wire form begins with.
func typeOf(blob []byte) (string, bool) {
	var head struct {
		Name string
		Rest []byte `ssh:"rest"`
	}
	if ssh.Unmarshal(blob, &head) != nil {
		return "", false
	}
	return head.Name, true
}
