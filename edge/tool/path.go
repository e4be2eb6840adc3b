package tool

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	errEmpty   = errors.New("must not be empty")
	errDots    = errors.New(`must not be "." or ".."`)
	errSlash   = errors.New(`must not hold / or \`)
	errControl = errors.New("must not hold control characters")
	errEncoded = errors.New("must not be percent-encoded: give the plain value")
)

// appendPath writes the value of a placeholder.
func appendPath(dst []byte, name string, s Style, v value) ([]byte, error) {
	if v.shape == absent {
		return dst, errEmpty
	}
	if err := checkValue(v, s.has(Slash)); err != nil {
		return dst, err
	}
	x := &simpleSyntax
	switch s.kind() {
	case Label:
		x = &labelSyntax
		if s.has(Explode) && v.shape != single {
			if err := separable(v, x.each); err != nil {
				return dst, err
			}
		}
	case Matrix:
		x = &matrixSyntax
	}
	return x.append(dst, name, s.has(Explode), v)
}

// checkValue holds every text of a value to checkSegment.
func checkValue(v value, slash bool) error {
	if v.shape == single {
		return checkSegment(v.text, slash)
	}
	for _, s := range v.list {
		if err := checkSegment(s, slash); err != nil {
			return err
		}
	}
	for _, m := range v.fields {
		s, _, err := scalar(m.raw)
		if err != nil {
			return err
		}
		for _, part := range []string{m.name, s} {
			if err := checkSegment(part, slash); err != nil {
				return err
			}
		}
	}
	return nil
}

// maxLayers bounds how often a value may have been percent-encoded before it
// came here.
const maxLayers = 4

// checkSegment refuses a text that, sent percent-encoded once, could be more
// or less than one segment to some server (E-11): also to one that decodes once
// too often, or that reads overlong UTF-8.
func checkSegment(s string, slash bool) error {
	for range maxLayers {
		if err := checkPlain(s, slash); err != nil {
			return err
		}
		decoded := unescape(s)
		if decoded == s {
			return nil
		}
		s = decoded
	}
	return errEncoded
}

func checkPlain(s string, slash bool) error {
	if s == "" {
		return errEmpty
	}
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 && overlong(s[i:]) {
			return errEncoded
		}
		if unicode.IsControl(r) {
			return errControl
		}
		i += n
	}
	if !slash && strings.ContainsAny(s, `/\`) {
		return errSlash
	}
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '/' || r == '\\' }) {
		// Some servers cut parameters off a segment before they resolve dots.
		if part, _, _ = strings.Cut(part, ";"); part == "." || part == ".." {
			return errDots
		}
	}
	return nil
}

// overlong reports whether s starts like an ASCII character in more bytes than
// it needs.
func overlong(s string) bool {
	if len(s) < 2 {
		return false
	}
	switch a, b := s[0], s[1]; a {
	case 0xc0, 0xc1:
		return b&0xc0 == 0x80
	case 0xe0:
		return b&0xe0 == 0x80
	case 0xf0:
		return b&0xf0 == 0x80
	}
	return false
}

// unescape decodes every valid %XX, and the %uXXXX of some servers, once and
// leaves everything else.
func unescape(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if r, ok := wide(s[i:]); ok {
			b = utf8.AppendRune(b, r)
			i += 5
			continue
		}
		if s[i] == '%' && i+2 < len(s) {
			hi, lo := unhex(s[i+1]), unhex(s[i+2])
			if hi >= 0 && lo >= 0 {
				b = append(b, byte(hi<<4|lo))
				i += 2
				continue
			}
		}
		b = append(b, s[i])
	}
	return string(b)
}

// wide reads the %uXXXX that a text may begin with.
func wide(s string) (r rune, ok bool) {
	if len(s) < 6 || s[0] != '%' || s[1]|0x20 != 'u' {
		return 0, false
	}
	for i := 2; i < 6; i++ {
		digit := unhex(s[i])
		if digit < 0 {
			return 0, false
		}
		r = r<<4 | rune(digit)
	}
	return r, true
}

func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// expandTemplate puts the values into the template. The result starts with a
// slash and has no segment that a server would resolve.
func expandTemplate(template string, values []segment) (string, error) {
	var b strings.Builder
	size := len(template) + 1
	for _, v := range values {
		size += len(v.text)
	}
	b.Grow(size)
	if !strings.HasPrefix(template, "/") {
		b.WriteByte('/')
	}
	for rest := template; rest != ""; {
		literal, after, found := strings.Cut(rest, "{")
		b.WriteString(literal)
		if !found {
			break
		}
		name, tail, closed := strings.Cut(after, "}")
		i := 0
		for i < len(values) && values[i].name != name {
			i++
		}
		if !closed || i == len(values) {
			return "", fmt.Errorf("path %s: placeholder {%s} has no value", template, name)
		}
		b.WriteString(values[i].text)
		rest = tail
	}
	path := b.String()
	if hasDots(path) {
		return "", &ArgumentError{Where: "path", Message: errDots.Error()}
	}
	return path, nil
}

// hasDots reports whether an encoded path has a segment . or .. in it.
func hasDots(path string) bool {
	for part := range strings.SplitSeq(path, "/") {
		switch len(part) {
		case 1, 2, 3, 4, 6:
			if plain := unescape(part); plain == "." || plain == ".." {
				return true
			}
		}
	}
	return false
}
