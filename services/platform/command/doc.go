// Package command applies the writes of the platform's API, each once.
//
// A command carries a key that its caller chose. It is applied in one
// transaction together with its receipt, under (party, operation, key): the
// same request under that key gets the receipt's answer for 24 hours, another
// one is rejected, and what became of a command whose answer was lost is found
// out by sending it again. Commands under one key run one after the other,
// whichever instance of the service they reach.
//
// A rejection is an answer and has a receipt like success. A fault or any other
// error undoes the transaction and leaves no receipt.
//
// Owns the table platform.receipt.
package command
