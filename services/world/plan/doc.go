// Package plan turns what somebody wants built into plans: the exact changes, each
// with the state that stands there now, checked against everything that could
// make them harm (W-11 … W-14). It reads the world through a host.Host, writes
// nothing anywhere, and keeps nothing: what it returns is for the journal.
//
// Build is for recipes, Place for schematics, Undo for taking back. They refuse
// as faults, and name the first position in the order of geom.Pos.Compare. The
// checks come in this order: the extensions and bounds of what was asked for,
// the project's area and the world's height, the blocks that are placed, the
// part's mask, what stands there, and what stands beside it.
//
// Inspect, Heights and Render tell a model what is there and what would be.
package plan
