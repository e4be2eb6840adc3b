package tool

import (
	"bytes"
	"encoding/json"
	"errors"
)

// member is one name and value of a JSON object.
type member struct {
	name string
	raw  json.RawMessage
}

var errJSON = errors.New("is not valid JSON")

// first is the byte that tells the type of a JSON value, or 0.
func first(raw json.RawMessage) byte {
	for _, c := range raw {
		if c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return c
		}
	}
	return 0
}

// scalar is the text a JSON value has outside of JSON: a string's characters,
// the spelling of a number or boolean, and for an array or object its JSON,
// compact. Null has none.
func scalar(raw json.RawMessage) (text string, given bool, err error) {
	switch first(raw) {
	case 0:
		return "", false, errJSON
	case 'n':
		return "", false, nil
	case '"':
		if err := json.Unmarshal(raw, &text); err != nil {
			return "", false, errJSON
		}
		return text, true, nil
	default:
		text, err = compact(raw)
		return text, err == nil, err
	}
}

// compact is the JSON text without insignificant space; strings and numbers
// stay as they are spelt.
func compact(raw json.RawMessage) (string, error) {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		return "", errJSON
	}
	return b.String(), nil
}

// items are the elements of a JSON array.
func items(raw json.RawMessage) ([]json.RawMessage, error) {
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, errJSON
	}
	return list, nil
}

// members are the members of a JSON object in their order.
func members(raw json.RawMessage) ([]member, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errJSON
	}
	var list []member
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, errJSON
		}
		m := member{name: name.(string)}
		if err := d.Decode(&m.raw); err != nil {
			return nil, errJSON
		}
		list = append(list, m)
	}
	if _, err := d.Token(); err != nil {
		return nil, errJSON
	}
	return list, nil
}

// marshal is the JSON of a Go value, without the escapes for HTML.
func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
