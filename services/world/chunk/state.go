package chunk

import (
	"strings"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/nbt"
)

// stateOf is the state that an entry of a palette stands for, canonical where
// the pack has it. Properties that are missing have their defaults, as they have
// for the game. Something that cannot be the name of a state at all is not ok.
func (c *Chunk) stateOf(tag *nbt.Compound) (state string, ok bool) {
	name, ok := nbt.Get[nbt.String](tag, "Name")
	if !ok || !word(string(name), ":/.-") {
		return "", false
	}
	var properties []blocks.Property
	if list, there := tag.Get("Properties"); there {
		members, ok := list.(*nbt.Compound)
		if !ok {
			return "", false
		}
		for key, value := range members.All() {
			text, ok := value.(nbt.String)
			if !ok || !word(key, "") || !word(string(text), "") {
				return "", false
			}
			properties = append(properties, blocks.Property{Name: key, Value: string(text)})
		}
	}
	state = blocks.Join(string(name), properties)
	if id, ok := c.pack.ID(state); ok {
		state, _ = c.pack.State(id) // the pack's own copy of the text
	} else if full, err := c.pack.Parse(state); err == nil {
		state = full
	}
	return state, true
}

// word reports whether s is made of lower-case letters, digits, "_" and what is
// in more, and is neither empty nor very long.
func word(s, more string) bool {
	for i := range len(s) {
		b := s[i]
		if (b < 'a' || b > 'z') && (b < '0' || b > '9') && b != '_' && strings.IndexByte(more, b) < 0 {
			return false
		}
	}
	return s != "" && len(s) <= 256
}

// tagOf is the entry of a palette for a canonical state.
func tagOf(state string) *nbt.Compound {
	name, properties := blocks.Split(state)
	tag := &nbt.Compound{}
	tag.Set("Name", nbt.String(name))
	if len(properties) > 0 {
		members := &nbt.Compound{}
		for _, p := range properties {
			members.Set(p.Name, nbt.String(p.Value))
		}
		tag.Set("Properties", members)
	}
	return tag
}
