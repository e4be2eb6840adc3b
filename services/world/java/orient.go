package java

import (
	"math"
	"strings"

	"github.com/pharos-mcp/pharos/services/world/blocks"
)

// oriented turns a block as the game places it: by the face that it is put
// against, by where on it, and by where the player looks.
func oriented(pack *blocks.Pack, state string, s spot) string {
	name, properties := blocks.Split(state)
	for _, p := range properties {
		switch p.Name {
		case "axis":
			state = with(pack, state, p.Name, s.face.axis)
		case "face":
			state = with(pack, state, p.Name, mount(s.face))
		case "facing":
			state = with(pack, state, p.Name, s.facing(name, state))
		case "half", "type":
			if p.Value == "bottom" && s.upper() {
				state = with(pack, state, p.Name, "top")
			}
		case "persistent": // leaves that somebody put there do not decay
			state = with(pack, state, p.Name, "true")
		}
	}
	return state
}

// with changes a property, unless the block does not have the value.
func with(pack *blocks.Pack, state, property, value string) string {
	name, properties := blocks.Split(state)
	for i := range properties {
		if properties[i].Name == property {
			properties[i].Value = value
		}
	}
	if changed := blocks.Join(name, properties); pack.Known(changed) {
		return changed
	}
	return state
}

// mount is how levers and buttons hold on to a face.
func mount(f face) string {
	switch f.name {
	case "up":
		return "floor"
	case "down":
		return "ceiling"
	}
	return "wall"
}

// facing is the direction that a block gets.
func (s spot) facing(name, state string) string {
	ends := func(suffixes ...string) bool {
		for _, suffix := range suffixes {
			if strings.HasSuffix(name, suffix) {
				return true
			}
		}
		return false
	}
	level := s.face.axis != "y"
	switch {
	case ends("_stairs", "_door", "_fence_gate"):
		return s.stand.looks()
	case ends("_rod", "_bud", "_cluster"):
		return s.face.name
	case ends("_trapdoor", "wall_torch", ":ladder", ":tripwire_hook") && level:
		return s.face.name
	case ends(":lever", "_button", ":grindstone"):
		if level {
			return s.face.name
		}
		return s.stand.looks()
	case ends(":observer"):
		return s.stand.looksWhole()
	case ends("piston"):
		return opposite(s.stand.looksWhole())
	case blocks.Get(state, "facing") == "up" || blocks.Get(state, "facing") == "down":
		return s.face.name
	}
	return opposite(s.stand.looks())
}

// looks is the nearest of the four directions that a player looks in.
func (t stand) looks() string {
	return [4]string{"south", "west", "north", "east"}[int(math.Floor(float64(t.yaw)/90+0.5))&3]
}

// looksWhole is the nearest of all six.
func (t stand) looksWhole() string {
	d := t.direction()
	if vertical := math.Abs(d[1]); vertical <= math.Abs(d[0]) || vertical <= math.Abs(d[2]) {
		return t.looks()
	}
	if d[1] > 0 {
		return "up"
	}
	return "down"
}

func opposite(direction string) string {
	return map[string]string{
		"north": "south", "south": "north", "east": "west", "west": "east", "up": "down", "down": "up",
	}[direction]
}
