package apifuzz

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Operation is one operation of the API.
type Operation struct {
	ID, Method, Path string

	parameters []parameter
	body       *content
	replies    map[string]reply // by status, or "default"
}

type parameter struct {
	name, in string
	required bool
	schema   place
}

type content struct {
	media    string
	required bool
	schema   place
}

// reply is what may come with a status: a body of one of the media types, or
// none where there is none, and headers.
type reply struct {
	media   map[string]*place // nil where only the type is declared
	headers []parameter
}

var methods = []string{"delete", "get", "patch", "post", "put"}

// operations reads those of a file.
func (d *Document) operations(file string) error {
	root := place{file: file}.child("paths")
	paths, _ := d.get(root).(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(paths)) {
		item := root.child(name)
		for _, method := range methods {
			at := item.child(method)
			if node, ok := d.get(at).(map[string]any); ok {
				op := &Operation{
					ID: text(node["operationId"]), Method: strings.ToUpper(method), Path: name, replies: map[string]reply{},
				}
				if err := d.operation(op, item, at); err != nil {
					return fmt.Errorf("%s: %w", op.ID, err)
				}
				d.Operations = append(d.Operations, op)
			}
		}
	}
	return nil
}

// operation reads one operation at a place within its path's.
func (d *Document) operation(op *Operation, item, at place) error {
	for _, list := range []place{item.child("parameters"), at.child("parameters")} {
		entries, _ := d.get(list).([]any)
		for n := range entries {
			p, node := d.object(list.child(fmt.Sprint(n)))
			required, _ := node["required"].(bool)
			op.parameters = append(op.parameters, parameter{text(node["name"]), text(node["in"]), required, p.child("schema")})
		}
	}
	if body, node := d.object(at.child("requestBody")); node != nil {
		required, _ := node["required"].(bool)
		for media := range object(node["content"]) {
			op.body = &content{media, required, body.child("content", media, "schema")}
		}
	}
	for status := range object(d.get(at.child("responses"))) {
		p, node := d.object(at.child("responses", status))
		r := reply{media: map[string]*place{}}
		for media := range object(node["content"]) {
			r.media[media] = nil
			if schema := p.child("content", media, "schema"); d.get(schema) != nil && strings.HasSuffix(media, "json") {
				r.media[media] = &schema
			}
		}
		for _, name := range slices.Sorted(maps.Keys(object(node["headers"]))) {
			h, header := d.object(p.child("headers", name))
			required, _ := header["required"].(bool)
			r.headers = append(r.headers, parameter{name, "header", required, h.child("schema")})
		}
		op.replies[status] = r
	}
	if op.ID == "" || len(op.replies) == 0 {
		return fmt.Errorf("%s %s has no operationId or no responses", op.Method, op.Path)
	}
	return nil
}

// creates tells whether an operation makes the thing that its path names.
func (o *Operation) creates() bool {
	_, created := o.replies["201"]
	_, accepted := o.replies["202"]
	return o.Method == "PUT" && (created || accepted)
}

// writes tells whether an operation is a command.
func (o *Operation) writes() bool {
	return slices.ContainsFunc(o.parameters, func(p parameter) bool { return p.name == keyHeader })
}

func text(value any) string {
	s, _ := value.(string)
	return s
}

func object(value any) map[string]any {
	m, _ := value.(map[string]any)
	return m
}

// sorted are the names of an object's members in their order.
func sorted(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }
