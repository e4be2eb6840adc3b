package edge

import (
	"strings"

	"github.com/pharos-mcp/pharos/edge/tool"
)

// The texts of E-19 and E-20, which models are to follow. The client owns the
// approval: nothing here can enforce it.
const (
	askFirst = "Ask the user for approval before you call a tool that is not marked read-only, " +
		"and show the exact arguments that you will send."
	keepIdentity = "When an error says outcome_unknown, the change may or may not have happened. " +
		"Keep the exact input and its command identity (Idempotency-Key, If-Match, identifiers). " +
		"Send it again, unchanged, only when the user authorises that; otherwise query the current state first. " +
		"Never make up a new key for the same change."
	exactInput = "Send the arguments that a tool's input schema names, in its groups; anything else is refused."
	envelopes  = "A result is an object with operation_id, status, and either result or error."
)

// instructions are what a client shows to its model about the whole server: our
// own texts, or what a program has in their place, and what its configuration
// adds.
func instructions(catalog tool.Catalog, instead, own string) string {
	parts := []string{askFirst, keepIdentity, exactInput}
	switch {
	case instead != "":
		parts = []string{instead}
	case !catalog.Bare:
		parts = append(parts, envelopes)
	}
	if own != "" {
		parts = append(parts, own)
	}
	return strings.Join(parts, "\n")
}
