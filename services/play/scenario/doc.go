// Package scenario owns what authors write: scenarios in versions, and the
// scenes, NPCs, places and clues of each version.
//
// Tables: scenario, scenario_version and node. Invariants:
//   - a scenario belongs to its owner; to anybody else it does not exist, and
//     that is said in the same words as of one that does not;
//   - its versions are numbered from 1 without gaps; only the newest may be a
//     draft;
//   - a published version never changes, nor do its nodes: the database itself
//     refuses it, whoever writes;
//   - a node's revision starts at 1 and rises by one with each change of it; a
//     version's does with each change of any of its nodes;
//   - scenarios, versions, nodes and texts are bounded.
//
// Every change locks the scenario's row first, so that of several which expect
// the same revision one is made and the others are conflicts. Errors that a
// caller may see: fault.NotFound, Conflict (what to read again, or why the state
// refuses it), Exists (the identifier is taken by something else), Unprocessable
// (bounds), Invalid (a text that cannot be stored), Unavailable and Timeout.
package scenario
