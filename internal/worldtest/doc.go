// Package worldtest holds the world's owner to what it promises the owner of a
// world: processes are killed at every point and at any moment, disks lose what
// was not synced and are full, PostgreSQL dies, and whoever calls means harm.
// What is on the disk is read by a reader of its own (reader_test.go), and held
// against the journal (ledger_test.go).
package worldtest
