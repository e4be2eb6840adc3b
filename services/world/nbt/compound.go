package nbt

import "iter"

// Compound is named tags in the order of the file, no name twice. The zero
// value is empty and ready. It is not safe for concurrent changes.
type Compound struct {
	members []member
	index   map[string]int // of large ones only
}

type member struct {
	name string
	tag  Tag
}

// indexed is the size from which on a compound looks names up in a map.
const indexed = 16

// Len is the number of members.
func (c *Compound) Len() int { return len(c.members) }

// Get returns the member of that name.
func (c *Compound) Get(name string) (Tag, bool) {
	if at := c.find(name); at >= 0 {
		return c.members[at].tag, true
	}
	return nil, false
}

// Get returns the member of that name if it has the type.
func Get[T Tag](c *Compound, name string) (T, bool) {
	tag, _ := c.Get(name)
	t, ok := tag.(T)
	return t, ok
}

// Set puts a member in its place or, where the name is new, at the end.
func (c *Compound) Set(name string, tag Tag) {
	if at := c.find(name); at >= 0 {
		c.members[at].tag = tag
		return
	}
	c.add(name, tag)
}

// Delete takes a member away and reports whether it was there. The others keep
// their order.
func (c *Compound) Delete(name string) bool {
	at := c.find(name)
	if at < 0 {
		return false
	}
	c.members = append(c.members[:at], c.members[at+1:]...)
	c.index = nil
	if len(c.members) >= indexed {
		c.makeIndex()
	}
	return true
}

// All are the members in order.
func (c *Compound) All() iter.Seq2[string, Tag] {
	return func(yield func(string, Tag) bool) {
		for _, m := range c.members {
			if !yield(m.name, m.tag) {
				return
			}
		}
	}
}

func (c *Compound) find(name string) int {
	if c.index != nil {
		if at, ok := c.index[name]; ok {
			return at
		}
		return -1
	}
	for i := range c.members {
		if c.members[i].name == name {
			return i
		}
	}
	return -1
}

// add appends a member whose name is not there.
func (c *Compound) add(name string, tag Tag) {
	c.members = append(c.members, member{name, tag})
	switch {
	case c.index != nil:
		c.index[name] = len(c.members) - 1
	case len(c.members) == indexed:
		c.makeIndex()
	}
}

func (c *Compound) makeIndex() {
	c.index = make(map[string]int, 2*len(c.members))
	for i, m := range c.members {
		c.index[m.name] = i
	}
}
