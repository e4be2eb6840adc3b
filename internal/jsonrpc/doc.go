// Package jsonrpc reads one JSON-RPC message of MCP before any decoder does.
//
// Parse goes over the body once and allocates nothing. It refuses what two
// decoders could read in two ways (a member twice or in another letter case, a
// second value, text that is not UTF-8), several messages in one body, and
// bodies that would cost more to decode than a message can be worth: nesting
// deeper than MaxDepth, more than MaxTokens values and names. What it accepts
// is handed on as slices of the body, so whoever decides by them decides by
// the bytes that are dispatched.
//
// A message can be accepted and still not be regular: only regular ones are
// simple enough that their meaning is the slices and nothing else.
package jsonrpc

// The bounds of a body.
const (
	MaxDepth  = 32     // objects and arrays within each other
	MaxTokens = 20_000 // values and names of members
)
