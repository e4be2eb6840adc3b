// Package wire is how Java Edition writes values into packets and packets onto
// a connection. A length is checked against what is left, and against a bound,
// before anything is made of it.
package wire
