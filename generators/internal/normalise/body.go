package normalise

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// body reads the request body: of requestBody, or of the parameters that
// describe one in Swagger 2.0.
func (r *reader) body() {
	if written := r.node.Get("requestBody"); written != nil {
		n, at, fault := r.deref(written, r.at)
		if fault != "" {
			r.op.refuse(fault)
			return
		}
		content, contentAt := r.get(n, "content", at)
		var contents []Content
		switch {
		case isObject(content):
			contents = r.contents(content, contentAt)
		case refersToSchema(written):
			contents = typed(r.media("consumes"), r.shared(written, r.at))
		}
		if len(contents) > 0 {
			r.op.Body = &Body{
				Required:    isTrue(n, "required"),
				Description: r.text(n, "description", at),
				Contents:    contents,
				Pos:         n.Pos,
			}
		}
		return
	}
	for _, s := range r.form {
		if s.in == "body" {
			r.bodyParameter(s)
			return
		}
	}
	if len(r.form) > 0 {
		r.formParameters()
	}
}

// bodyParameter reads the body of Swagger 2.0: one schema, sent as any of the
// types that the operation consumes.
func (r *reader) bodyParameter(s source) {
	schema := r.shared(s.node.Get("schema"), s.at)
	r.op.Body = &Body{
		Required:    isTrue(s.node, "required"),
		Description: r.text(s.node, "description", s.at),
		Contents:    typed(r.media("consumes"), schema),
		Pos:         s.node.Pos,
	}
}

// typed gives the same schema to each media type.
func typed(types []string, schema *spec.Node) []Content {
	var list []Content
	for _, t := range types {
		c := Content{MediaType: concrete(t, schema), Schema: schema}
		if !slices.ContainsFunc(list, func(o Content) bool { return o.MediaType == c.MediaType }) {
			list = append(list, c)
		}
	}
	sortContents(list)
	return list
}

// media lists the media types that an operation, else its document, consumes or
// produces in Swagger 2.0; without any, JSON.
func (r *reader) media(name string) []string {
	list, _ := r.get(r.node, name, r.at)
	if len(items(list)) == 0 {
		list, _ = r.get(r.file.root, name, place{file: r.file})
	}
	var types []string
	for _, item := range items(list) {
		if s := scalar(item); s != "" {
			types = append(types, s)
		}
	}
	if len(types) == 0 {
		return []string{"application/json"}
	}
	return types
}

// formParameters makes one object of the form parameters of Swagger 2.0.
func (r *reader) formParameters() {
	slices.SortStableFunc(r.form, func(a, b source) int { return cmp.Compare(a.name, b.name) })
	properties := spec.NewObject()
	required := spec.NewArray()
	encodings := map[string]Encoding{}
	files := false
	for _, s := range r.form {
		schema := topCopy(r.inline(s))
		if d := r.text(s.node, "description", s.at); d != "" {
			schema.Set("description", spec.NewString(d))
		}
		if isTrue(s.node, "x-injected") {
			schema.Set("x-injected", spec.NewBool(true))
		}
		files = files || schema.Str("format") == "binary"
		properties.Set(s.name, schema)
		if isTrue(s.node, "required") {
			required.Items = append(required.Items, spec.NewString(s.name))
		}
		if schema.Has("items") {
			encodings[s.name] = formEncoding(s)
			if s.node.Str("collectionFormat") == "tsv" {
				r.op.refuse(fmt.Sprintf("%s: the parameter %q is separated by tabs", s.node.Pos, s.name))
			}
		}
	}
	schema := spec.NewObject()
	schema.Pos = r.op.Pos
	schema.Set("type", spec.NewString("object"))
	schema.Set("properties", properties)
	if len(required.Items) > 0 {
		schema.Set("required", required)
	}
	mediaType := "application/x-www-form-urlencoded"
	for _, t := range r.media("consumes") {
		files = files || strings.HasPrefix(baseType(t), "multipart/")
	}
	if files {
		mediaType = "multipart/form-data"
	}
	r.op.Body = &Body{
		Required: len(required.Items) > 0,
		Contents: []Content{{MediaType: mediaType, Schema: schema, Encoding: encodings}},
		Pos:      r.op.Pos,
	}
}

func formEncoding(s source) Encoding {
	switch s.node.Str("collectionFormat") {
	case "multi":
		return Encoding{Style: "form", Explode: true}
	case "ssv":
		return Encoding{Style: "spaceDelimited"}
	case "pipes":
		return Encoding{Style: "pipeDelimited"}
	default:
		return Encoding{Style: "form"}
	}
}

// topCopy copies a schema so that members can be set; what is below is shared.
func topCopy(n *spec.Node) *spec.Node {
	c := *n
	c.Members = slices.Clone(n.Members)
	return &c
}
