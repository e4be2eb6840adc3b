// Package playtest holds whole processes that serve play to the contract: they
// are started, stopped and killed as an operator or a crash does it, and MCP
// clients that others wrote play with them.
package playtest
