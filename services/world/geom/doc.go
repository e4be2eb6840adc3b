// Package geom is positions, boxes, and recipes: data that says which blocks
// stand where, and never code (W-12). It knows no world and no block: what is
// named here is text.
//
// A recipe comes in through ParseRecipe, which refuses what it does not know,
// and becomes placements through Compile, which reckons the work before it does
// any of it.
package geom
