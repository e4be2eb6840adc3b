package blocks

// Whole is the length of a block's edge in the unit of boxes.
const Whole = 32

// AABB is a box inside a block: x, y and z of two corners, in units of 1/32 of
// a block from the block's low corner. Fences and walls reach above Whole.
type AABB struct{ Min, Max [3]int8 }

var fullCube = AABB{Max: [3]int8{Whole, Whole, Whole}}

// Shape is the room that a state takes, as the game has it for what bumps into
// it: one box for a cube, three at most for stairs, none for air, plants and
// torches. The result must not be changed. Unknown states have none.
func (p *Pack) Shape(state string) []AABB {
	k, id := p.kindOf(state)
	if k == nil {
		return nil
	}
	return p.shapes[k.shape(id)]
}

// Solid reports whether a state fills all of its position.
func (p *Pack) Solid(state string) bool { return isFull(p.Shape(state)) }

func isFull(shape []AABB) bool { return len(shape) == 1 && shape[0] == fullCube }
