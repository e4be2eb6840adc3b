package tool

import (
	"errors"
	"strings"
)

var (
	errHeaderName  = errors.New("is not the name of a header")
	errHeaderOwner = errors.New("is not a header that arguments may set")
	errHeaderText  = errors.New("must not hold control characters")
)

// ownHeaders are set by the gateway and its connections alone: framing,
// credentials, the route of a request and its method.
var ownHeaders = map[string]bool{
	"accept-encoding": true, "authorization": true, "cf-connecting-ip": true, "client-ip": true,
	"connection": true, "content-encoding": true, "content-length": true, "content-type": true,
	"cookie": true, "cookie2": true, "expect": true, "forwarded": true, "host": true,
	"http2-settings": true, "keep-alive": true, "te": true, "trailer": true, "transfer-encoding": true,
	"true-client-ip": true, "upgrade": true, "via": true, "x-client-ip": true,
	"x-cluster-client-ip": true, "x-forwarded": true, "x-http-method": true,
	"x-http-method-override": true, "x-method-override": true, "x-original-host": true,
	"x-original-url": true, "x-real-ip": true, "x-rewrite-url": true,
}

// OwnHeader reports whether no argument may set the header of this name (E-04).
// An underscore counts as a hyphen, since many servers take one for the other.
func OwnHeader(name string) bool {
	name = strings.ReplaceAll(strings.ToLower(name), "_", "-")
	return ownHeaders[name] || strings.HasPrefix(name, "proxy-") || strings.HasPrefix(name, "x-forwarded-")
}

// headerValue is the text of a header, which is not percent-encoded.
func headerValue(name string, s Style, v value) (string, error) {
	if !isToken(name) {
		return "", errHeaderName
	}
	if OwnHeader(name) {
		return "", errHeaderOwner
	}
	if err := v.eachText(unpadded); err != nil {
		return "", err
	}
	text := v.text
	if v.shape != single {
		if err := separable(v, ","); err != nil {
			return "", err
		}
		joined, err := headerSyntax.append(nil, name, s.has(Explode), v)
		if err != nil {
			return "", err
		}
		text = string(joined)
	}
	if !isHeaderText(text) {
		return "", errHeaderText
	}
	return text, nil
}

// unpadded refuses white space around a text: it is not part of a header's
// value, so the text would arrive as another.
func unpadded(s string) error {
	if strings.Trim(s, " \t") != s {
		return errBlanks
	}
	return nil
}

func isToken(name string) bool {
	for i := range len(name) {
		if c := name[i]; !token[c] && c != '%' {
			return false
		}
	}
	return name != ""
}

func isHeaderText(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\t' || c == 0x7f {
			return false
		}
	}
	return true
}
