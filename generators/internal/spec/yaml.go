package spec

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// parseYAML reads a YAML file with one document.
func parseYAML(file string, data []byte) (*Node, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(dropDirective(data)))
	var first, second yaml.Node
	if err := decodeYAML(decoder, &first); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, Problems{{Pos: Pos{File: file}, Message: "the file is empty"}}
		}
		return nil, yamlProblem(file, err)
	}
	switch err := decodeYAML(decoder, &second); {
	case errors.Is(err, io.EOF):
	case err != nil:
		return nil, yamlProblem(file, err)
	case len(second.Content) == 1 && second.Content[0].Tag != "!!null":
		return nil, Problems{{
			Pos:     Pos{File: file, Line: second.Content[0].Line, Col: second.Content[0].Column},
			Message: "a second YAML document starts here",
			Hint:    "write one document a file",
		}}
	}
	r := yamlReader{file: file, anchored: map[*yaml.Node]*anchor{}}
	n, _ := r.value(first.Content[0], 0)
	if len(r.problems) > 0 {
		return nil, r.problems
	}
	return n, nil
}

var yamlDirective = regexp.MustCompile(`\A(?:[ \t]*(?:#[^\n]*)?\n)*%YAML 1\.[0-9]+[ \t\r]*\n`)

// dropDirective blanks the directive that names the version of YAML: the library
// refuses 1.2, which it reads well enough for us.
func dropDirective(data []byte) []byte {
	head := yamlDirective.Find(data)
	if head == nil {
		return data
	}
	data = bytes.Clone(data)
	data[bytes.LastIndexByte(head, '%')] = '#'
	return data
}

// decodeYAML decodes the next document. The library panics on some inputs that
// it ought to refuse; they are refused here.
func decodeYAML(d *yaml.Decoder, n *yaml.Node) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the YAML reader gave up: %v", p)
		}
	}()
	if err := d.Decode(n); err != nil {
		return err
	}
	if n.Kind != yaml.DocumentNode || len(n.Content) != 1 {
		return io.EOF
	}
	return nil
}

var yamlLine = regexp.MustCompile(`^line (\d+): `)

func yamlProblem(file string, err error) Problems {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	pos := Pos{File: file}
	if m := yamlLine.FindStringSubmatch(message); m != nil {
		if line, err := strconv.Atoi(m[1]); err == nil {
			pos.Line, pos.Col = line, 1
		}
		message = message[len(m[0]):]
	}
	return Problems{{Pos: pos, Rule: ruleSyntax, Message: "not valid YAML: " + message}}
}

// yamlReader turns the library's nodes into ours.
type yamlReader struct {
	file     string
	values   int
	stopped  bool
	unread   bool // the value being read is of no use to anyone
	anchored map[*yaml.Node]*anchor
	problems Problems
}

// anchor is a node that aliases may share.
type anchor struct {
	node *Node
	size int  // values below it, aliases counted each time
	open bool // it is being read: an alias to it would contain itself
}

func (r *yamlReader) pos(y *yaml.Node) Pos { return Pos{File: r.file, Line: y.Line, Col: y.Column} }

func (r *yamlReader) problem(pos Pos, rule, message, hint string) {
	r.problems = append(r.problems, Problem{Pos: pos, Rule: rule, Message: message, Hint: hint})
}

func (r *yamlReader) stop(pos Pos, message string) {
	if !r.stopped {
		r.stopped = true
		r.problem(pos, "bound", message, "")
	}
}

// value converts one node and returns it with the number of values below it.
func (r *yamlReader) value(y *yaml.Node, depth int) (*Node, int) {
	if y.Kind == yaml.AliasNode {
		return r.alias(y)
	}
	n := &Node{Pos: r.pos(y)}
	r.values++
	if depth > maxDepth {
		r.stop(n.Pos, fmt.Sprintf("values are nested more than %d deep", maxDepth))
	}
	if r.values > maxValues {
		r.stop(n.Pos, fmt.Sprintf("the file has more than %d values, aliases counted each time", maxValues))
	}
	if r.stopped {
		return n, 1
	}
	var a *anchor
	if y.Anchor != "" {
		a = &anchor{node: n, open: true}
		r.anchored[y] = a
	}
	size := 1
	switch y.Kind {
	case yaml.MappingNode:
		size += r.mapping(n, y, depth)
	case yaml.SequenceNode:
		n.Kind = Array
		for _, c := range y.Content {
			item, s := r.value(c, depth+1)
			n.Items = append(n.Items, item)
			size += s
		}
	default:
		r.scalar(n, y)
	}
	if a != nil {
		a.open, a.size = false, size
	}
	return n, size
}

func (r *yamlReader) alias(y *yaml.Node) (*Node, int) {
	a := r.anchored[y.Alias]
	if a == nil || a.open {
		r.problem(r.pos(y), "alias", fmt.Sprintf("the alias *%s stands for a value that contains it", clip(y.Value)), "")
		return &Node{Pos: r.pos(y)}, 1
	}
	r.values += a.size
	if r.values > maxValues {
		r.stop(r.pos(y), fmt.Sprintf("the file has more than %d values, aliases counted each time", maxValues))
	}
	return a.node, a.size
}

// mapping fills n with the members of y, those of merge keys last: what is
// written out wins, then the earlier source.
func (r *yamlReader) mapping(n *Node, y *yaml.Node, depth int) (size int) {
	n.Kind = Object
	seen := map[string]int{}
	var merged []*Node
	for i := 0; i+1 < len(y.Content) && !r.stopped; i += 2 {
		key, value := y.Content[i], y.Content[i+1]
		inside := r.unread
		r.unread = inside || unread(key.Value)
		v, s := r.value(value, depth+1)
		r.unread = inside
		size += s
		if key.Tag == "!!merge" && key.Kind == yaml.ScalarNode {
			merged = append(merged, v)
			continue
		}
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		if key.Kind != yaml.ScalarNode {
			r.problem(r.pos(key), "key", "a key must be a plain text, not a collection", "")
			continue
		}
		duplicates := &r.problems
		if r.unread {
			duplicates = nil
		}
		addMember(n, seen, Member{Name: key.Value, Value: v, Pos: r.pos(key)}, duplicates)
	}
	for _, source := range merged {
		r.merge(n, seen, source)
	}
	slices.SortFunc(n.Members, func(a, b Member) int { return strings.Compare(a.Name, b.Name) })
	return size
}

func (r *yamlReader) merge(n *Node, seen map[string]int, source *Node) {
	switch source.Kind {
	case Object:
		for _, m := range source.Members {
			if _, ok := seen[m.Name]; !ok {
				seen[m.Name] = len(n.Members)
				n.Members = append(n.Members, m)
			}
		}
	case Array:
		for _, item := range source.Items {
			if item.Kind == Object {
				r.merge(n, seen, item)
			}
		}
	default:
		r.problem(source.Pos, "merge", "a merge key takes a mapping or a list of mappings", "")
	}
}

const quoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

// scalar fills n by the core schema of YAML 1.2.
func (r *yamlReader) scalar(n *Node, y *yaml.Node) {
	tag := ""
	if y.Style&yaml.TaggedStyle != 0 {
		tag = y.Tag
	}
	n.Kind, n.Text = String, y.Value
	if tag == "!!null" {
		n.Kind, n.Text = Null, ""
		return
	}
	if tag == "" && y.Style&quoted != 0 {
		return
	}
	if tag == "" || tag == "!!bool" {
		switch y.Value {
		case "", "~", "null", "Null", "NULL":
			n.Kind, n.Text = Null, ""
			return
		case "true", "True", "TRUE":
			n.Kind, n.Text = Bool, "true"
			return
		case "false", "False", "FALSE":
			n.Kind, n.Text = Bool, "false"
			return
		}
	}
	if tag == "" || tag == "!!int" || tag == "!!float" {
		if text, ok := yamlNumber(y.Value); ok {
			n.Kind, n.Text = Number, text
			if !boundedNumber(text) {
				r.problems = append(r.problems, numberProblem(n.Pos))
			}
		}
	}
}
