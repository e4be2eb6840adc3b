// Package journal keeps in PostgreSQL what an operation is about to write
// before it writes it, and what it has written after that is on the disk:
// plans, operations, their slices, parts, and what was decided after a crash.
//
// Tables: world, pause, plan, operation, slice and part. Invariants, held by
// the database itself:
//   - a plan does not change once it is there, but that it may be discarded, and
//     that the next of a chain begins to run out when the one before has ended;
//   - a plan makes one operation at most, and a key of a project stands for one;
//   - of a world one operation at most is queued, applying or recovery_required,
//     so nothing begins while a decision is missing (W-23);
//   - a status only goes forward, and an operation that has ended stays as it is;
//   - slices come one after another, the next only when the one before is
//     confirmed; a confirmed one does not change, and an operation whose writes
//     are known ends with none left open.
//
// Each method is one transaction that has the same effect when it is called
// again with the same arguments, so a caller who does not know what became of
// one calls it again. The times are PostgreSQL's.
package journal
