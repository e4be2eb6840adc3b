package strictjson

import (
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
	if err := json.Unmarshal(data, v, json.RejectUnknownMembers(true)); err != nil {
		if s, ok := errors.AsType[*json.SemanticError](err); ok {
			return errors.New(semantic(s))
		}
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
