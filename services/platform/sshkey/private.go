package sshkey

import (
	"crypto/x509"
	"encoding/base64"
	"strings"
	"unicode"
)

// opensshMagic is how the base64 of OpenSSH's private keys begins
// ("openssh-key-v1").
const opensshMagic = "b3BlbnNzaC1rZXktdj"

// private tells whether a text has a private key in it: in OpenSSH's, PEM's,
// PuTTY's or ssh.com's armour, as a JSON web key, or as bare base64. It errs on
// the side of yes, since its answer only decides how a text is refused that is
// no line with a public key.
func private(text string) bool {
	upper := strings.ToUpper(text)
	for _, mark := range []string{"PRIVATE KEY", "PUTTY-USER-KEY-FILE", "PRIVATE-LINES:", "PRIVATE-MAC:"} {
		if strings.Contains(upper, mark) {
			return true
		}
	}
	if strings.Contains(text, opensshMagic) || strings.Contains(text, `"kty"`) && strings.Contains(text, `"d"`) {
		return true
	}
	return bareDER(text)
}

// bareDER tells whether a text is the base64 of a private key, perhaps broken
// into lines.
func bareDER(text string) bool {
	joined := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, text)
	der, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(joined, "="))
	if err != nil {
		return false
	}
	if _, err := x509.ParsePKCS8PrivateKey(der); err == nil {
		return true
	}
	if _, err := x509.ParsePKCS1PrivateKey(der); err == nil {
		return true
	}
	_, err = x509.ParseECPrivateKey(der)
	return err == nil
}

// plain tells whether every character of a text can be seen, or is a space.
func plain(text string) bool {
	for _, r := range text {
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) {
			return false
		}
	}
	return true
}
