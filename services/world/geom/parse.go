package geom

import (
	"encoding/json"
	"slices"
	"strconv"

	"github.com/pharos-mcp/pharos/internal/strictjson"
)

// ParseRecipe reads a recipe from JSON:
//
//	{"version": 1, "operations": [{"type": "box", "min": {"x": 0, "y": 64, "z": 0}, …}, …]}
//
// Unknown members and types, a member twice, null, numbers with a fraction or
// an exponent, and texts that strictjson.Shape refuses are *Error. Whether the
// numbers are within their bounds is for Compile.
func ParseRecipe(text []byte) (Recipe, error) {
	if err := strictjson.Shape(text); err != nil {
		return Recipe{}, budget("", "it is %v", err)
	}
	root, err := readTree(text)
	if err != nil {
		return Recipe{}, err
	}
	// The version first: what else another version has is not known.
	if v := root.members["version"]; v != nil && v.value != json.Number(strconv.Itoa(Version)) {
		return Recipe{}, invalid(v.at, "version %s is not known; write version %d", v.kind(), Version)
	}
	if err := root.expect("a recipe", []string{"version", "operations"}); err != nil {
		return Recipe{}, err
	}
	r := reader{}
	recipe := Recipe{Version: Version, Operations: r.operations(root.members["operations"])}
	if r.err != nil {
		return Recipe{}, r.err
	}
	return recipe, nil
}

// reader turns nodes into operations. It keeps the first error, after which
// what it returns is of no use.
type reader struct{ err *Error }

func (r *reader) fail(err *Error) {
	if r.err == nil {
		r.err = err
	}
}

func (r *reader) operations(n *node) []Operation {
	if !n.array {
		r.fail(invalid(n.at, "it is %s; operations are an array", n.kind()))
		return nil
	}
	operations := make([]Operation, 0, len(n.items))
	for _, item := range n.items {
		if operations = append(operations, r.operation(item)); r.err != nil {
			return nil
		}
	}
	return operations
}

// forms are the members of each type of operation, beside its type.
var forms = map[string]struct{ must, may []string }{
	"box":      {[]string{"min", "max", "block"}, []string{"hollow"}},
	"line":     {[]string{"from", "to", "block"}, nil},
	"cylinder": {[]string{"center", "radius", "height", "block"}, []string{"hollow"}},
	"sphere":   {[]string{"center", "radius", "block"}, []string{"hollow"}},
	"replace":  {[]string{"min", "max", "from", "block"}, nil},
	"repeat":   {[]string{"count", "offset", "operations"}, nil},
}

func (r *reader) operation(n *node) Operation {
	if !n.object {
		r.fail(invalid(n.at, "it is %s; an operation is an object", n.kind()))
		return nil
	}
	if n.members["type"] == nil {
		r.fail(invalid(n.at, "an operation needs the member %q: box, line, cylinder, sphere, replace or repeat", "type"))
		return nil
	}
	kind := r.text(n.members["type"])
	form, ok := forms[kind]
	if !ok {
		r.fail(invalid(n.at+"/type", "there is no operation of this type; write box, line, cylinder, sphere, replace or repeat"))
		return nil
	}
	if err := n.expect("a "+kind, slices.Concat([]string{"type"}, form.must), form.may...); err != nil {
		r.fail(err)
		return nil
	}
	m := n.members
	switch kind {
	case "box":
		return Cuboid{Min: r.pos(m["min"]), Max: r.pos(m["max"]), Block: r.text(m["block"]), Hollow: r.truth(m["hollow"])}
	case "line":
		return Line{From: r.pos(m["from"]), To: r.pos(m["to"]), Block: r.text(m["block"])}
	case "cylinder":
		return Cylinder{
			Center: r.pos(m["center"]), Radius: r.number(m["radius"]), Height: r.number(m["height"]),
			Block: r.text(m["block"]), Hollow: r.truth(m["hollow"]),
		}
	case "sphere":
		return Sphere{
			Center: r.pos(m["center"]), Radius: r.number(m["radius"]), Block: r.text(m["block"]), Hollow: r.truth(m["hollow"]),
		}
	case "replace":
		return Replace{Min: r.pos(m["min"]), Max: r.pos(m["max"]), From: r.text(m["from"]), Block: r.text(m["block"])}
	default:
		return Repeat{Count: r.number(m["count"]), Offset: r.pos(m["offset"]), Operations: r.operations(m["operations"])}
	}
}

func (r *reader) pos(n *node) Pos {
	if err := n.expect("a position", []string{"x", "y", "z"}); err != nil {
		r.fail(err)
		return Pos{}
	}
	return Pos{r.number(n.members["x"]), r.number(n.members["y"]), r.number(n.members["z"])}
}

func (r *reader) number(n *node) int32 {
	text, _ := n.value.(json.Number)
	v, err := strconv.ParseInt(string(text), 10, 32)
	if err != nil {
		r.fail(invalid(n.at, "it is %s; write an integer of 32 bits without fraction or exponent", n.kind()))
	}
	return int32(v)
}

func (r *reader) text(n *node) string {
	text, ok := n.value.(string)
	if !ok {
		r.fail(invalid(n.at, "it is %s; write a string", n.kind()))
	}
	return text
}

func (r *reader) truth(n *node) bool {
	if n == nil {
		return false
	}
	truth, ok := n.value.(bool)
	if !ok {
		r.fail(invalid(n.at, "it is %s; write true or false", n.kind()))
	}
	return truth
}
