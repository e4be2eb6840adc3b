package tool

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// inject returns the arguments with the values in place of whatever the caller
// gave under their names. The caller's other members stay byte for byte.
func inject(arguments []byte, values map[string]json.RawMessage) ([]byte, error) {
	given, err := members(arguments)
	if err != nil {
		return nil, &ArgumentError{Where: "arguments", Message: errObject.Error()}
	}
	names := slices.Sorted(maps.Keys(values))
	merged := slices.DeleteFunc(given, func(m member) bool {
		return slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(m.name, name) })
	})
	for _, name := range names {
		merged = append(merged, member{name, values[name]})
	}
	object := []byte{'{'}
	for _, m := range merged {
		object = appendMember(object, m.name, m.raw)
	}
	return append(object, '}'), nil
}
