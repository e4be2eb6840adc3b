// Package failure is what callers of play are told where its database did not
// do what they asked for. Tools, programs and pages tell the same.
package failure

import (
	"errors"
	"fmt"
	"time"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
)

var (
	unknown = &fault.Fault{
		Code: fault.Unavailable, RetryAfter: 2 * time.Second,
		Message: "the outcome is unknown: the connection to the database was lost while this was written; repeat the " +
			"identical arguments, with the same operation_id or id, to learn what became of it",
	}
	slow = &fault.Fault{
		Code: fault.Timeout, RetryAfter: 5 * time.Second,
		Message: "the database took too long; nothing was written, repeat the identical arguments later",
	}
)

// Shown makes what a database could not do into a fault: Timeout where it took
// too long, else Unavailable. The fault keeps its cause for the log; every other
// error stays as it is.
func Shown(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, pg.ErrUnsettled):
		return fmt.Errorf("%w: %w", unknown, err)
	case pg.TimedOut(err):
		return fmt.Errorf("%w: %w", slow, err)
	}
	return pg.Fault(err)
}
