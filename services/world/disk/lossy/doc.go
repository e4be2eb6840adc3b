// Package lossy is a disk in memory that loses what was not synced. It is for
// tests of what writes files for good.
//
// A file has what was written to it and, apart from that, what was synced; a
// folder has its names and, apart from them, those that were synced. Crash keeps
// of all only the latter. CrashSome keeps besides, by a seed, any part of the
// rest, as a real disk may: a change of names without those before it, a file of
// the right length that is empty or torn. A rename within a folder is kept whole
// or not at all, as journaling file systems have it.
//
// Skip leaves a single sync out, Watch runs something after each step, and Refuse
// has a step fail: so a test can crash everywhere, and show that every sync is
// needed.
package lossy
