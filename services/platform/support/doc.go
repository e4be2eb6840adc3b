// Package support owns tickets: what Parties ask for help with, what is said
// about it, and the operators' queue.
//
// Tables: ticket and ticket_comment. Invariants:
//   - a ticket belongs to the Party that opened it. That Party sees,
//     corrects, comments on and closes it; operators with the scope
//     support:admin may all of it but correct, with everybody's tickets, and
//     assign them; to anybody else it does not exist;
//   - it is open, then assigned to an operator, then closed: open may become
//     closed at once, and closed is for good;
//   - its revision starts at 1 and rises by one with each command on it, a
//     comment included;
//   - its comments are numbered from 1 without gaps, and are bounded in number
//     and together in bytes, so that a transcript is bounded;
//   - a Party has a bounded number of tickets that are not closed.
package support
