// Package petstore is a small API, and the catalog that mcpgen made of it: what
// calls are measured with.
package petstore

//go:generate go run github.com/pharos-mcp/pharos/cmd/mcpgen generate
