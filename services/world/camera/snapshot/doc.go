// Package snapshot is what a camera sees of a world: the blocks of a box at one
// revision, in a form that can be sent. A position that is not in the world's
// files is unknown in it, and never air.
package snapshot
