package normalise

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// target is a schema that references lead to: it becomes a shared schema.
type target struct {
	index     int        // among the targets
	node      *spec.Node // in the source
	place     place
	spellings map[spelling]bool
	refs      []*spec.Node // the $ref values that get its name
	schema    *spec.Node   // converted
	name      string
}

// spelling is one way in which a reference named a target.
type spelling struct {
	foreign bool // not a component of a document of its own
	alias   bool // a component that only refers to the target
	file    string
	pointer string
}

func (s spelling) compare(o spelling) int {
	return cmp.Or(rank(s)-rank(o), strings.Compare(s.file, o.file), strings.Compare(s.pointer, o.pointer))
}

func rank(s spelling) int {
	r := 0
	if s.foreign {
		r += 2
	}
	if s.alias {
		r++
	}
	return r
}

// reference converts one $ref of a schema into one to a shared schema. What
// leads nowhere becomes a node that l.broken knows.
func (l *loader) reference(ref *spec.Node, p place) *spec.Node {
	out := spec.NewObject()
	out.Pos = ref.Pos
	t, fault := l.target(ref, p)
	if fault != "" {
		l.broken[out] = fault
		return out
	}
	value := spec.NewString("#" + strconv.Itoa(t.index)) // until targets have names
	value.Pos = ref.Pos
	t.refs = append(t.refs, value)
	out.Set("$ref", value)
	return out
}

// target finds or adds the target of a reference. Schemas that are nothing but
// a reference are passed through.
func (l *loader) target(ref *spec.Node, p place) (*target, string) {
	var spellings []spelling
	n := ref
	for range maxHops {
		var tokens []string
		var fault string
		if ref.Text == "#" && p.recursive != nil && p.file.dialectIsOwn() {
			n, p = p.recursive, place{file: p.file, resource: p.resource}
		} else if n, p, tokens, fault = l.follow(ref, p); fault != "" {
			return nil, fault
		}
		n, p = l.unwrap(n, p, tokens)
		spellings = append(spellings, spell(p.file, tokens))
		if next := n.Get("$ref"); isText(next) && len(n.Members) == 1 {
			ref = next
			continue
		}
		return l.add(n, p, spellings), ""
	}
	return nil, dead(ref)
}

func (l *loader) add(n *spec.Node, p place, spellings []spelling) *target {
	t := l.targets[n]
	if t == nil {
		p.recursive = n
		t = &target{index: len(l.targets), node: n, place: p, spellings: map[spelling]bool{}}
		l.targets[n] = t
		l.queue = append(l.queue, t)
	}
	for i, s := range spellings {
		s.alias = i < len(spellings)-1
		t.spellings[s] = true
	}
	return t
}

// dialectIsOwn reports whether the file is a document, not a bare schema.
func (f *file) dialectIsOwn() bool { return dialectOf(f.root) != unversioned }

// unwrap finds the schema in a component of another kind, which some documents
// refer to as if it were one.
func (l *loader) unwrap(n *spec.Node, p place, tokens []string) (*spec.Node, place) {
	kind := ""
	if len(tokens) == 3 && tokens[0] == "components" {
		kind = tokens[1]
	}
	switch kind {
	case "parameters", "headers":
		if s, at := l.get(n, "schema", p); s != nil {
			return s, at
		}
	case "requestBodies", "responses":
		content, at := l.get(n, "content", p)
		if content == nil {
			break
		}
		for _, m := range content.Members {
			if s := m.Value.Get("schema"); s != nil {
				return s, at
			}
		}
	}
	return n, p
}

func spell(f *file, tokens []string) spelling {
	component := (len(tokens) == 3 && tokens[0] == "components" && tokens[1] == "schemas") ||
		(len(tokens) == 2 && tokens[0] == "definitions")
	return spelling{foreign: !component || !f.dialectIsOwn(), file: f.name, pointer: spec.Pointer(tokens)}
}

// convertTargets converts the targets, and those that they lead to.
func (l *loader) convertTargets() {
	for len(l.queue) > 0 {
		t := l.queue[0]
		l.queue = l.queue[1:]
		t.schema = l.schema(t.node, t.place)
	}
}

// nameTargets gives each target its name and fills the document's schemas. Names
// stay different when case and underscores are ignored, so that Go names made
// from them do too.
func (l *loader) nameTargets() {
	type named struct {
		*target
		best    spelling
		changed string // "" if the name can stay as it is: such names go first
	}
	var all []named
	for _, t := range l.targets {
		var best spelling
		for s := range t.spellings {
			if best.file == "" || s.compare(best) < 0 {
				best = s
			}
		}
		n := named{target: t, best: best}
		if base := baseName(best); goSafe(base) != base {
			n.changed = base
		}
		all = append(all, n)
	}
	slices.SortFunc(all, func(a, b named) int {
		return cmp.Or(rank(a.best)-rank(b.best), strings.Compare(a.changed, b.changed), a.best.compare(b.best),
			comparePos(a.node.Pos, b.node.Pos))
	})
	var names namer
	for _, t := range all {
		t.name = names.unique(goSafe(baseName(t.best)))
		l.doc.Schemas[t.name] = t.schema
		for _, ref := range t.refs {
			ref.Text = refPrefix + t.name
		}
	}
}

func comparePos(a, b spec.Pos) int {
	return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, a.Col-b.Col)
}

// refPrefix starts every reference of a normalised document.
const refPrefix = "#/components/schemas/"

// structure are tokens of a pointer that say nothing about what it names.
var structure = map[string]bool{
	"components": true, "schemas": true, "definitions": true, "$defs": true, "properties": true, "paths": true,
	"responses": true, "content": true, "schema": true, "parameters": true, "requestBody": true,
	"requestBodies": true, "headers": true,
}

// baseName derives a name from a spelling: that of the component, of the way to
// a part of one, or of the file.
func baseName(s spelling) string {
	tokens, _ := spec.Tokens(s.pointer)
	if len(tokens) > 0 && !s.foreign {
		return tokens[len(tokens)-1]
	}
	var words []string
	for i, t := range tokens {
		if i == len(tokens)-1 || !structure[t] {
			words = append(words, t)
		}
	}
	if len(words) == 0 {
		base := path.Base(s.file)
		return strings.TrimSuffix(base, path.Ext(base))
	}
	return strings.Join(words, "_")
}
