package validate

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// equal reports whether a value is the one that a schema names.
func equal(v *value, want any) bool {
	switch want := want.(type) {
	case nil:
		return v.kind == null
	case bool:
		return v.kind == boolean && (v.raw[0] == 't') == want
	case string:
		return v.kind == text && v.text() == want
	case json.Number:
		return v.kind == number && (string(v.raw) == string(want) || v.rat().Cmp(rat(string(want))) == 0)
	case []any:
		return v.kind == array && slices.EqualFunc(v.items, want, equal)
	case map[string]any:
		if v.kind != object || len(v.members) != len(want) {
			return false
		}
		for _, m := range v.members {
			if w, ok := want[m.name]; !ok || !equal(m.value, w) {
				return false
			}
		}
		return true
	}
	return false
}

// unique reports whether no two items are the same value.
func unique(v *value) bool {
	seen := make(map[string]bool, len(v.items))
	for _, item := range v.items {
		key := canonical(item)
		if seen[key] {
			return false
		}
		seen[key] = true
	}
	return true
}

// canonical is a text that two values share if and only if they are equal.
func canonical(v *value) string {
	switch v.kind {
	case text:
		return strconv.Quote(v.text())
	case number:
		return v.rat().RatString()
	case array:
		parts := make([]string, len(v.items))
		for i, item := range v.items {
			parts[i] = canonical(item)
		}
		return "[" + strings.Join(parts, ",") + "]"
	case object:
		parts := make([]string, len(v.members))
		for i, m := range v.members {
			parts[i] = strconv.Quote(m.name) + ":" + canonical(m.value)
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ",") + "}"
	}
	return string(v.raw)
}
