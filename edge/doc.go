// Package edge serves a catalog of tools to MCP clients.
//
// New makes an http.Handler out of a Config and a catalog that mcpgen
// generated; Main is a whole program around it. For each request the edge
// authenticates the caller, shows exactly the tools that the caller's scopes
// allow, checks the arguments against the tool's schema, lets the generated
// dispatcher send one request, and checks the reply before anybody sees it.
//
// What a caller gets back is the envelope of the contract (E-14), or a handler
// catalog's own value. No error of Go, of the upstream or of the network is
// ever part of it: an Error's text is written here, and the cause goes to the
// log. No credential of a caller leaves the edge, and the gateway's own goes
// nowhere but to the configured origin of its document (E-56).
//
// Both protocol eras are served at one address: 2025-11-25 and before, with a
// handshake, and 2026-07-28 without. There are no sessions, so instances can
// stand behind any load balancer; a service that needs them asks with
// Options.Sessions. NewRPC serves a handler catalog's methods to programs.
package edge
