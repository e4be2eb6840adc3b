// Package bridge leads an agent of somebody else's making: it fetches what
// players ask of the builder, hands it to the agent by the Agent Client Protocol,
// and gives the answers back (W-42). The agent gets the world's MCP server and
// nothing else: no file, no terminal, no key but the agent's.
//
// Nothing is remembered over a restart, of the bridge or of the agent: what was
// under way is told to have ended, and is never repeated.
package bridge
