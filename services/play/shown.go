package play

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/internal/pg"
)

// What programs are told where the database did not do what they asked for.
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

// shown makes what a database could not do into a fault for programs, which
// call tools and the REST interface. It keeps its cause for the log.
func shown(err error) error {
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

// showing is a catalog whose errors are shown.
func showing(c tool.Catalog) tool.Catalog {
	perform := c.Dispatch
	c.Dispatch = func(ctx context.Context, x tool.Exchange, op *tool.Operation, arguments []byte) (tool.Result, error) {
		result, err := perform(ctx, x, op, arguments)
		return result, shown(err)
	}
	return c
}

// identifier reads a UUID that has the form of one.
func identifier(name, text string) (uuid.UUID, error) {
	id, err := uuid.Parse(text)
	if err != nil {
		return uuid.Nil, fault.Newf(fault.Invalid, "%s is not a UUID", name)
	}
	return id, nil
}

// when writes a time as the documents say.
func when(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// whenever writes a time that may be missing.
func whenever(t *time.Time) *string {
	if t == nil {
		return nil
	}
	text := when(*t)
	return &text
}

// or is a value that may be left out, or what stands for it then.
func or[T any](value *T, otherwise T) T {
	if value == nil {
		return otherwise
	}
	return *value
}

// each converts all values of a list. It is never null.
func each[From, To any](list []From, convert func(From) To) []To {
	out := make([]To, len(list))
	for i, one := range list {
		out[i] = convert(one)
	}
	return out
}
