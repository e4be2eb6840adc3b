// Package platform is the platform's API: so far its Support part, tickets
// with comments and a closing.
//
// Invariants, held by the Service whatever comes through the door:
//   - a ticket's revision starts at 1 and rises by one with each command on it;
//   - a command is applied only to the revision it expects, and only once: its
//     answer is kept under (operation, Idempotency-Key) for 24 hours and given
//     again to the same request, while another request under that key is
//     rejected;
//   - a refused request (a *fault.Fault) changes and records nothing, a
//     rejected command (an Outcome) is recorded like an accepted one;
//   - a closed ticket never changes again;
//   - lists are stable: what is created meanwhile does not move the rest.
//
// A request that is not as api/platform says ends before the Service, which
// still holds its own rules: others may call it.
//
// Everything is in memory, within bounds, and is gone when the process ends.
package platform
