package broker

import (
	"errors"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxParameter bounds one parameter of a request, in bytes.
const maxParameter = 4096

// single judges parameters: each at most once (RFC 6749, 3.1), of a sane size,
// without control characters.
func single(q url.Values) error {
	for _, name := range slices.Sorted(maps.Keys(q)) {
		values := q[name]
		if len(values) > 1 {
			return fmt.Errorf("%s stands more than once", cut(name, 40))
		}
		value := values[0]
		if len(value) > maxParameter {
			return fmt.Errorf("%s is too long", cut(name, 40))
		}
		if !utf8.ValidString(value) {
			return fmt.Errorf("%s is not UTF-8", cut(name, 40))
		}
		for _, r := range value {
			if unicode.IsControl(r) {
				return fmt.Errorf("%s has a control character", cut(name, 40))
			}
		}
	}
	return nil
}

// cut keeps a text that somebody sent short and harmless.
func cut(text string, most int) string {
	kept := make([]rune, 0, most)
	for _, r := range text {
		if r < ' ' || r > '~' || r == '"' || r == '\\' {
			r = '?'
		}
		if kept = append(kept, r); len(kept) == most {
			break
		}
	}
	return string(kept)
}

// query reads the parameters of an address.
func query(r *http.Request) (url.Values, error) {
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, errors.New("the address is not encoded as one")
	}
	return q, single(q)
}

// form reads the body of an endpoint for programs: form fields, none in the
// query (RFC 6749, 3.2).
func form(r *http.Request) (url.Values, error) {
	if r.URL.RawQuery != "" {
		return nil, errors.New("parameters belong into the body")
	}
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/x-www-form-urlencoded" {
		return nil, errors.New("the body must be application/x-www-form-urlencoded")
	}
	if err := r.ParseForm(); err != nil {
		return nil, errors.New("the body is no form")
	}
	return r.PostForm, single(r.PostForm)
}

// maxText bounds what a token says of somebody, in bytes.
const maxText = 512

// plain reports whether a text can be a claim of a token: not empty, not too
// long, without control characters and without white space around it.
func plain(text string) bool {
	return text != "" && len(text) <= maxText && utf8.ValidString(text) && strings.TrimSpace(text) == text &&
		!strings.ContainsFunc(text, unicode.IsControl)
}

// printable reports whether a character may stand in a text that a person
// reads: none that is invisible or turns the direction of others.
func printable(r rune) bool {
	const blank = '\u2800' // a braille cell without a dot
	return unicode.IsPrint(r) && r != blank &&
		!unicode.In(r, unicode.Cf, unicode.Bidi_Control, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
