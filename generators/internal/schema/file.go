package schema

import (
	"regexp"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// base64Pattern is the alphabet of base64 with its padding.
const base64Pattern = `^[A-Za-z0-9+/]*={0,2}$`

// media is the schema of bytes with their media type (E-15): a binary body or
// reply. Where the document declares types, it admits no others: a list of
// types, or of ranges such as image/*, separated by commas.
func media(declared string) *spec.Node {
	text := mediaType(declared)
	bytes := spec.NewObject()
	bytes.Set("type", spec.NewString("string"))
	bytes.Set("contentEncoding", spec.NewString("base64"))
	bytes.Set("pattern", spec.NewString(base64Pattern))
	properties := spec.NewObject()
	properties.Set("media_type", text)
	properties.Set("base64", bytes)
	n := spec.NewObject()
	n.Set("type", spec.NewString("object"))
	n.Set("properties", properties)
	n.Set("required", spec.NewArray(spec.NewString("media_type"), spec.NewString("base64")))
	n.Set("additionalProperties", spec.NewBool(false))
	return n
}

// mediaType is the schema of the name of a media type. Bytes of no particular
// type, application/octet-stream, may be of any.
func mediaType(declared string) *spec.Node {
	n := spec.NewObject()
	n.Set("type", spec.NewString("string"))
	var kinds []*spec.Node
	var ranges []string
	for one := range strings.SplitSeq(declared, ",") {
		kind, _, _ := strings.Cut(strings.ToLower(one), ";")
		kind = strings.TrimSpace(kind)
		prefix, isRange := strings.CutSuffix(kind, "*")
		switch {
		case kind == "", kind == "application/octet-stream", prefix == "*/":
			return n
		case isRange:
			ranges = append(ranges, regexp.QuoteMeta(prefix)+".+")
		default:
			kinds = append(kinds, spec.NewString(kind))
			ranges = append(ranges, regexp.QuoteMeta(kind))
		}
	}
	if len(kinds) == len(ranges) {
		n.Set("enum", spec.NewArray(kinds...))
	} else {
		n.Set("pattern", spec.NewString("^("+strings.Join(ranges, "|")+")$"))
	}
	return n
}

// file is the schema of a member of a multipart body that is a file, in place
// of the document's binary string.
func file(n *spec.Node, declared string) *spec.Node {
	f := media(declared)
	name := spec.NewObject()
	name.Set("type", spec.NewString("string"))
	f.Get("properties").Set("filename", name)
	if text := n.Str("description"); text != "" {
		f.Set("description", spec.NewString(text))
	}
	return f
}

// isFile reports whether a multipart member is a file: a binary string, or one
// with a media type and no encoding.
func (b *Builder) isFile(n *spec.Node) bool {
	for range 20 {
		_, target := b.target(n)
		if target == nil {
			break
		}
		n = target
	}
	if n.Has("contentEncoding") {
		return false
	}
	t := n.Get("type")
	return n.Str("format") == "binary" && (t == nil || hasType(t, "string")) ||
		n.Has("contentMediaType") && (t == nil || hasType(t, "string"))
}

// holdsFile reports whether a schema that stands as near to a multipart body
// as files says describes a file somewhere.
func (b *Builder) holdsFile(n *spec.Node, files uint8, depth int) bool {
	if files == 0 || n == nil || n.Kind != spec.Object || depth > 20 {
		return false
	}
	if files == 1 && b.isFile(n) {
		return true
	}
	if _, target := b.target(n); target != nil && b.holdsFile(target, files, depth+1) {
		return true
	}
	found := false
	eachInPlace(n, func(_ string, sub *spec.Node) {
		found = found || b.holdsFile(sub, files, depth+1)
	})
	if files == 1 {
		return found || b.holdsFile(n.Get("items"), files, depth+1)
	}
	if properties := n.Get("properties"); properties != nil {
		for _, m := range properties.Members {
			found = found || b.holdsFile(m.Value, 1, depth+1)
		}
	}
	return found
}

// parts are the members that are files because the encoding of the body gives
// them a media type that is neither text nor structured, with these types.
func parts(body *ir.Body) map[string]string {
	list := map[string]string{}
	for _, e := range body.Encoding {
		kind, _, _ := strings.Cut(strings.ToLower(e.ContentType), ";")
		switch {
		case kind == "", strings.HasPrefix(kind, "text/"), isJSON(kind), strings.HasSuffix(kind, "xml"),
			kind == "application/x-www-form-urlencoded":
		default:
			list[e.Member] = e.ContentType
		}
	}
	return list
}

// isJSON reports whether a media type is JSON or derived from it.
func isJSON(mediaType string) bool {
	kind, _, _ := strings.Cut(strings.ToLower(mediaType), ";")
	kind = strings.TrimSpace(kind)
	return kind == "application/json" || kind == "text/json" || strings.HasSuffix(kind, "+json")
}
