// Package blocks is the table of block states of a version of the game, and
// what can be said of a state without a world: how it is written, how it turns,
// whether a plan may place it or overwrite it.
package blocks
