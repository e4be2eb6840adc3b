package edge

import (
	"bytes"
	"context"

	"golang.org/x/sync/semaphore"
)

// checks bounds the memory of the answers that are being read: as values, one
// of many small ones is fifty times as large as its text. What does not fit
// waits its turn, for as long as its call may take: those before it wait for
// nobody.
type checks struct {
	limit int64
	room  *semaphore.Weighted
}

func newChecks(limit int64) checks {
	return checks{limit, semaphore.NewWeighted(limit)}
}

// The sizes of what is made of an answer, measured.
const (
	sizeOfValue = 140
	sizeOfName  = 150
	smallTree   = 1 << 20 // what needs no room: as many as admission lets in are no more than their texts
)

// begin waits for the room that reading an answer takes. It fails when ctx ends.
func (c checks) begin(ctx context.Context, body []byte) (end func(), err error) {
	n := treeSize(body)
	if n <= smallTree {
		return func() {}, nil
	}
	n = min(n, c.limit)
	if err := c.room.Acquire(ctx, n); err != nil {
		return nil, err
	}
	return func() { c.room.Release(n) }, nil
}

// treeSize estimates the bytes of the values in a JSON text. What stands in a
// string counts too, which makes it more than they are.
func treeSize(body []byte) (n int64) {
	if len(body) <= smallTree/sizeOfValue {
		return 0
	}
	for _, mark := range []string{",", "[", "{"} {
		n += sizeOfValue * int64(bytes.Count(body, []byte(mark)))
	}
	return n + sizeOfName*int64(bytes.Count(body, []byte(":")))
}
