// Package city is the ground of the game: roads, buildings and depots of a map,
// the ways between them, and what stands near what.
//
// Maps are data of this package, made by the generator beside it, and known by
// their SHA-256. All lengths are tenths of a unit; nothing here depends on the
// machine, on time or on the order of a Go map.
package city
