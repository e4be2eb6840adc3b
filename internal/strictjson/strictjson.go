// Package strictjson decodes JSON without the leniency of encoding/json: a
// member twice, an unknown member, a name in another letter case, null, a value
// of the wrong type and trailing bytes are problems, and all of them are
// reported at once, each with its place.
package strictjson

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
)

// Problems are the faults of one text, in the order in which they stand.
type Problems []string

// Error lists one problem a line.
func (ps Problems) Error() string { return strings.Join(ps, "\n") }

// Unmarshal decodes data of the shape that Shape allows into v, a pointer to a
// struct. Its error is Problems.
// Members that decode themselves (json.Unmarshaler, encoding.TextUnmarshaler)
// are checked for duplicates only.
func Unmarshal(data []byte, v any) error {
	if err := Shape(data); err != nil {
		return Problems{err.Error()}
	}
	w := walker{data: data, decoder: json.NewDecoder(bytes.NewReader(data))}
	if err := w.document(reflect.TypeOf(v)); err != nil {
		return append(w.problems, syntax(data, err))
	}
	if len(w.problems) > 0 {
		return w.problems
	}
	if err := json.Unmarshal(data, v); err != nil {
		return Problems{strings.TrimPrefix(err.Error(), "json: ")}
	}
	return nil
}

// walker reads the tokens of one value beside the type that will hold it; a
// nil type means that any member is known.
type walker struct {
	data     []byte
	decoder  *json.Decoder
	problems Problems
}

func (w *walker) document(t reflect.Type) error {
	w.decoder.UseNumber()
	if err := w.value("", t); err != nil {
		return err
	}
	if _, err := w.decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one value")
	}
	return nil
}

func (w *walker) value(path string, t reflect.Type) error {
	start := w.decoder.InputOffset()
	token, err := w.decoder.Token()
	if err != nil {
		return err
	}
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if token == nil {
		w.report(path, "null is not a value here; leave the member out")
		return nil
	}
	if t != nil && decodesItself(t) {
		if err := w.inside(path, nil, token); err != nil {
			return err
		}
		w.decode(path, t, w.data[start:w.decoder.InputOffset()])
		return nil
	}
	if want, ok := fits(t, token); !ok {
		w.report(path, "expected "+want+", got "+describe(token))
		t = nil
	}
	return w.inside(path, t, token)
}

// inside reads on behind the first token of a value.
func (w *walker) inside(path string, t reflect.Type, token json.Token) error {
	switch token {
	case json.Delim('{'):
		return w.object(path, t)
	case json.Delim('['):
		var element reflect.Type
		if t != nil && t.Kind() == reflect.Slice {
			element = t.Elem()
		}
		for i := 0; w.decoder.More(); i++ {
			if err := w.value(fmt.Sprintf("%s[%d]", path, i), element); err != nil {
				return err
			}
		}
		_, err := w.decoder.Token()
		return err
	}
	return nil
}

// decode lets a type that decodes itself judge its text.
func (w *walker) decode(path string, t reflect.Type, text []byte) {
	text = bytes.TrimLeft(text, " \t\r\n:,")
	if err := json.Unmarshal(text, reflect.New(t).Interface()); err != nil {
		w.report(path, strings.TrimPrefix(err.Error(), "json: "))
	}
}

// fits reports whether a value that begins with the token can be one of type
// t, and else what it must be.
func fits(t reflect.Type, token json.Token) (want string, ok bool) {
	if t == nil {
		return "", true
	}
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return "an object", token == json.Delim('{')
	case reflect.Slice, reflect.Array:
		return "an array", token == json.Delim('[')
	case reflect.String:
		_, ok = token.(string)
		return "a string", ok
	case reflect.Bool:
		_, ok = token.(bool)
		return "true or false", ok
	case reflect.Interface:
		return "", true
	default:
		number, _ := token.(json.Number)
		want = "a number without fraction that is not too large"
		if t.Kind() == reflect.Float64 || t.Kind() == reflect.Float32 {
			want = "a number"
		}
		return want, json.Unmarshal([]byte(number), reflect.New(t).Interface()) == nil
	}
}

// describe is a word for the kind of value that begins with the token.
func describe(token json.Token) string {
	switch token := token.(type) {
	case json.Delim:
		return map[json.Delim]string{'{': "an object", '[': "an array"}[token]
	case string:
		return "a string"
	case bool:
		return fmt.Sprint(token)
	default:
		return fmt.Sprintf("%.40v", token)
	}
}

func (w *walker) object(path string, t reflect.Type) error {
	seen := map[string]bool{}
	for w.decoder.More() {
		token, err := w.decoder.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string) // the decoder has seen to it that names are strings
		at := strings.TrimPrefix(path+"."+name, ".")
		if seen[name] {
			w.report(at, "stands twice")
		}
		seen[name] = true
		member, known := memberType(t, name)
		if !known {
			w.report(at, "unknown member"+suggestion(t, name))
		}
		if err := w.value(at, member); err != nil {
			return err
		}
	}
	_, err := w.decoder.Token()
	return err
}

func (w *walker) report(path, message string) {
	if path == "" {
		path = "the text"
	}
	w.problems = append(w.problems, path+": "+message)
}

// memberType returns the type of a member of t and whether t has it.
func memberType(t reflect.Type, name string) (reflect.Type, bool) {
	switch {
	case t == nil || decodesItself(t):
		return nil, true
	case t.Kind() == reflect.Map:
		return t.Elem(), true
	case t.Kind() != reflect.Struct:
		return nil, true // the wrong type: encoding/json says so
	}
	for field := range t.Fields() {
		if tag, _, _ := strings.Cut(field.Tag.Get("json"), ","); tag == name && field.Tag.Get("json") != "-" {
			return field.Type, true
		}
	}
	return nil, false
}

func suggestion(t reflect.Type, name string) string {
	for field := range t.Fields() {
		if tag, _, _ := strings.Cut(field.Tag.Get("json"), ","); strings.EqualFold(tag, name) {
			return fmt.Sprintf(", did you mean %q", tag)
		}
	}
	return ""
}

func decodesItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) || p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

func syntax(data []byte, err error) string {
	if s, ok := errors.AsType[*json.SyntaxError](err); ok {
		line := 1 + bytes.Count(data[:min(int(s.Offset), len(data))], []byte("\n"))
		return fmt.Sprintf("line %d: %v", line, s)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return "the text ends too early"
	}
	return err.Error()
}
