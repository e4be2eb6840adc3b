package strictjson

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json"
)

// Exact decodes one object, and not a byte around it, into v, a pointer to a
// struct. It refuses a member twice in any spelling, one that v does not have
// in exactly that letter case, text that is not UTF-8, half surrogates, and a
// number that is not written as an integer where v has one. null leaves a
// pointer nil, so that v can tell it from a value. Its error tells where, and
// stops at the first fault; Unmarshal finds all of them.
func Exact(data []byte, v any) error {
	if len(data) == 0 || data[0] != '{' || data[len(data)-1] != '}' {
		return errors.New("not one object and nothing else")
	}
	return decode(data, v, json.RejectUnknownMembers(true))
}

// Known is as strict as Exact about what v has, and passes over what it has
// not: for texts whose format says that more may be in them. White space may
// stand around the object, and its shape is one that Shape allows.
func Known(data []byte, v any) error {
	data = bytes.TrimSpace(data)
	if len(data) == 0 || data[0] != '{' {
		return errors.New("not an object")
	}
	if err := Shape(data); err != nil {
		return err
	}
	return decode(data, v, json.RejectUnknownMembers(false))
}

func decode(data []byte, v any, options ...json.Options) error {
	err := json.Unmarshal(data, v, options...)
	if s, ok := errors.AsType[*json.SemanticError](err); ok {
		return errors.New(semantic(s))
	}
	if err != nil {
		return errors.New("not valid JSON, or a member stands twice")
	}
	return nil
}

// semantic tells what does not fit, without the value, which may be a secret.
func semantic(err *json.SemanticError) string {
	if errors.Is(err, json.ErrUnknownName) {
		return "an unknown member"
	}
	return "the value at " + string(err.JSONPointer) + " is of another type"
}
