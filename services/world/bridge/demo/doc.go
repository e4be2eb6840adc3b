// Package demo is a small agent without a model: it knows a few words, builds
// what they stand for with the tools of the world, and tells what it did.
//
// It shows what an agent does, works offline, and is what the bridge is tried
// with. It speaks the Agent Client Protocol on its standard input and output, and
// MCP to the server that it is told of. It needs no file and no key of its own.
package demo
