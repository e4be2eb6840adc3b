// Package embedded runs a private PostgreSQL server out of programs that are
// on the machine, as root too.
//
// Its data is a folder that outlives it. It opens no port: clients come through
// a socket in a folder that only its owner can enter. Processes that open the
// same folder share one server: the first runs it, and when that process ends,
// in whatever way, its server ends with it and another process runs one. A
// server that ends by itself is started again.
package embedded
