// Package embedded runs a private PostgreSQL server out of programs that are
// on the machine: no port, a socket that only its owner can reach, data in a
// folder that outlives it, as root too.
package embedded
