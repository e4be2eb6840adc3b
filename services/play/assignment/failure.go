package assignment

import (
	"errors"
	"fmt"
	"time"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
)

// What a caller is told who does not learn what became of a write, and one whose
// statement ran out of time.
var (
	unsettled = fault.Fault{
		Code: fault.Unavailable, RetryAfter: 2 * time.Second,
		Message: "the outcome is unknown: the database was lost before it said whether this was written; " +
			"repeat the identical arguments, with the same operation_id or id, to learn what became of it",
	}
	timedOut = fault.Fault{
		Code: fault.Timeout, RetryAfter: 5 * time.Second,
		Message: "the database took too long and nothing was written; " +
			"repeat the identical arguments, with the same operation_id or id",
	}
)

// told makes what the database could not do into what the callers of a session
// are told, and leaves other errors as they are.
func told(err error) error {
	switch {
	case errors.Is(err, pg.ErrUnsettled):
		f := unsettled
		return fmt.Errorf("%w: %w", &f, err)
	case pg.TimedOut(err):
		f := timedOut
		return fmt.Errorf("%w: %w", &f, err)
	}
	return err
}
