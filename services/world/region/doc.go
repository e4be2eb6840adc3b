// Package region reads and replaces region files: 32 by 32 chunks in one .mca
// file, those above a megabyte in .mcc files beside it. It does not look into
// chunks.
//
// A file is never changed in place. Rewrite makes a whole new one, in which each
// chunk that was not given stands byte for byte, with its timestamp, and gives
// it the name once it is synced. After a crash at any moment the name therefore
// leads to the file from before or to the one from after, and so does each .mcc
// file: those that are needed are there before the region says so, and go when
// it no longer does.
//
// Whatever a file says, reading it is bounded and ends in an error for the one
// chunk that it is about.
package region
