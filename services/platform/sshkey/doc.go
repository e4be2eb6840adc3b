// Package sshkey owns the SSH public keys of parties.
//
// Table: ssh_key. Invariants:
//   - a key is in its one canonical form and passes Parse;
//   - a party has each key once, and a bounded number of them. That others have
//     the same key is told to nobody;
//   - a key never changes, its name does, which raises its revision by one;
//   - a private key that somebody sends is refused before anything looks at it
//     any further: it is in no receipt, not even as a digest, and in no
//     message.
package sshkey
