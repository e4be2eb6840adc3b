// Package schem reads and writes Sponge schematics of version 2: a dense box of
// block states in gzipped NBT (W-31, W-33).
//
// Reading is strict. What a plan could not build is refused, not left out:
// entities, block entities, biomes, mods, fields that the version does not have,
// blocks outside the policy. Each kind of refusal has a code of its own, and its
// message names the first thing that is wrong.
//
// A file costs what the bounds allow, whatever it says about itself: MaxPacked
// bytes packed, MaxUnpacked unpacked, MaxTags tags, MaxDepth levels, and MaxAlloc
// bytes of memory taken in all. Lengths are checked before memory is taken.
//
// Writing is deterministic: equal schematics are equal bytes.
package schem
