// Package disk is the layer of files under a world: one folder, and the few
// things that are done in it. Whatever writes for good writes through it, so
// that a test can stand in for the disk and lose what a loss of power would.
//
// Names are relative to the folder, with slashes ("region/r.0.0.mca"), "." is
// the folder itself. No name leads out of it, by ".." or by a symbolic link.
//
// What is promised after a loss of power is only what was synced: the content
// of a file by File.Sync, and its name, be it new, changed or gone, by SyncDir of
// the folder that the name is in. Replace does both in the right order.
package disk
