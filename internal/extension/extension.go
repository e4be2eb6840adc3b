// Package extension puts more behind an edge's door than a catalog can hold:
// prompts, resources and tools that ask the client something. An edge serves
// catalogs and nothing else; the protocol's conformance tests ask for the rest
// too, to see that what stands around the SDK lets it through.
package extension

import "github.com/modelcontextprotocol/go-sdk/mcp"

// Extension is what is added to the protocol server of one edge. The edge's
// replies are streams then, where the SDK makes them, because a tool may say
// something before its result.
type Extension struct {
	// Configure changes how the server is made.
	Configure func(*mcp.ServerOptions)
	// Register adds to the server.
	Register func(*mcp.Server)
	// Tools are the names of the tools that Register adds. Every caller may
	// list and call them.
	Tools map[string]bool
}

// Adds reports whether a tool is one of the extension's. A nil extension has
// none.
func (e *Extension) Adds(tool string) bool { return e != nil && e.Tools[tool] }
