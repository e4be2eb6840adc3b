// Package assignment owns facilitated sessions: who plays what for whom, the
// play tokens, and everything that is written during a session.
//
// Tables: assignment, access_token, event, consequence and receipt. Invariants:
//   - an assignment starts at version 1 in the first of its published scenes;
//     each turn, the finish and each review raise the version by one and leave
//     one event and one receipt at it, in one transaction, or nothing at all;
//   - a write locks its assignment, then looks for the receipt of its operation,
//     and only then at the status and the version: an operation that is repeated
//     gets its answer whatever has happened since;
//   - a receipt answers the same kind of operation with the same content; under
//     its identifier there is no other;
//   - a completed assignment takes no turns any more, and reviews still;
//   - a consequence is decided once, by a review or beforehand by its category;
//   - an assignment has one play token at most; a new one replaces the old, and
//     the version does not change.
//
// A game master may be the player too; the two are then one person with the
// rights of the game master.
//
// Its faults: NotFound also for what is somebody else's, Unprocessable for
// content that cannot be, Conflict for a version or a state that has passed,
// Unavailable where a lock or the database was not to be had or nobody knows
// whether a write was done, and Timeout for a statement over its time.
package assignment
