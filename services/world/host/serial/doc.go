// Package serial makes a host of a store of blocks: all that happens in a world
// happens one thing after the other here. Edits are alone, reads see none half
// done, an edit that fails is taken back, and observers hear of everything in
// the order in which it happened. What a host adds is where the blocks are.
package serial
