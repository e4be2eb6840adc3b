// Command mcpgen turns API documents and a reviewed manifest into typed MCP
// tools. Run it without arguments for its usage.
package main

import (
	"os"
	"runtime/debug"

	"github.com/pharos-mcp/pharos/generators"
)

// memory is how many bytes the program may take before it rather spends more
// time on collecting what it no longer needs: the largest documents stay within
// 2 GiB. GOMEMLIMIT overrides it.
const memory = 1400 << 20

func main() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memory)
	}
	os.Exit(generators.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
