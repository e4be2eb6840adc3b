package blocks

import (
	"strings"

	"github.com/pharos-mcp/pharos/services/world/geom"
)

// The six steps to a neighbour.
var (
	down  = geom.Pos{Y: -1}
	up    = geom.Pos{Y: 1}
	north = geom.Pos{Z: -1}
	south = geom.Pos{Z: 1}
	west  = geom.Pos{X: -1}
	east  = geom.Pos{X: 1}
)

// stepOf is the step in a direction, or none where the name is not one.
func stepOf(direction string) geom.Pos {
	switch direction {
	case "down":
		return down
	case "up":
		return up
	case "north":
		return north
	case "south":
		return south
	case "west":
		return west
	case "east":
		return east
	}
	return geom.Pos{}
}

func opposite(p geom.Pos) geom.Pos { return geom.Pos{}.Sub(p) }

// place tells on which sides of a block a need applies.
type place func(standing) []geom.Pos

func on(sides ...geom.Pos) place { return func(standing) []geom.Pos { return sides } }

// where is a place for states that have a property's value, and none for others.
func where(property, value string, then place) place {
	return func(s standing) []geom.Pos {
		if s.property(property) != value {
			return nil
		}
		return then(s)
	}
}

var (
	below = on(down)
	above = on(up)
	level = on(north, east, south, west)
	about = on(down, up, north, east, south, west)
)

// ahead is where the block faces, behind what its back is at.
func ahead(s standing) []geom.Pos  { return []geom.Pos{stepOf(s.property("facing"))} }
func behind(s standing) []geom.Pos { return []geom.Pos{opposite(stepOf(s.property("facing")))} }

// connected is each side whose property is true.
func connected(s standing) []geom.Pos {
	var sides []geom.Pos
	for _, direction := range []string{"down", "up", "north", "south", "west", "east"} {
		if s.property(direction) == "true" {
			sides = append(sides, stepOf(direction))
		}
	}
	return sides
}

// upright is the floor below signs and banners that are on it.
func upright(s standing) []geom.Pos {
	if s.property("rotation") == "" || s.property("attached") != "" {
		return nil
	}
	return below(s)
}

// hung is the ceiling above signs that hang from it. Those on a wall stay when
// the wall goes.
func hung(s standing) []geom.Pos {
	if s.property("attached") == "" {
		return nil
	}
	return above(s)
}

// overhang is what scaffolding may hang on that nothing below bears.
func overhang(s standing) []geom.Pos {
	if s.property("distance") == "0" {
		return nil
	}
	return []geom.Pos{down, north, east, south, west}
}

// mounted is what levers and buttons are on.
func mounted(s standing) []geom.Pos {
	switch s.property("face") {
	case "floor":
		return below(s)
	case "ceiling":
		return above(s)
	}
	return behind(s)
}

// uphill is where an ascending rail leads.
func uphill(s standing) []geom.Pos {
	if direction, ascends := strings.CutPrefix(s.property("shape"), "ascending_"); ascends {
		return []geom.Pos{stepOf(direction)}
	}
	return nil
}

// frame is what is beside a portal within its plane.
func frame(s standing) []geom.Pos {
	if s.property("axis") == "x" {
		return []geom.Pos{down, up, west, east}
	}
	return []geom.Pos{down, up, north, south}
}
