package normalise

import (
	"cmp"
	"mime"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// Form tells how values of a media type become bytes: "json" (+json types
// included), "form", "multipart", "text" or "binary".
func Form(mediaType string) string {
	base := baseType(mediaType)
	switch {
	case base == "application/json" || base == "text/json" || strings.HasSuffix(base, "+json"):
		return "json"
	case base == "application/x-www-form-urlencoded":
		return "form"
	case base == "multipart/form-data":
		return "multipart"
	case strings.HasPrefix(base, "text/"):
		return "text"
	default:
		return "binary"
	}
}

// baseType is a media type without its parameters, in lower case.
func baseType(mediaType string) string {
	if base, _, err := mime.ParseMediaType(mediaType); err == nil {
		return base
	}
	base, _, _ := strings.Cut(mediaType, ";")
	return strings.ToLower(strings.TrimSpace(base))
}

// preference orders media types: what a model can write and read first.
func preference(mediaType string) int {
	switch form := Form(mediaType); {
	case baseType(mediaType) == "application/json":
		return 0
	case form == "json":
		return 1
	case form == "form":
		return 2
	case form == "multipart":
		return 3
	case form == "text":
		return 4
	default:
		return 5
	}
}

func sortContents(list []Content) {
	slices.SortFunc(list, func(a, b Content) int {
		return cmp.Or(preference(a.MediaType)-preference(b.MediaType), strings.Compare(a.MediaType, b.MediaType))
	})
}

// contents reads a map of media types, preferred first. A range like */* stands
// for the type that its schema is written in most simply.
func (l *loader) contents(n *spec.Node, p place) []Content {
	var list []Content
	for _, m := range n.Members {
		media, at, fault := l.deref(m.Value, p)
		c := Content{MediaType: m.Name}
		switch {
		case fault != "":
			c.Schema = spec.NewObject()
			l.broken[c.Schema] = fault
		case media.Has("schema"):
			c.Schema = l.shared(media.Get("schema"), at)
		}
		c.MediaType = concrete(m.Name, c.Schema)
		if c.Schema == nil {
			c.Schema = plainSchema(c.MediaType)
		}
		if form := Form(c.MediaType); form == "form" || form == "multipart" {
			c.Encoding = l.encodings(media, at)
		}
		if !slices.ContainsFunc(list, func(o Content) bool { return o.MediaType == c.MediaType }) {
			list = append(list, c)
		}
	}
	sortContents(list)
	return list
}

// concrete replaces a media range by a type that can be sent.
func concrete(mediaType string, schema *spec.Node) string {
	kind, sub, _ := strings.Cut(baseType(mediaType), "/")
	if !strings.HasPrefix(sub, "*") && kind != "*" {
		return mediaType
	}
	binary := schema.Str("format") == "binary" || schema == nil
	switch {
	case kind == "text":
		return "text/plain"
	case strings.HasSuffix(sub, "+json"):
		return "application/json"
	case kind != "*" && kind != "application":
		return mediaType // an image, say: the caller names its type
	case binary:
		return "application/octet-stream"
	default:
		return "application/json"
	}
}

// plainSchema is the schema of a media type that the document gives none for.
func plainSchema(mediaType string) *spec.Node {
	s := spec.NewObject()
	switch Form(mediaType) {
	case "form", "multipart":
		s.Set("type", spec.NewString("object"))
	case "text":
		s.Set("type", spec.NewString("string"))
	case "binary":
		s.Set("type", spec.NewString("string"))
		s.Set("format", spec.NewString("binary"))
	}
	return s
}

// encodings reads how the members of a form are written.
func (l *loader) encodings(media *spec.Node, p place) map[string]Encoding {
	n, p := l.get(media, "encoding", p)
	if !isObject(n) || len(n.Members) == 0 {
		return nil
	}
	all := map[string]Encoding{}
	for _, m := range n.Members {
		e, _, fault := l.deref(m.Value, p)
		if fault != "" || e.Kind != spec.Object {
			continue
		}
		enc := Encoding{
			ContentType: e.Str("contentType"), Style: e.Str("style"), AllowReserved: isTrue(e, "allowReserved"),
		}
		explode, set := truth(e.Get("explode"))
		if enc.Explode = explode; !set {
			enc.Explode = enc.Style == "" || enc.Style == "form" || enc.Style == "deepObject"
		}
		if enc.Style == "" && set {
			enc.Style = "form"
		}
		all[m.Name] = enc
	}
	return all
}
