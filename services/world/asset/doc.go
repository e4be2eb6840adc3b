// Package asset owns the schematics folder of one world: what lies in it, and
// new files from boxes of the world (W-30, W-31, W-34).
//
// An asset is a regular file of the folder whose name is a letter or digit, up to
// 63 more letters, digits, underscores and hyphens, and ".schem"; its id is the
// name without the end. Other names are no assets and are left alone. There are
// MaxFiles at most. What is wrong with one file is told by its name and never
// hidden, and no message has a path.
//
// A file that is there is never overwritten. A new one is whole and on the disk
// before anybody hears of it; a process that dies leaves at most a temporary
// file, which the next Open takes away.
package asset
