package java

import (
	"errors"
	"fmt"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
)

var (
	up   = geom.Pos{Y: 1}
	down = geom.Pos{Y: -1}
)

// face is one of the six sides of a block.
type face struct {
	name string
	axis string
	to   geom.Pos
}

// faces are in the order of their numbers.
var faces = [6]face{
	{"down", "y", down}, {"up", "y", up}, {"north", "z", geom.Pos{Z: -1}}, {"south", "z", geom.Pos{Z: 1}},
	{"west", "x", geom.Pos{X: -1}}, {"east", "x", geom.Pos{X: 1}},
}

// spot is where a player points when placing something.
type spot struct {
	against geom.Pos
	face    face       // of the block that it is put against
	cursor  [3]float32 // where on that block, from 0 to 1
	stand   stand
}

func (s spot) beside() geom.Pos { return s.against.Add(s.face.to) }

// upper reports whether the upper half of a position is pointed at.
func (s spot) upper() bool {
	return s.face.name == "down" || s.face.axis != "y" && s.cursor[1] > 0.5
}

var errTaken = errors.New("something is there")

// placed is what placing an item comes to: in the place of the block pointed at,
// if that gives way, else beside it.
func placed(pack *blocks.Pack, w host.Reader, item string, s spot) ([]setting, error) {
	block := item
	if wall, ok := onWalls[item]; ok && s.face.axis != "y" && !givesWay(w.At(s.against)) {
		block = wall
	}
	state, err := pack.Parse("minecraft:" + block)
	if err != nil {
		return nil, fmt.Errorf("%s is no block", item)
	}
	var refused *blocks.Error
	if errors.As(pack.Replaceable(state), &refused) && refused.Reason == "block entity" {
		return nil, fmt.Errorf("%s holds more than its state, and this world does not make that", item)
	}
	state = oriented(pack, state, s)
	if both, ok := joined(w.At(s.against), state); ok && s.completes(w.At(s.against)) {
		return []setting{{s.against, both}}, nil
	}
	at := s.beside()
	if givesWay(w.At(s.against)) {
		at = s.against
	}
	if both, ok := joined(w.At(at), state); ok {
		return []setting{{at, both}}, nil
	}
	if !givesWay(w.At(at)) {
		return nil, errTaken
	}
	sets := []setting{{at, state}}
	if blocks.Get(state, "half") == "lower" {
		if !givesWay(w.At(at.Add(up))) {
			return nil, errTaken
		}
		sets = append(sets, setting{at.Add(up), with(pack, state, "half", "upper")})
	}
	return sets, nil
}

// onWalls are the blocks that items become on a wall.
var onWalls = map[string]string{
	"torch": "wall_torch", "soul_torch": "soul_wall_torch", "redstone_torch": "redstone_wall_torch",
}

// joined is the double slab that two of a kind make, if what is there is one.
func joined(now, state string) (string, bool) {
	nameNow, properties := blocks.Split(now)
	name, _ := blocks.Split(state)
	if blocks.Get(state, "type") == "" || nameNow != name {
		return "", false
	}
	for i := range properties {
		switch p := &properties[i]; {
		case p.Name == "type" && (p.Value == "top" || p.Value == "bottom"):
			p.Value = "double"
		case p.Name == "type":
			return "", false
		case p.Name == "waterlogged":
			p.Value = "false"
		}
	}
	return blocks.Join(name, properties), true
}

// completes reports whether a player points at the half that a slab leaves free.
func (s spot) completes(slab string) bool {
	if blocks.Get(slab, "type") == "top" {
		return s.face.name == "down" || s.face.axis != "y" && !s.upper()
	}
	return s.face.name == "up" || s.face.axis != "y" && s.upper()
}

// givesWay reports whether a block is replaced by what is placed there.
func givesWay(state string) bool {
	if host.IsAir(state) || state == "minecraft:snow[layers=1]" {
		return true
	}
	switch name, _ := blocks.Split(state); name {
	case "minecraft:water", "minecraft:lava", "minecraft:grass", "minecraft:short_grass", "minecraft:fern",
		"minecraft:dead_bush", "minecraft:seagrass", "minecraft:vine", "minecraft:glow_lichen",
		"minecraft:hanging_roots", "minecraft:crimson_roots", "minecraft:warped_roots", "minecraft:nether_sprouts",
		"minecraft:fire", "minecraft:soul_fire", "minecraft:bubble_column", "minecraft:light",
		"minecraft:structure_void":
		return true
	}
	return false
}
