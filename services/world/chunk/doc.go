// Package chunk is one column of 16 by 16 blocks as it is stored since 1.18: its
// block states, read and changed, and everything else, kept.
//
// The tree of the file is the chunk. Sections are decoded when they are asked
// for; a change rewrites the block states of its section and takes away what
// follows from blocks and would now be wrong: light, of the whole chunk, since
// the one flag that has the game compute it again stands for the whole chunk,
// and heightmaps (W-35). All other tags stay as they are, in their order; without
// a change Encode gives back the bytes that were parsed.
//
// States are canonical texts of package blocks. One that the version's table
// does not have reads as it is spelled and stays as it is in the file; it can be
// overwritten, but not set.
//
// The light of the neighbours is not touched: what shone across the border from
// here may go on to shine there until the game computes that chunk's light.
package chunk
