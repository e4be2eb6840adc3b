package normalise

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// Bundle writes the operations that keep accepts as an OpenAPI 3.1 document of
// one file, indented, with only the schemas and security schemes that they
// reach. The same document gives the same bytes.
func (d *Document) Bundle(keep func(*Operation) bool) []byte {
	paths := spec.NewObject()
	reached := map[*spec.Node]bool{}
	schemes := map[string]bool{}
	d.useSchemes(d.Security, schemes)
	for _, op := range d.Operations {
		if !keep(op) {
			continue
		}
		key := keyPath(op.Key)
		if !paths.Has(key) {
			paths.Set(key, spec.NewObject())
		}
		paths.Get(key).Set(strings.ToLower(op.Method), bundleOperation(op))
		d.useSchemes(op.Security, schemes)
		for _, s := range slices.Concat(op.schemas(), op.headerSchemas()) {
			d.walk(s, reached, func(*spec.Node) bool { return true })
		}
	}
	schemas := spec.NewObject()
	for _, name := range sortedKeys(d.Schemas) {
		if s := d.Schemas[name]; reached[s] {
			schemas.Set(name, s)
		}
	}
	components := spec.NewObject()
	setMembers(components, "schemas", schemas)
	setMembers(components, "securitySchemes", d.bundleSchemes(schemes))

	root := spec.NewObject()
	info := spec.NewObject()
	info.Set("title", spec.NewString(d.Title))
	info.Set("version", spec.NewString(d.Version))
	root.Set("openapi", spec.NewString("3.1.0"))
	root.Set("info", info)
	root.Set("paths", paths)
	setMembers(root, "components", components)
	if d.Security != nil {
		root.Set("security", bundleSecurity(d.Security))
	}
	var b bytes.Buffer
	_ = json.Indent(&b, root.AppendJSON(nil), "", "  ") // a tree always writes valid JSON
	b.WriteByte('\n')
	return b.Bytes()
}

func (d *Document) useSchemes(security [][]string, used map[string]bool) {
	for _, alternative := range security {
		for _, name := range alternative {
			used[name] = true
		}
	}
}

func (d *Document) bundleSchemes(used map[string]bool) *spec.Node {
	all := spec.NewObject()
	for _, s := range d.Schemes {
		if !used[s.Name] {
			continue
		}
		n := spec.NewObject()
		kind := strings.ToLower(strings.TrimSpace(s.Prefix))
		switch {
		case s.In == "":
			n.Set("type", spec.NewString("mutualTLS"))
		case s.Prefix != "":
			n.Set("type", spec.NewString("http"))
			n.Set("scheme", spec.NewString(kind))
		default:
			n.Set("type", spec.NewString("apiKey"))
			n.Set("in", spec.NewString(s.In))
			n.Set("name", spec.NewString(s.Key))
		}
		all.Set(s.Name, n)
	}
	return all
}

func bundleSecurity(security [][]string) *spec.Node {
	list := spec.NewArray()
	for _, alternative := range security {
		n := spec.NewObject()
		for _, name := range alternative {
			n.Set(name, spec.NewArray())
		}
		list.Items = append(list.Items, n)
	}
	return list
}

func bundleOperation(op *Operation) *spec.Node {
	n := spec.NewObject()
	setText(n, "operationId", op.ID)
	setText(n, "summary", op.Summary)
	setText(n, "description", op.Description)
	setText(n, "x-owner", op.Owner)
	setTrue(n, "x-operator", op.Operator)
	setTrue(n, "x-raw", op.Raw)
	setTrue(n, "deprecated", op.Deprecated)
	tags := spec.NewArray()
	for _, tag := range op.Tags {
		tags.Items = append(tags.Items, spec.NewString(tag))
	}
	setItems(n, "tags", tags)
	if op.Security != nil {
		n.Set("security", bundleSecurity(op.Security))
	}
	parameters := spec.NewArray()
	for _, p := range op.Parameters {
		parameters.Items = append(parameters.Items, bundleParameter(p))
	}
	setItems(n, "parameters", parameters)
	if b := op.Body; b != nil {
		body := spec.NewObject()
		setText(body, "description", b.Description)
		setTrue(body, "required", b.Required)
		body.Set("content", bundleContents(b.Contents))
		n.Set("requestBody", body)
	}
	responses := spec.NewObject()
	for _, r := range op.Responses {
		response := spec.NewObject()
		response.Set("description", spec.NewString(r.Description))
		if len(r.Contents) > 0 {
			response.Set("content", bundleContents(r.Contents))
		}
		setMembers(response, "headers", bundleHeaders(r.Headers))
		responses.Set(r.Status, response)
	}
	setMembers(n, "responses", responses)
	return n
}

func bundleParameter(p *Parameter) *spec.Node {
	n := spec.NewObject()
	n.Set("name", spec.NewString(p.Name))
	n.Set("in", spec.NewString(p.In))
	setText(n, "description", p.Description)
	setTrue(n, "required", p.Required)
	setTrue(n, "deprecated", p.Deprecated)
	setTrue(n, "x-injected", p.Injected)
	if p.MediaType != "" {
		n.Set("content", bundleContents([]Content{{MediaType: p.MediaType, Schema: p.Schema}}))
		return n
	}
	n.Set("style", spec.NewString(p.Style))
	n.Set("explode", spec.NewBool(p.Explode))
	setTrue(n, "allowReserved", p.AllowReserved)
	n.Set("schema", p.Schema)
	return n
}

func bundleHeaders(headers []*Header) *spec.Node {
	all := spec.NewObject()
	for _, h := range headers {
		n := spec.NewObject()
		setText(n, "description", h.Description)
		setTrue(n, "required", h.Required)
		n.Set("schema", h.Schema)
		all.Set(h.Name, n)
	}
	return all
}

func bundleContents(contents []Content) *spec.Node {
	all := spec.NewObject()
	for _, c := range contents {
		media := spec.NewObject()
		media.Set("schema", c.Schema)
		encodings := spec.NewObject()
		for _, name := range sortedKeys(c.Encoding) {
			e := c.Encoding[name]
			n := spec.NewObject()
			setText(n, "contentType", e.ContentType)
			setText(n, "style", e.Style)
			if e.Style != "" {
				n.Set("explode", spec.NewBool(e.Explode))
			}
			setTrue(n, "allowReserved", e.AllowReserved)
			encodings.Set(name, n)
		}
		setMembers(media, "encoding", encodings)
		all.Set(c.MediaType, media)
	}
	return all
}

func setText(n *spec.Node, name, value string) {
	if value != "" {
		n.Set(name, spec.NewString(value))
	}
}

func setTrue(n *spec.Node, name string, value bool) {
	if value {
		n.Set(name, spec.NewBool(true))
	}
}

func setItems(n *spec.Node, name string, list *spec.Node) {
	if len(list.Items) > 0 {
		n.Set(name, list)
	}
}

func setMembers(n *spec.Node, name string, object *spec.Node) {
	if len(object.Members) > 0 {
		n.Set(name, object)
	}
}
