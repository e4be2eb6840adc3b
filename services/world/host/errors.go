package host

import (
	"errors"
	"fmt"
	"strings"
)

// ErrReadOnly is an edit of a world that may only be read; Info says why.
var ErrReadOnly = errors.New("the world is open for reading only")

// ErrClosed is a call after Close.
var ErrClosed = errors.New("the world is closed")

// NotGenerated is a read or an edit of chunks that do not exist.
type NotGenerated struct{ Chunks []ChunkPos }

// Error names the chunks, ten at most.
func (e *NotGenerated) Error() string {
	var names []string
	for i, c := range e.Chunks {
		if i == 10 {
			names = append(names, fmt.Sprintf("and %d more", len(e.Chunks)-i))
			break
		}
		names = append(names, fmt.Sprintf("(%d, %d)", c.X, c.Z))
	}
	return "these chunks do not exist in the world's files: " + strings.Join(names, ", ")
}

// Unreadable is a chunk that is there and cannot be used: damaged, of a format
// from before 1.18, or with blocks that the version does not know.
type Unreadable struct {
	Chunk  ChunkPos
	Reason error
}

// Error names the chunk.
func (e *Unreadable) Error() string {
	return fmt.Sprintf("chunk (%d, %d) cannot be used: %v", e.Chunk.X, e.Chunk.Z, e.Reason)
}

// Unwrap returns the reason.
func (e *Unreadable) Unwrap() error { return e.Reason }
