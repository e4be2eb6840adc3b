package tool

import (
	"encoding/json"
	"errors"
	"strconv"
	"unicode/utf8"
)

// value is the value of a parameter on its way into a request.
type value struct {
	shape  shape
	text   string   // single
	list   []string // list
	fields []member // object, without its null members
}

// shape is what kind of JSON value a parameter has.
type shape uint8

const (
	absent shape = iota
	single
	list
	object
)

var (
	errUTF8  = errors.New("must be valid UTF-8")
	errValue = errors.New("cannot be written")
)

// valueOf reads a Go value. The types that generated parameters have are read
// directly, all others through their JSON, which keeps the text of numbers.
// Values inside an array or object that are not scalar become JSON text.
func valueOf(s Style, v any) (value, error) {
	if s.kind() == JSON {
		return jsonValue(v)
	}
	switch v := v.(type) {
	case nil:
		return value{}, nil
	case string:
		return text(v)
	case *string:
		if v == nil {
			return value{}, nil
		}
		return text(*v)
	case bool:
		return value{shape: single, text: strconv.FormatBool(v)}, nil
	case *bool:
		if v == nil {
			return value{}, nil
		}
		return value{shape: single, text: strconv.FormatBool(*v)}, nil
	case int64:
		return value{shape: single, text: strconv.FormatInt(v, 10)}, nil
	case *int64:
		if v == nil {
			return value{}, nil
		}
		return value{shape: single, text: strconv.FormatInt(*v, 10)}, nil
	case json.Number:
		return number(v)
	case *json.Number:
		if v == nil {
			return value{}, nil
		}
		return number(*v)
	case []string:
		return texts(v)
	case json.RawMessage:
		return rawValue(v)
	}
	raw, err := marshal(v)
	if err != nil {
		return value{}, errValue
	}
	return rawValue(raw)
}

func text(s string) (value, error) {
	if !utf8.ValidString(s) {
		return value{}, errUTF8
	}
	return value{shape: single, text: s}, nil
}

// number keeps the text. The empty one is a number nobody gave.
func number(n json.Number) (value, error) {
	if n == "" {
		return value{}, nil
	}
	return text(string(n))
}

func texts(all []string) (value, error) {
	if len(all) == 0 {
		return value{}, nil
	}
	for _, s := range all {
		if !utf8.ValidString(s) {
			return value{}, errUTF8
		}
	}
	return value{shape: list, list: all}, nil
}

// rawValue reads a JSON value; no bytes are no value.
func rawValue(raw json.RawMessage) (value, error) {
	switch first(raw) {
	case 0:
		return value{}, nil
	case '[':
		elements, err := items(raw)
		if err != nil {
			return value{}, err
		}
		v := value{shape: list, list: make([]string, 0, len(elements))}
		for _, element := range elements {
			s, given, err := scalar(element)
			if err != nil {
				return value{}, err
			}
			if given {
				v.list = append(v.list, s)
			}
		}
		if len(v.list) == 0 {
			return value{}, nil
		}
		return v, nil
	case '{':
		all, err := members(raw)
		if err != nil {
			return value{}, err
		}
		v := value{shape: object, fields: all[:0]}
		for _, m := range all {
			if first(m.raw) != 'n' {
				v.fields = append(v.fields, m)
			}
		}
		if len(v.fields) == 0 {
			return value{}, nil
		}
		return v, nil
	default:
		s, given, err := scalar(raw)
		if err != nil || !given {
			return value{}, err
		}
		return value{shape: single, text: s}, nil
	}
}

// jsonValue is the value as JSON text; null is no value.
func jsonValue(v any) (value, error) {
	raw, ok := v.(json.RawMessage)
	if !ok {
		var err error
		if raw, err = marshal(v); err != nil {
			return value{}, errValue
		}
	}
	if c := first(raw); c == 0 || c == 'n' {
		return value{}, nil
	}
	s, err := compact(raw)
	if err != nil {
		return value{}, err
	}
	return text(s)
}
