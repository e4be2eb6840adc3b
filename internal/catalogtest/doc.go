// Package catalogtest is a small service behind a handler-bound catalog: notes
// of a project, kept in memory.
//
// It shows, and its tests hold, what such a catalog can do: typed results, a
// body that may be missing, parameters and body members side by side, a result
// of stored bytes, a picture, a method that is no tool, members that the mount
// supplies and no caller may choose, and errors as faults. Later services are
// built in the same way; this one is for tests alone.
package catalogtest

//go:generate go run github.com/pharos-mcp/pharos/cmd/mcpgen generate
