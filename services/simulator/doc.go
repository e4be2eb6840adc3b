// Package simulator serves the dispatch game to one controller at a time.
//
// The lease of the process belongs to the controller that came last; who is
// displaced keeps its connection and is told so at every call. A controller has
// at most one run, whose episode lives in memory and whose log is on the disk
// tick by tick. Every way of leaving a run ends its log, once: the episode was
// over, another took its place, the controller was displaced or went away, or
// the process ended, which the next start finds out.
//
// The game itself is in the packages below, which know nothing of controllers,
// logs or time.
package simulator
