// Package pg is the way to PostgreSQL for every service: the pool and its time
// limits, transactions, migrations, and a private server where no other is
// named.
//
// A transaction is either Read or Write. Both may run their function more than
// once, so a function sets its results and never adds to them. A write whose
// commit nobody confirmed is settled by running it again: it finds the receipt
// that the first one left, or there was no first one.
package pg
