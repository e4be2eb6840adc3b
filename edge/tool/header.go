package tool

import (
	"errors"
	"strings"
)

var (
	errHeaderName  = errors.New("is not the name of a header")
	errHeaderOwner = errors.New("is not a header that arguments may set")
	errHeaderText  = errors.New("must not hold control characters")
	errHeaderComma = errors.New("must not hold a comma inside an item")
)

// ownHeaders are set by the gateway and its connections alone: framing,
// credentials, the route of a request and its method.
var ownHeaders = map[string]bool{
	"accept-encoding": true, "authorization": true, "connection": true, "content-encoding": true,
	"content-length": true, "content-type": true, "cookie": true, "expect": true, "forwarded": true,
	"host": true, "keep-alive": true, "te": true, "trailer": true, "transfer-encoding": true,
	"true-client-ip": true, "upgrade": true, "via": true, "x-client-ip": true,
	"x-http-method": true, "x-http-method-override": true, "x-method-override": true,
	"x-original-url": true, "x-real-ip": true, "x-rewrite-url": true,
}

// headerValue is the text of a header, which is not percent-encoded.
func headerValue(name string, s Style, v value) (string, error) {
	if !isToken(name) {
		return "", errHeaderName
	}
	lower := strings.ToLower(name)
	if ownHeaders[lower] || strings.HasPrefix(lower, "proxy-") || strings.HasPrefix(lower, "x-forwarded-") {
		return "", errHeaderOwner
	}
	if err := separable(v); err != nil {
		return "", err
	}
	text := v.text
	if v.shape != single {
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

// separable refuses items that would read as several.
func separable(v value) error {
	for _, s := range v.list {
		if strings.Contains(s, ",") {
			return errHeaderComma
		}
	}
	for _, m := range v.fields {
		s, _, err := scalar(m.raw)
		if err != nil {
			return err
		}
		if strings.Contains(s, ",") || strings.Contains(m.name, ",") {
			return errHeaderComma
		}
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
