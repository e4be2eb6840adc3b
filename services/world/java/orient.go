package java

import (
	"fmt"
	"math"
	"strings"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
)

// face is one of the six sides of a block, in the order of their numbers.
type face struct {
	name string
	axis string
	to   geom.Pos
}

var faces = []face{
	{"down", "y", geom.Pos{Y: -1}}, {"up", "y", geom.Pos{Y: 1}}, {"north", "z", geom.Pos{Z: -1}}, {"south", "z", geom.Pos{Z: 1}},
	{"west", "x", geom.Pos{X: -1}}, {"east", "x", geom.Pos{X: 1}},
}

// givesWay reports whether a block is replaced by what is placed there.
func givesWay(state string) bool {
	if host.IsAir(state) {
		return true
	}
	switch name, _ := blocks.Split(state); name {
	case "minecraft:water", "minecraft:lava", "minecraft:grass", "minecraft:short_grass", "minecraft:fern", "minecraft:dead_bush",
		"minecraft:seagrass", "minecraft:vine", "minecraft:fire":
		return true
	}
	return false
}

// oriented is the state of a block as it is placed: turned by the face it is put
// against, by where on it, and by where the player looks.
func (s *Server) oriented(item string, against face, cursor [3]float32, t stand) (string, error) {
	pack := s.world.Blocks()
	state, err := pack.Parse("minecraft:" + item)
	if err != nil {
		return "", fmt.Errorf("%s is no block", item)
	}
	upper := against.name == "down" || against.axis != "y" && cursor[1] > 0.5
	looks := []string{"south", "west", "north", "east"}[int(math.Floor(float64(t.yaw)/90+0.5))&3]
	name, properties := blocks.Split(state)
	for i := range properties {
		switch p := &properties[i]; p.Name {
		case "axis":
			p.Value = against.axis
		case "facing":
			switch {
			case strings.HasSuffix(name, "_stairs"), strings.HasSuffix(name, "_door"), strings.HasSuffix(name, "_gate"), strings.HasSuffix(name, "bed"):
				p.Value = looks
			case against.axis != "y" && strings.HasSuffix(name, "_trapdoor"):
				p.Value = against.name
			default:
				p.Value = opposite(looks)
			}
		case "half":
			if upper && p.Value == "bottom" {
				p.Value = "top"
			}
		case "type":
			if upper && p.Value == "bottom" {
				p.Value = "top"
			}
		}
	}
	turned := blocks.Join(name, properties)
	if !pack.Known(turned) {
		return state, nil // such as a hopper, which never looks up
	}
	return turned, nil
}

func opposite(direction string) string {
	return map[string]string{"north": "south", "south": "north", "east": "west", "west": "east"}[direction]
}
