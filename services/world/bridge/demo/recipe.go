package demo

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// pos is a position in the world, as the tools write it.
type pos struct {
	X int `json:"x"`
	Y int `json:"y"`
	Z int `json:"z"`
}

func (p pos) add(x, y, z int) pos { return pos{p.X + x, p.Y + y, p.Z + z} }

// box is a range, both ends in it.
type box struct {
	Min pos `json:"min"`
	Max pos `json:"max"`
}

// building is something that the agent can build.
type building struct {
	name       string
	size       pos // what it takes from its lowest corner on
	operations func(at pos) []map[string]any
}

// buildings are by the words that a wish has.
var buildings = []building{
	{"house", pos{7, 6, 7}, func(at pos) []map[string]any {
		return []map[string]any{
			filled(at, at.add(6, 0, 6), "cobblestone"),
			hollow(at.add(0, 1, 0), at.add(6, 4, 6), "oak_planks"),
			filled(at.add(1, 1, 1), at.add(5, 1, 5), "air"),
			filled(at.add(0, 5, 0), at.add(6, 5, 6), "spruce_planks"),
			filled(at.add(3, 1, 0), at.add(3, 2, 0), "air"),
			filled(at.add(0, 2, 3), at.add(0, 3, 3), "glass"),
			filled(at.add(6, 2, 3), at.add(6, 3, 3), "glass"),
		}
	}},
	{"tower", pos{7, 13, 7}, func(at pos) []map[string]any {
		return []map[string]any{
			{
				"type": "cylinder", "center": at.add(3, 0, 3), "radius": 3, "height": 12, "block": "stone_bricks", "hollow": true,
			},
			{"type": "cylinder", "center": at.add(3, 12, 3), "radius": 3, "height": 1, "block": "spruce_planks"},
			filled(at.add(3, 0, 0), at.add(3, 1, 0), "air"),
		}
	}},
	{"wall", pos{12, 4, 1}, func(at pos) []map[string]any {
		return []map[string]any{filled(at, at.add(11, 3, 0), "stone_bricks")}
	}},
}

func filled(from, to pos, block string) map[string]any {
	return map[string]any{"type": "box", "min": from, "max": to, "block": "minecraft:" + block}
}

func hollow(from, to pos, block string) map[string]any {
	operation := filled(from, to, block)
	operation["hollow"] = true
	return operation
}

// wished is the building that a wish speaks of, if there is one.
func wished(words string) (building, bool) {
	for _, b := range buildings {
		if strings.Contains(words, b.name) {
			return b, true
		}
	}
	return building{}, false
}

var standing = regexp.MustCompile(`stands at x (-?[0-9]+(?:\.[0-9]+)?), y (-?[0-9]+(?:\.[0-9]+)?), z (-?[0-9]+(?:\.[0-9]+)?)`)

// heard takes a question apart: where the player stands, and what they say.
func heard(text string) (feet pos, words string, err error) {
	where, words, found := strings.Cut(text, "\n\n")
	m := standing.FindStringSubmatch(where)
	if !found || m == nil {
		return pos{}, "", fmt.Errorf("where the player stands is not said")
	}
	for i, to := range []*int{&feet.X, &feet.Y, &feet.Z} {
		f, err := strconv.ParseFloat(m[i+1], 64)
		if err != nil {
			return pos{}, "", err
		}
		*to = int(math.Floor(f))
	}
	return feet, strings.ToLower(strings.TrimSpace(words)), nil
}

// site is where something of a size stands: three blocks to the east of the feet,
// within an area. Its floor is at the feet.
func site(feet, size pos, area box) (box, error) {
	at := feet.add(3, 0, -size.Z/2)
	for _, axis := range []struct {
		at          *int
		size        int
		first, last int
	}{
		{&at.X, size.X, area.Min.X, area.Max.X}, {&at.Y, size.Y, area.Min.Y, area.Max.Y}, {&at.Z, size.Z, area.Min.Z, area.Max.Z},
	} {
		if axis.last-axis.first+1 < axis.size {
			return box{}, fmt.Errorf("the area of the project is too small")
		}
		*axis.at = min(max(*axis.at, axis.first), axis.last-axis.size+1)
	}
	return box{at, at.add(size.X-1, size.Y-1, size.Z-1)}, nil
}
