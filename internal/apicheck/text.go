package apicheck

import (
	"bytes"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// texts refuses a request with a text that no database keeps as it is: one that
// is not UTF-8, holds NUL or, in JSON, half of a surrogate pair. A decoder
// would let the first and the last pass as U+FFFD.
func texts(r *http.Request, request any) error {
	v := reflect.ValueOf(request)
	for i := range v.NumField() {
		field, place := v.Field(i), "path"
		switch v.Type().Field(i).Name {
		case "Params":
			place = "parameters"
		case "Body":
			if err := bodyTexts(r, field); err != nil {
				return err
			}
			continue
		}
		if !plainValue(field) {
			return fault.Newf(fault.Invalid, "/%s: a text holds what is not text", place)
		}
	}
	return nil
}

// bodyTexts looks at a body that is not a stream: at the bytes of JSON, at the
// decoded value of a text or a form.
func bodyTexts(r *http.Request, decoded reflect.Value) error {
	wrong := fault.New(fault.Invalid, "/body: a text holds what is not text")
	switch {
	case decoded.Kind() != reflect.Pointer || decoded.IsNil() || decoded.Type().Elem().PkgPath() == "mime/multipart":
		return nil
	case decoded.Elem().Kind() == reflect.String || r.PostForm != nil:
		if !plainValue(decoded) {
			return wrong
		}
		return nil
	}
	body, err := keptBody(r)
	if err == nil && !plainJSON(body) {
		err = wrong
	}
	return err
}

// plainValue looks at every string in a value.
func plainValue(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String:
		return utf8.ValidString(v.String()) && !strings.Contains(v.String(), "\x00")
	case reflect.Pointer, reflect.Interface:
		return v.IsNil() || plainValue(v.Elem())
	case reflect.Struct:
		for _, field := range v.Fields() {
			if !plainValue(field) {
				return false
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if !plainValue(v.Index(i)) {
				return false
			}
		}
	case reflect.Map:
		for entries := v.MapRange(); entries.Next(); {
			if !plainValue(entries.Key()) || !plainValue(entries.Value()) {
				return false
			}
		}
	}
	return true
}

// plainJSON looks at the escapes of JSON.
func plainJSON(text []byte) bool {
	if !utf8.Valid(text) {
		return false
	}
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 || i+1 == len(text) {
			return true
		}
		text = text[i:]
		unit, ok := escaped(text)
		switch {
		case !ok:
			text = text[2:]
			continue
		case unit == 0:
			return false
		case utf16.IsSurrogate(unit):
			low, _ := escaped(text[6:])
			if utf16.DecodeRune(unit, low) == utf8.RuneError {
				return false
			}
			text = text[6:]
		}
		text = text[6:]
	}
}

// escaped reads the \uXXXX that a text begins with.
func escaped(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(n), err == nil
}
