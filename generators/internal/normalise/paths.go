package normalise

import (
	"fmt"
	"maps"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// methods are the members of a path item that are operations.
var methods = map[string]bool{
	"get": true, "put": true, "post": true, "delete": true, "options": true, "head": true, "patch": true,
	"trace": true,
}

// root reads one document: its own members, then its operations.
func (l *loader) root(f *file) {
	p := place{file: f}
	info, at := l.get(f.root, "info", p)
	if l.doc.Title == "" {
		l.doc.Title, l.doc.Version = l.text(info, "title", at), l.text(info, "version", at)
	}
	l.schemes(f)
	security := l.security(f.root, p)
	first := l.doc.Security == nil && len(l.doc.Operations) == 0
	if first {
		l.doc.Security = security
	}
	if !f.root.Has("paths") {
		return
	}
	paths, at, fault := l.deref(f.root.Get("paths"), p)
	if fault != "" {
		l.itemFault(fault, spec.Member{Name: "paths", Pos: f.root.Get("paths").Pos})
		return
	}
	for _, m := range paths.Members {
		if strings.HasPrefix(m.Name, "x-") {
			continue
		}
		l.pathItem(f, m, at, security)
	}
}

// pathItem reads the operations of one path.
func (l *loader) pathItem(f *file, m spec.Member, p place, security [][]string) {
	item, at, fault := l.deref(m.Value, p)
	if fault != "" {
		l.itemFault(fault, m)
		return
	}
	// What stands beside a $ref belongs to this path and goes before it.
	parts := []part{{m.Value, p}}
	if item != m.Value {
		parts = []part{{m.Value, p}, {item, at}}
	}
	read := map[string]bool{}
	for _, from := range parts {
		if !isObject(from.node) {
			continue
		}
		before := maps.Clone(read)
		for _, member := range from.node.Members {
			method := strings.ToLower(member.Name)
			if !methods[method] || before[method] || member.Value.Kind == spec.Null {
				continue
			}
			read[method] = true
			l.operation(f, strings.ToUpper(method)+" "+m.Name, member, from.at, parts, security)
		}
	}
}

// part is one of the objects that describe a path.
type part struct {
	node *spec.Node
	at   place
}

// itemFault reports paths whose description cannot be found: their methods are
// unknown, so no decision about them is possible.
func (l *loader) itemFault(fault string, m spec.Member) {
	if len(l.missing)+len(l.remote)+len(l.outside) > 0 {
		return // told already
	}
	l.problem(m.Pos, "reference", fmt.Sprintf("%s has no description: %s", m.Name, fault), "")
}

// operation reads one operation and adds it to the document.
func (l *loader) operation(f *file, key string, m spec.Member, p place, parts []part, security [][]string) {
	if first, twice := l.keys[key]; twice {
		l.problem(m.Pos, "duplicate-operation", fmt.Sprintf("%s is described a second time; the first is at %s", key, first),
			"keep one of them")
		return
	}
	l.keys[key] = m.Pos
	op := &Operation{Key: key, Pos: m.Pos}
	op.Method, _, _ = strings.Cut(key, " ")
	l.doc.Operations = append(l.doc.Operations, op)
	n, at, fault := l.deref(m.Value, p)
	if fault == "" && n.Kind != spec.Object {
		fault = fmt.Sprintf("%s: an operation must be an object", n.Pos)
	}
	if fault != "" {
		op.refuse(fault)
		op.Path = splitKey(keyPath(key)).path
		return
	}
	op.ID = l.text(n, "operationId", at)
	op.Summary, op.Description = l.text(n, "summary", at), l.text(n, "description", at)
	tags, _ := l.get(n, "tags", at)
	for _, tag := range items(tags) {
		if s := scalar(tag); s != "" {
			op.Tags = append(op.Tags, s)
		}
	}
	op.Deprecated, op.Operator, op.Raw = isTrue(n, "deprecated"), isTrue(n, "x-operator"), isTrue(n, "x-raw")
	op.Owner = scalar(n.Get("x-owner"))
	for _, path := range parts { // what a path says holds for its methods
		op.Operator = op.Operator || isTrue(path.node, "x-operator")
		if op.Owner == "" && isObject(path.node) {
			op.Owner = scalar(path.node.Get("x-owner"))
		}
	}
	op.Security = l.operationSecurity(n, at, security)
	r := reader{loader: l, file: f, op: op, node: n, at: at}
	r.parameters(parts)
	r.body()
	r.responses()
}

// refuse records why no tool can carry the operation; the first reason stays.
func (op *Operation) refuse(why string) {
	if op.Unsupported == "" {
		op.Unsupported = why
	}
}
