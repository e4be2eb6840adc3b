package spec

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Kind is the JSON type of a Node.
type Kind uint8

// The kinds of nodes.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// Node is one JSON value with its place in the source.
//
// A Node is shared between stages and must not be changed once it is part of a
// loaded document: Clone it first.
type Node struct {
	Kind    Kind
	Text    string   // String: the value; Number: as JSON writes it; Bool: true or false
	Items   []*Node  // Array
	Members []Member // Object, ordered by name, names unique
	Pos     Pos
}

// Member is one name and value of an object.
type Member struct {
	Name  string
	Value *Node
	Pos   Pos // of the name
}

// Get returns the member with that name, or nil. It is safe on a nil Node and
// on one that is not an object.
func (n *Node) Get(name string) *Node {
	if n == nil || n.Kind != Object {
		return nil
	}
	i, ok := slices.BinarySearchFunc(n.Members, name, func(m Member, s string) int {
		return strings.Compare(m.Name, s)
	})
	if !ok {
		return nil
	}
	return n.Members[i].Value
}

// Has reports whether the object has a member with that name, null included.
func (n *Node) Has(name string) bool { return n.Get(name) != nil }

// Str returns the text of a member that is a string, else "".
func (n *Node) Str(name string) string {
	if m := n.Get(name); m != nil && m.Kind == String {
		return m.Text
	}
	return ""
}

// True reports whether the member is the boolean true.
func (n *Node) True(name string) bool {
	m := n.Get(name)
	return m != nil && m.Kind == Bool && m.Text == "true"
}

// Set puts a member into an object in its ordered place, replacing one of the
// same name. It must only be called on a node the caller owns.
func (n *Node) Set(name string, value *Node) {
	i, ok := slices.BinarySearchFunc(n.Members, name, func(m Member, s string) int {
		return strings.Compare(m.Name, s)
	})
	if ok {
		n.Members[i].Value = value
		return
	}
	n.Members = slices.Insert(n.Members, i, Member{Name: name, Value: value, Pos: value.Pos})
}

// Delete removes a member, if it is there. It must only be called on a node
// the caller owns.
func (n *Node) Delete(name string) {
	n.Members = slices.DeleteFunc(n.Members, func(m Member) bool { return m.Name == name })
}

// Clone returns a deep copy.
func (n *Node) Clone() *Node {
	if n == nil {
		return nil
	}
	c := *n
	if n.Items != nil {
		c.Items = make([]*Node, len(n.Items))
		for i, item := range n.Items {
			c.Items[i] = item.Clone()
		}
	}
	if n.Members != nil {
		c.Members = make([]Member, len(n.Members))
		for i, m := range n.Members {
			c.Members[i] = Member{Name: m.Name, Value: m.Value.Clone(), Pos: m.Pos}
		}
	}
	return &c
}

// Equal reports whether two nodes are the same JSON value, places aside.
// Numbers compare by their text.
func (n *Node) Equal(o *Node) bool {
	if n == nil || o == nil {
		return n == o
	}
	if n.Kind != o.Kind || n.Text != o.Text || len(n.Items) != len(o.Items) || len(n.Members) != len(o.Members) {
		return false
	}
	for i := range n.Items {
		if !n.Items[i].Equal(o.Items[i]) {
			return false
		}
	}
	for i := range n.Members {
		if n.Members[i].Name != o.Members[i].Name || !n.Members[i].Value.Equal(o.Members[i].Value) {
			return false
		}
	}
	return true
}

// NewString, NewBool, NewNumber, NewArray and NewObject make nodes without a
// place, for values that the generator adds.
func NewString(s string) *Node { return &Node{Kind: String, Text: s} }

// NewBool makes a boolean node.
func NewBool(b bool) *Node {
	if b {
		return &Node{Kind: Bool, Text: "true"}
	}
	return &Node{Kind: Bool, Text: "false"}
}

// NewNumber makes a number node from its JSON text.
func NewNumber(text string) *Node { return &Node{Kind: Number, Text: text} }

// NewArray makes an array node.
func NewArray(items ...*Node) *Node { return &Node{Kind: Array, Items: items} }

// NewObject makes an object node; fill it with Set.
func NewObject() *Node { return &Node{Kind: Object} }

// AppendJSON appends the value as compact JSON. The same value gives the same
// bytes, whatever the order in its source.
func (n *Node) AppendJSON(dst []byte) []byte {
	if n == nil {
		return append(dst, "null"...)
	}
	switch n.Kind {
	case Bool, Number:
		return append(dst, n.Text...)
	case String:
		return appendString(dst, n.Text)
	case Array:
		dst = append(dst, '[')
		for i, item := range n.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = item.AppendJSON(dst)
		}
		return append(dst, ']')
	case Object:
		dst = append(dst, '{')
		for i, m := range n.Members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendString(dst, m.Name)
			dst = append(dst, ':')
			dst = m.Value.AppendJSON(dst)
		}
		return append(dst, '}')
	default:
		return append(dst, "null"...)
	}
}

// MarshalJSON implements json.Marshaler.
func (n *Node) MarshalJSON() ([]byte, error) { return n.AppendJSON(nil), nil }

// appendString quotes s without escaping <, > and &, which no consumer of a
// schema needs, but with every character escaped that no reader of the file
// would see: controls, formats (bidirectional ones, tags, zero widths), private
// use, and the variation selectors that no emoji has.
func appendString(dst []byte, s string) []byte {
	plain := true
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c == '"' || c == '\\' || c >= 0x7f {
			plain = false
			break
		}
	}
	if plain {
		dst = append(dst, '"')
		dst = append(dst, s...)
		return append(dst, '"')
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a string always encodes
	for _, c := range strings.TrimSuffix(b.String(), "\n") {
		if !unicode.In(c, unicode.Cc, unicode.Cf, unicode.Co) && (c < 0xe0100 || c > 0xe01ef) {
			dst = utf8.AppendRune(dst, c)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, c) {
			dst = fmt.Appendf(dst, `\u%04x`, unit)
		}
	}
	return dst
}
