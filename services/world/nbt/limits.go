package nbt

import "fmt"

// Limits bound what Decode does. A limit of zero lets nothing pass.
type Limits struct {
	Bytes int   // of the input
	Depth int   // compounds and lists in each other, the root being the first
	Tags  int   // the root, all members and all items of lists
	Alloc int64 // bytes of memory, reckoned rather high
}

// Cost is what a tree took of its limits.
type Cost struct {
	Depth int
	Tags  int
	Alloc int64
}

// Error is input that Decode refuses. The reasons are fixed texts, but for the
// name or number in them.
type Error struct {
	Reason string // "truncated", `duplicate key "A"`
	Offset int    // of the byte where it was noticed
}

// Error says "nbt: ", the reason and the place.
func (e *Error) Error() string { return fmt.Sprintf("nbt: %s, at byte %d", e.Reason, e.Offset) }

// The reasons without a variable part.
const (
	truncated = "truncated"
	tooDeep   = "too deep"
	tooMany   = "too many tags"
	tooLarge  = "too much memory"
	badList   = "bad list"
	badString = "bad string"
	trailing  = "data after the root compound"
)
