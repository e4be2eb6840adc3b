// Package speech puts what a report claims into the words of a caller, and
// reads such words back.
package speech

import (
	"github.com/pharos-mcp/pharos/services/simulator/claim"
	"github.com/pharos-mcp/pharos/services/simulator/stream"
)

// Call is what a caller wants to say.
type Call struct {
	Claim     *claim.Claim
	Location  claim.Location
	Delivered int64 // tick of the call, from which times are told
}

// Render says it, with the phrases of a language, "en" or "pl", and a book.
func Render(s *stream.Stream, language string, b Book, c Call) string {
	return string(c.Claim.Append(nil))
}

// Book is one of two sets of phrases that have none in common.
type Book int

// The books: A is for data that people learn from, B for episodes.
const (
	A Book = iota
	B
)
