// Package runlog keeps what happened in an episode: one file of JSON lines a
// run, written as the run goes, from which everything can be computed again.
//
// The first line is the header, then comes one line for each tick, from 0 on,
// and the last line is the end. Lines are synchronised with the disk at each
// tick and at the end, so that a process that dies leaves whole ticks and at
// most one torn line, which Finalise takes away.
//
// Nothing in a line depends on when or where it was written. The identity of
// the run stands in the header and the end alone.
package runlog
