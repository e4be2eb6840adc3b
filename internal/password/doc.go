// Package password hashes the passwords of people with argon2id, for services
// that store no more than the hash.
//
// A Hasher bounds how many it hashes at a time, and with that the memory that
// logins can take; the rest wait for their turn. The password of a user who does
// not exist costs what any other costs, so that the time of an answer does not
// tell who exists.
package password
