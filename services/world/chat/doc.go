// Package chat carries what players ask of the builder to a bridge, and the
// bridge's replies to the player who asked (W-40, W-41). It holds everything in
// memory: a new bridge, and a new process, repeats nothing.
package chat
