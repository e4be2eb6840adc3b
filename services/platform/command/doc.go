// Package command applies the writes of the platform's API, each once.
//
// A command carries a key that its caller chose. It is applied in one
// transaction together with its receipt, and what became of a command whose
// answer was lost is found out by sending it again.
//
// Table: receipt, under (party, operation, key). Invariants:
//   - the same request under a key gets the receipt's answer for 24 hours, and
//     another one is rejected;
//   - commands under one key run one after the other, whichever instance of the
//     service they reach;
//   - a rejection is an answer and has a receipt like success; a fault or any
//     other error undoes the transaction and leaves none.
package command
