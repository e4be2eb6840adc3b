package geom

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// node is a JSON value with its place, so that what is wrong with it can be
// told by pointer.
type node struct {
	at      string
	value   any // string, bool, json.Number or nil; with neither names nor list
	object  bool
	array   bool
	names   []string
	members map[string]*node
	items   []*node
}

// readTree reads one value and nothing after it.
func readTree(text []byte) (*node, *Error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	n, err := readNode(d, "")
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, invalid("", "something follows the recipe; send one JSON object")
	}
	return n, nil
}

func readNode(d *json.Decoder, at string) (*node, *Error) {
	token, err := d.Token()
	if err != nil {
		return nil, invalid(at, "it is not JSON: %v", err)
	}
	n := &node{at: at, value: token}
	switch token {
	case json.Delim('['):
		n.array = true
		for d.More() {
			item, err := readNode(d, at+"/"+strconv.Itoa(len(n.items)))
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, item)
		}
	case json.Delim('{'):
		n.object, n.members = true, map[string]*node{}
		for d.More() {
			if err := n.readMember(d); err != nil {
				return nil, err
			}
		}
	default:
		return n, nil
	}
	if _, err := d.Token(); err != nil {
		return nil, invalid(at, "it is not JSON: %v", err)
	}
	return n, nil
}

func (n *node) readMember(d *json.Decoder) *Error {
	token, err := d.Token()
	if err != nil {
		return invalid(n.at, "it is not JSON: %v", err)
	}
	name, _ := token.(string) // the decoder lets nothing else be a name
	at := n.at + "/" + escape.Replace(fmt.Sprintf("%.64s", name))
	if n.members[name] != nil {
		return invalid(at, "the member stands twice; leave one out")
	}
	member, wrong := readNode(d, at)
	if wrong != nil {
		return wrong
	}
	n.names = append(n.names, name)
	n.members[name] = member
	return nil
}

// escape writes a name as a part of a JSON pointer.
var escape = strings.NewReplacer("~", "~0", "/", "~1")

// kind is a word for what the node is.
func (n *node) kind() string {
	switch v := n.value.(type) {
	case nil:
		return "null"
	case json.Delim:
		return map[json.Delim]string{'{': "an object", '[': "an array"}[v]
	case string:
		return "a string"
	case bool:
		return "true or false"
	default:
		return fmt.Sprintf("%.40v", v)
	}
}

// expect refuses members that are not among those that may or must be there.
func (n *node) expect(what string, must []string, may ...string) *Error {
	if !n.object {
		return invalid(n.at, "it is %s; %s is an object", n.kind(), what)
	}
	for _, name := range n.names {
		if !slices.Contains(must, name) && !slices.Contains(may, name) {
			return invalid(n.members[name].at, "%s has no such member; it has %s", what, strings.Join(append(must, may...), ", "))
		}
	}
	for _, name := range must {
		if n.members[name] == nil {
			return invalid(n.at, "%s needs the member %q", what, name)
		}
	}
	return nil
}
