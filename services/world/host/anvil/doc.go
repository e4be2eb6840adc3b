// Package anvil is a host that owns a world's folder as Java Edition lays it out
// since 1.18: level.dat, region/, entities/, and session.lock, which it holds as
// the game does, so that a server and this host never have the same world.
//
// Chunks are read when they are asked for and kept as long as there is room for
// them; those that changed are kept until Flush has them on the disk. Nothing is
// ever generated (W-11), and nothing is scanned when a world is opened.
//
// What is not ours stays as it is (W-35). Before a region file changes for the
// first time, it and its .mcc files get a second name under pharos/originals/,
// or a copy where the file system has no links. A world that a newer version
// saved, or one from before 1.18, is read only.
package anvil
