package broker

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"unicode"
	"unicode/utf8"
)

// maxParameter bounds one parameter of a request, in bytes.
const maxParameter = 4096

// single judges parameters: each at most once (RFC 6749, 3.1), of a sane size,
// plain text.
func single(q url.Values) error {
	for name, values := range q {
		if len(values) > 1 {
			return fmt.Errorf("%s stands more than once", cut(name))
		}
		value := values[0]
		if len(value) > maxParameter {
			return fmt.Errorf("%s is too long", cut(name))
		}
		if !utf8.ValidString(value) {
			return fmt.Errorf("%s is not UTF-8", cut(name))
		}
		for _, r := range value {
			if unicode.IsControl(r) {
				return fmt.Errorf("%s has a control character", cut(name))
			}
		}
	}
	return nil
}

// cut keeps a name that somebody sent short and harmless.
func cut(name string) string {
	kept := make([]rune, 0, 40)
	for _, r := range name {
		if r < ' ' || r > '~' || r == '"' || r == '\\' {
			r = '?'
		}
		if kept = append(kept, r); len(kept) == 40 {
			break
		}
	}
	return string(kept)
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
		return nil, errors.New("the body is no form, or too large")
	}
	return r.PostForm, single(r.PostForm)
}

// printable reports whether a character may stand in a text that a person
// reads: none that is invisible or turns the direction of others.
func printable(r rune) bool {
	return unicode.IsPrint(r) && !unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Bidi_Control, r)
}
