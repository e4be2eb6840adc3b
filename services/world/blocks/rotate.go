package blocks

import "strings"

// compass is the four directions, clockwise from above.
var compass = [4]string{"north", "east", "south", "west"}

// turnOf is the number of a direction in compass, or -1.
func turnOf(direction string) int {
	for i, d := range compass {
		if d == direction {
			return i
		}
	}
	return -1
}

// Rotate turns a canonical state by quarters of a circle, clockwise when seen
// from above; negative ones turn it back. It turns facings, axes, the sixteen
// rotations of signs and heads, connections on the four sides, the course of
// rails and the orientation of crafters and jigsaws. The shape of stairs stays:
// inner and outer corners name their left and right from the stairs' own front.
func Rotate(state string, quarters int) string {
	quarters &= 3
	if quarters == 0 || !strings.Contains(state, "[") {
		return state
	}
	name, properties := Split(state)
	before := properties
	properties = append([]Property(nil), before...)
	for i, p := range before {
		switch p.Name {
		case "north", "east", "south", "west":
			from := compass[(turnOf(p.Name)-quarters)&3]
			for _, q := range before {
				if q.Name == from {
					properties[i].Value = q.Value
				}
			}
		case "facing", "orientation", "shape":
			properties[i].Value = turnWords(p.Value, quarters)
		case "axis":
			properties[i].Value = turnAxis(p.Value, quarters)
		case "rotation":
			properties[i].Value = turnSixteenth(p.Value, quarters)
		}
	}
	return Join(name, properties)
}

// rank is the order in which the game names two directions of compass.
var rank = [4]int{0, 2, 1, 3}

// turnWords turns every direction within a value: north, ascending_east,
// north_south, south_east, down_west.
func turnWords(value string, quarters int) string {
	first, second, two := strings.Cut(value, "_")
	a, b := turnOf(first), turnOf(second)
	if a >= 0 {
		a = (a + quarters) & 3
		first = compass[a]
	}
	if !two {
		return first
	}
	if b >= 0 {
		b = (b + quarters) & 3
		second = compass[b]
	}
	if a >= 0 && b >= 0 && rank[b] < rank[a] {
		first, second = second, first
	}
	return first + "_" + second
}

func turnAxis(axis string, quarters int) string {
	switch {
	case quarters%2 == 0:
		return axis
	case axis == "x":
		return "z"
	case axis == "z":
		return "x"
	}
	return axis
}

// sixteenths are the values of rotation, from south, clockwise.
var sixteenths = [16]string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15"}

func turnSixteenth(rotation string, quarters int) string {
	for i, s := range sixteenths {
		if s == rotation {
			return sixteenths[(i+4*quarters)%16]
		}
	}
	return rotation
}
