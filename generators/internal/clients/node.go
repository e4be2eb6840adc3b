package clients

import "github.com/pharos-mcp/pharos/generators/internal/spec"

// The schemas that the code-generation document is made of.

// bare is the schema of a type without anything else.
func bare(name string) *spec.Node {
	n := spec.NewObject()
	n.Set("type", spec.NewString(name))
	return n
}

// freeSchema is the schema of a value that keeps its bytes.
func freeSchema() *spec.Node {
	n := spec.NewObject()
	n.Set("x-go-type", spec.NewString("json.RawMessage"))
	n.Set("x-go-type-skip-optional-pointer", spec.NewBool(true))
	return n
}

// refTo is a reference to a model.
func refTo(name string) *spec.Node {
	n := spec.NewObject()
	n.Set("$ref", spec.NewString(refPrefix+name))
	return n
}

// wrapped makes room for other keywords beside a reference; a schema without
// one stays as it is.
func wrapped(n *spec.Node) *spec.Node {
	if !n.Has("$ref") {
		return n
	}
	w := spec.NewObject()
	w.Set("allOf", spec.NewArray(n))
	return w
}
