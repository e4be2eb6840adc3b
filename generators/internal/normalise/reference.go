package normalise

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// file is one source file in use.
type file struct {
	name    string
	root    *spec.Node
	dialect dialect
	anchors map[string]*spec.Node // by name; nil until asked for
	ids     map[string]*spec.Node // schemas by $id
}

// place says how to read the references of a node.
type place struct {
	file      *file
	resource  *spec.Node // the enclosing schema that has an $id, if any
	recursive *spec.Node // what $recursiveRef and $dynamicRef fall back to
}

// maxHops bounds a chain of references.
const maxHops = 64

// follow finds what a reference names, and the tokens of its pointer. fault
// says why there is nothing; a file that is missing or may not be read is a
// problem of the document besides.
func (l *loader) follow(ref *spec.Node, p place) (n *spec.Node, at place, tokens []string, fault string) {
	name, fragment, err := l.source.Locate(p.file.name, ref.Text)
	var f *file
	if err == nil {
		f, err = l.open(name, p)
	}
	switch {
	case err != nil:
		if n, at := l.known(ref.Text, p); n != nil {
			return n, at, []string{path.Base(ref.Text)}, ""
		}
		if main := l.documents; len(main) > 0 && path.Dir(main[0].name) != path.Dir(p.file.name) {
			if other, _, err := l.source.Locate(main[0].name, ref.Text); err == nil && l.source.Has(other) {
				return l.follow(ref, place{file: main[0]})
			}
		}
		l.absent(name, ref, err)
		return nil, p, nil, dead(ref)
	case f == nil: // unreadable, and reported
		return nil, p, nil, dead(ref)
	}
	tokens, isPointer := spec.Tokens(fragment)
	if !isPointer {
		if n := f.anchor(fragment); n != nil {
			return n, place{file: f}, []string{fragment}, ""
		}
		return nil, p, nil, dead(ref)
	}
	if f == p.file && p.resource != nil {
		if n, at := l.walk(p.resource, place{file: f, resource: p.resource}, tokens); n != nil {
			return n, at, tokens, ""
		}
	}
	// A pointer that the file itself does not have may mean the document that
	// the file is a part of.
	for _, f := range append([]*file{f}, l.documents...) {
		if n, at := l.walk(f.root, place{file: f}, tokens); n != nil {
			return n, at, tokens, ""
		}
	}
	return nil, p, nil, dead(ref)
}

// known finds what a reference names that is no file: a schema by its $id, or a
// component by its bare name.
func (l *loader) known(ref string, p place) (*spec.Node, place) {
	p.file.index()
	for _, id := range []string{ref, absolute(p.resource.Str("$id"), ref)} {
		if n := p.file.ids[id]; n != nil {
			return n, place{file: p.file, resource: n}
		}
	}
	if n := component(p.file.root, ref); n != nil {
		return n, place{file: p.file}
	}
	return nil, p
}

// absolute resolves a reference against the $id of the schema that it stands in.
func absolute(id, ref string) string {
	base, err := url.Parse(id)
	if err != nil || id == "" {
		return ref
	}
	u, err := base.Parse(ref)
	if err != nil {
		return ref
	}
	return u.String()
}

// absent takes note of a reference to a file that is not there or not allowed.
func (l *loader) absent(name string, ref *spec.Node, err error) {
	var remote *spec.RemoteError
	switch {
	case errors.As(err, &remote):
		l.note(l.remote, remote.URL, ref.Pos)
	case errors.Is(err, spec.ErrOutside):
		l.note(l.outside, ref.Text, ref.Pos)
	case name != "":
		l.note(l.missing, name, ref.Pos)
	default:
		l.note(l.missing, ref.Text, ref.Pos)
	}
}

// dead words a reference that leads nowhere.
func dead(ref *spec.Node) string { return fmt.Sprintf("%s: $ref %q leads nowhere", ref.Pos, ref.Text) }

// note records the first place, in the order of the source, that names a file.
func (l *loader) note(seen map[string]spec.Pos, name string, pos spec.Pos) {
	if first, ok := seen[name]; !ok || before(pos, first) {
		seen[name] = pos
	}
}

// open returns the file of that name, which p refers to. The file is nil if it
// cannot be used, which has been reported then; the error is spec.ErrMissing.
func (l *loader) open(name string, p place) (*file, error) {
	if f, ok := l.files[name]; ok {
		return f, nil
	}
	node, err := l.source.File(name)
	if errors.Is(err, spec.ErrMissing) {
		return nil, err
	}
	if err != nil {
		l.files[name] = nil
		l.fileProblem(name, err)
		return nil, nil
	}
	f := &file{name: name, root: node, dialect: dialectOf(node)}
	if f.dialect == unversioned || f.dialect == unsupported {
		f.dialect = p.file.dialect
	}
	l.files[name] = f
	return f, nil
}

// walk follows the tokens of a pointer from n, through references where the
// pointer passes one.
func (l *loader) walk(n *spec.Node, p place, tokens []string) (*spec.Node, place) {
	for i, token := range tokens {
		next := n.Step(token)
		if next == nil && isText(n.Get("$ref")) && !l.walking[n] {
			l.walking[n] = true
			target, at, fault := l.deref(n, p)
			delete(l.walking, n)
			if fault != "" {
				return nil, p
			}
			n, p = target, at
			next = n.Step(token)
		}
		if next == nil {
			return nil, p
		}
		n = next
		if isText(n.Get("$id")) && p.file.dialect == openapi31 && i < len(tokens) {
			p.resource = n
		}
	}
	return n, p
}

// deref follows references until there is none: for everything but schemas,
// which keep theirs.
func (l *loader) deref(n *spec.Node, p place) (*spec.Node, place, string) {
	for range maxHops {
		ref := n.Get("$ref")
		if !isText(ref) {
			return n, p, ""
		}
		var fault string
		n, p, _, fault = l.follow(ref, p)
		if fault != "" {
			return nil, p, fault
		}
	}
	return nil, p, fmt.Sprintf("%s: $ref goes round in a circle", n.Pos)
}

// get returns a member with its references followed, or nil.
func (l *loader) get(n *spec.Node, name string, p place) (*spec.Node, place) {
	m := n.Get(name)
	if m == nil {
		return nil, p
	}
	m, p, _ = l.deref(m, p)
	return m, p
}

// text is the text of a member. A reference to a file that is neither JSON nor
// YAML stands for the text of the file.
func (l *loader) text(n *spec.Node, name string, p place) string {
	m := n.Get(name)
	if ref := m.Get("$ref"); isText(ref) {
		if text, ok := l.source.Text(p.file.name, ref.Text); ok {
			return decoded(text)
		}
	}
	m, _ = l.get(n, name, p)
	return decoded(scalar(m))
}

// anchor finds the schema with that $anchor in the file.
func (f *file) anchor(name string) *spec.Node {
	f.index()
	return f.anchors[name]
}

// index collects the anchors and identifiers of a file, the first of each name.
func (f *file) index() {
	if f.anchors != nil {
		return
	}
	f.anchors, f.ids = map[string]*spec.Node{}, map[string]*spec.Node{}
	var visit func(n *spec.Node)
	seen := map[*spec.Node]bool{}
	visit = func(n *spec.Node) {
		if seen[n] {
			return
		}
		seen[n] = true
		for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
			if name := n.Str(keyword); name != "" && f.anchors[name] == nil {
				f.anchors[name] = n
			}
		}
		if id := n.Str("$id"); id != "" && f.ids[id] == nil {
			f.ids[id] = n
		}
		for _, item := range n.Items {
			visit(item)
		}
		for _, m := range n.Members {
			visit(m.Value)
		}
	}
	visit(f.root)
}

// component finds a schema component by its bare name.
func component(root *spec.Node, name string) *spec.Node {
	if n := root.Get("components").Get("schemas").Get(name); n != nil {
		return n
	}
	return root.Get("definitions").Get(name)
}

// componentRef is the reference to a component that component finds.
func componentRef(root *spec.Node, name string) string {
	at := []string{"definitions", name}
	if root.Get("components").Get("schemas").Has(name) {
		at = []string{"components", "schemas", name}
	}
	return "#" + strings.ReplaceAll(spec.Pointer(at), "%", "%25")
}

// reachable reports whether a reference leads somewhere, without taking note if
// it does not.
func (l *loader) reachable(ref *spec.Node, p place) bool {
	name, fragment, err := l.source.Locate(p.file.name, ref.Text)
	if err != nil {
		return false
	}
	root, err := l.source.File(name)
	if err != nil {
		return false
	}
	tokens, _ := spec.Tokens(fragment)
	for _, t := range tokens {
		root = root.Step(t)
	}
	return root != nil
}
