// Package wiretest shows on the wire what a client's call becomes and what it
// is answered with.
//
// Its API document has every way of sending a value once. The tests go through
// the whole edge: go-sdk's client in both eras on one side, a server that
// records what it receives on the other. They hold the behaviours in which
// generated tools differ from each other, let the server do everything that a
// server should not, and count what arrives. The package is for tests alone.
package wiretest

//go:generate go run github.com/pharos-mcp/pharos/cmd/mcpgen generate
