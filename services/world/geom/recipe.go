package geom

import (
	"fmt"
	"iter"
)

// Version is the one version of recipes.
const Version = 1

// Recipe is what to build: operations that are done in their order.
type Recipe struct {
	Version    int
	Operations []Operation
}

// Operation is one of Cuboid, Line, Cylinder, Sphere, Replace and Repeat.
type Operation interface{ operation() }

// Cuboid fills the box between two corners, whichever two they are. Hollow, it
// is the positions that lie in one of the six faces. Recipes call it "box".
type Cuboid struct {
	Min, Max Pos
	Block    string
	Hollow   bool
}

// Line joins two positions. With n the longest way along an axis it is the n+1
// positions from + i·(to-from)/n, each coordinate rounded to the nearest integer and
// halves upwards: neighbours share at least a corner, and it is the same
// line from either end.
type Line struct {
	From, To Pos
	Block    string
}

// Cylinder stands on its center: of each of its layers, upwards from the center,
// the positions with dx²+dz² ≤ radius². Hollow, it is those with a neighbour to
// the north, south, east or west that is not in it, so that both ends are open.
type Cylinder struct {
	Center         Pos
	Radius, Height int32
	Block          string
	Hollow         bool
}

// Sphere is the positions with dx²+dy²+dz² ≤ radius². Hollow, it is those with
// one of six neighbours that is not in it. It is an extension.
type Sphere struct {
	Center Pos
	Radius int32
	Block  string
	Hollow bool
}

// Replace places its block in a box where From stands when its turn comes: in
// the world, or put there by an operation before it. It is an extension.
type Replace struct {
	Min, Max    Pos
	From, Block string
}

// Repeat does its operations Count times, each round Offset further than the
// one before.
type Repeat struct {
	Count      int32
	Offset     Pos
	Operations []Operation
}

func (Cuboid) operation()   {}
func (Line) operation()     {}
func (Cylinder) operation() {}
func (Sphere) operation()   {}
func (Replace) operation()  {}
func (Repeat) operation()   {}

// All goes through the operations and those that they repeat, each once and
// after the one that holds it, with its JSON pointer in the recipe.
func (r Recipe) All() iter.Seq2[string, Operation] {
	return func(yield func(string, Operation) bool) { all("", r.Operations, yield) }
}

func all(at string, operations []Operation, yield func(string, Operation) bool) bool {
	for i, o := range operations {
		here := fmt.Sprintf("%s/operations/%d", at, i)
		if !yield(here, o) {
			return false
		}
		if r, ok := o.(Repeat); ok && !all(here, r.Operations, yield) {
			return false
		}
	}
	return true
}

// Placement puts a block at a position: always, or with Only just where that
// state or block stands.
type Placement struct {
	Pos
	Block string
	Only  string // "minecraft:stone", any state of it; "" for always
}
