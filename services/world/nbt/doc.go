// Package nbt reads and writes the binary tags of the Java edition: big-endian,
// names and strings in modified UTF-8, one named compound as the root.
//
// A tree keeps the order and the type of everything, also of empty lists, so
// that Encode gives back the bytes that Decode read. What has a second spelling
// for the same meaning (overlong characters, a zero byte in a string) is
// therefore refused, as is a name twice in a compound.
//
// Decode costs bounded memory and work for whatever it is given: each length is
// held against the bytes that are left before anything is allocated for it, and
// depth, tags and allocated bytes have budgets of the caller's. Compression is
// the caller's too.
package nbt
