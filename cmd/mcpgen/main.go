// Command mcpgen turns API documents and a reviewed manifest into typed MCP
// tools. Run it without arguments for its usage.
package main

import (
	"os"

	"github.com/pharos-mcp/pharos/generators"
)

func main() {
	os.Exit(generators.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
