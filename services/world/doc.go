// Package world is the service that lets an agent read one Minecraft world and
// change it through reviewed plans: every method of the catalog world, by what
// the packages below it can do.
//
// It owns no rule of its own but who may call what: each call looks up the
// project, its owner and what they may do now (W-04). Reading and planning is
// package plan's, building and taking back package operation's, what is kept
// package journal's, files of schematics are package asset's. The tables are
// the journal's.
//
// Errors are faults with the codes of those packages; Statuses says which of
// them have an HTTP status of their own.
package world
