package normalise

import (
	"maps"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// scalar is the text of a string, number or boolean, "" for all else.
func scalar(n *spec.Node) string {
	if n == nil || n.Kind == spec.Object || n.Kind == spec.Array || n.Kind == spec.Null {
		return ""
	}
	return n.Text
}

// truth reads a boolean member; the words true and false in quotes count.
func truth(n *spec.Node) (value, ok bool) {
	if n == nil || (n.Kind != spec.Bool && n.Kind != spec.String) {
		return false, false
	}
	switch strings.ToLower(n.Text) {
	case "true":
		return true, true
	case "false":
		return false, true
	default:
		return false, false
	}
}

// isTrue reports whether a member says true.
func isTrue(n *spec.Node, name string) bool {
	v, _ := truth(n.Get(name))
	return v
}

// isObject reports whether n is an object.
func isObject(n *spec.Node) bool { return n != nil && n.Kind == spec.Object }

// isText reports whether n is a string.
func isText(n *spec.Node) bool { return n != nil && n.Kind == spec.String }

// items are the elements of an array; anything else but null counts as the only
// element of one.
func items(n *spec.Node) []*spec.Node {
	switch {
	case n == nil || n.Kind == spec.Null:
		return nil
	case n.Kind == spec.Array:
		return n.Items
	default:
		return []*spec.Node{n}
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
