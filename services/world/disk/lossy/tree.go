package lossy

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
)

// node is a file or a folder.
type node struct {
	mode fs.FileMode
	at   time.Time

	data, synced []byte // of a file

	names, kept map[string]*node // of a folder
	pending     []change         // of names, since the last sync
}

// change is a change of names in one folder, which a crash keeps or loses whole:
// nil is a name that goes.
type change map[string]*node

func newFolder(mode fs.FileMode) *node {
	return &node{mode: fs.ModeDir | mode, names: map[string]*node{}, kept: map[string]*node{}}
}

func (n *node) change(c change) {
	apply(n.names, c)
	n.pending = append(n.pending, c)
}

func apply(names map[string]*node, c change) {
	for name, to := range c {
		if to == nil {
			delete(names, name)
		} else {
			names[name] = to
		}
	}
}

// sync has the node on the disk as it is.
func (n *node) sync() {
	if n.mode.IsDir() {
		n.kept, n.pending = maps.Clone(n.names), nil
	} else {
		n.synced = slices.Clone(n.data)
	}
}

// find returns the node of a name.
func (n *node) find(op, name string) (*node, error) {
	if !fs.ValidPath(name) {
		return nil, refuse(op, name, fs.ErrInvalid)
	}
	if name == "." {
		return n, nil
	}
	for word := range strings.SplitSeq(name, "/") {
		if n = n.names[word]; n == nil {
			return nil, refuse(op, name, fs.ErrNotExist)
		}
	}
	return n, nil
}

// parent returns the folder that a name is in, and the last part of the name.
func (n *node) parent(op, name string) (folder *node, base string, err error) {
	folder, err = n.find(op, path.Dir(name))
	if err != nil {
		return nil, "", err
	}
	if !folder.mode.IsDir() || name == "." || !fs.ValidPath(name) {
		return nil, "", refuse(op, name, fs.ErrInvalid)
	}
	return folder, path.Base(name), nil
}

func refuse(op, name string, err error) error {
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// info is a node under a name.
type info struct {
	name string
	node *node
	size int64
}

func (n *node) info(name string) info { return info{path.Base(name), n, int64(len(n.data))} }

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return i.node.mode }
func (i info) ModTime() time.Time { return i.node.at }
func (i info) IsDir() bool        { return i.node.mode.IsDir() }
func (i info) Sys() any           { return nil }
