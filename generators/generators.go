// Package generators reads API documents and a reviewed manifest and writes
// typed MCP tools, HTTP clients and a closed dispatcher. Command mcpgen is its
// front.
package generators
