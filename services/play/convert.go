package play

import (
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
)

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
