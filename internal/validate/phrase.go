package validate

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// maxListed bounds the values or names of a schema that a message lists.
const maxListed = 12

// list joins the first of n texts.
func list(n int, text func(int) string) string {
	parts := make([]string, 0, maxListed+1)
	for i := range min(n, maxListed) {
		parts = append(parts, text(i))
	}
	if n > maxListed {
		parts = append(parts, "…")
	}
	return strings.Join(parts, ", ")
}

// show is a value of a schema as JSON, shortened.
func show(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return "a value of the schema"
	}
	return clip(string(data), maxName)
}

func oneOf(types []string) string {
	parts := make([]string, len(types))
	for i, t := range types {
		parts[i] = article(t)
	}
	return strings.Join(parts, " or ")
}

func article(kind string) string {
	switch kind {
	case "null":
		return kind
	case "object", "array", "integer":
		return "an " + kind
	}
	return "a " + kind
}

// decimal is a bound of a schema as people write it.
func decimal(r *big.Rat) string {
	if r.IsInt() {
		return clip(r.Num().String(), maxName)
	}
	return strings.TrimRight(r.FloatString(20), "0")
}

// maxParts bounds how far a composition is followed for the sake of a message.
const maxParts = 8

// typesOf are the types that a schema admits as far as it says so; none if it
// does not.
func typesOf(s *jsonschema.Schema, depth int) []string {
	if len(s.Types) > 0 || depth > maxParts {
		return s.Types
	}
	for _, sub := range always(s) {
		if types := typesOf(sub, depth+1); len(types) > 0 {
			return types
		}
	}
	var types []string
	for _, sub := range slices.Concat(s.AnyOf, s.OneOf) {
		found := typesOf(sub, depth+1)
		if len(found) == 0 {
			return nil
		}
		types = append(types, found...)
	}
	return types
}

// knownNames are the properties that a schema and its parts declare, sorted.
func knownNames(s *jsonschema.Schema) []string {
	found := map[string]bool{}
	var visit func(*jsonschema.Schema, int)
	visit = func(s *jsonschema.Schema, depth int) {
		if s == nil || depth > maxParts {
			return
		}
		for name := range s.Properties {
			found[name] = true
		}
		for _, sub := range slices.Concat(always(s), s.AnyOf, s.OneOf, []*jsonschema.Schema{s.Then, s.Else}) {
			visit(sub, depth+1)
		}
	}
	visit(s, 0)
	return slices.Sorted(maps.Keys(found))
}
