package clients

import (
	"slices"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// target is the schema that a chain of references ends at.
func (m *models) target(n *spec.Node) *spec.Node {
	for range maxDepth {
		s := m.read(n)
		if s.kind != alias {
			return n
		}
		n = m.schemas[s.target]
	}
	return n
}

// isFile reports whether a member of a multipart body is a file, or a list of
// files: bytes, which arguments carry as {media_type, base64, filename?}.
func (m *models) isFile(n *spec.Node) bool {
	n = m.target(n)
	if s := m.read(n); s.kind == list && s.items != nil {
		return binary(m.target(s.items))
	}
	return binary(n)
}

// binary reports whether a schema is of bytes: a binary string, or one with a
// media type and no encoding.
func binary(n *spec.Node) bool {
	if n == nil || n.Kind != spec.Object || n.Has("contentEncoding") {
		return false
	}
	p := newParts()
	p.addTypes(n.Get("type"))
	return (n.Str("format") == "binary" || n.Has("contentMediaType")) &&
		(p.types == nil || slices.Contains(p.types, "string"))
}

// hasFiles reports whether a body has a member that is a file.
func (m *models) hasFiles(n *spec.Node) bool {
	for _, p := range m.follow(n).members {
		if m.isFile(p.schema) {
			return true
		}
	}
	return false
}

// fileType is the schema of a file member.
func (m *models) fileType(n *spec.Node) *spec.Node {
	file := refTo(m.fileModel())
	if binary(m.target(n)) {
		return file
	}
	files := bare("array")
	files.Set("items", file)
	return files
}

// fileModel is the model of bytes in arguments.
func (m *models) fileModel() string {
	if m.file != "" {
		return m.file
	}
	m.file = m.names.unique("File", suffix)
	node := bare("object")
	properties := spec.NewObject()
	for _, name := range []string{"base64", "filename", "media_type"} {
		properties.Set(name, bare("string"))
	}
	node.Set("properties", properties)
	node.Set("required", spec.NewArray(spec.NewString("base64"), spec.NewString("media_type")))
	m.plan(job{name: m.file, about: "is a file as arguments carry it: its bytes in base64.", node: node})
	return m.file
}
