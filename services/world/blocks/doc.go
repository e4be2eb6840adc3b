// Package blocks is the table of block states of a version of the game, and
// what can be said of a state without a world: how it is written, how it turns,
// how much room it takes, whether a plan may place it or overwrite it, and
// whether it would break when something beside it changes.
//
// States are canonical text everywhere: a name with its namespace and every
// property, sorted, as in "minecraft:oak_log[axis=y]". The game's numbers of
// states leave the package for chunks and packets alone.
//
// The tables in data are made by .ci/world/tables.mjs from minecraft-data, one
// folder a version. A version is data: no code here asks which one it is.
package blocks
