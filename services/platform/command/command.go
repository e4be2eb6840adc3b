package command

import (
	"strconv"
	"strings"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// AnyRevision is what a command expects that has no If-Match.
const AnyRevision = -1

// Command is what every command carries beside its content.
type Command struct {
	Operation string    // as the API names it
	ID        uuid.UUID // of the aggregate, also where it is to be created
	Key       uuid.UUID // Idempotency-Key
	Expected  int64     // If-Match: the revision that the aggregate must have, or AnyRevision
}

// Of reads what a request for a command carries: the identifier of its
// aggregate, Idempotency-Key and If-Match, which may be an ETag in its quotes
// and is "" where the operation has no such header.
func Of(operation, id, key, ifMatch string) (Command, error) {
	c := Command{Operation: operation, Expected: AnyRevision}
	var err error
	if c.ID, err = ID("id", id); err != nil {
		return Command{}, err
	}
	if c.Key, err = ID("Idempotency-Key", key); err != nil {
		return Command{}, err
	}
	if ifMatch != "" {
		c.Expected, err = revision(ifMatch)
	}
	return c, err
}

// ID reads an identifier: a UUID in lower case.
func ID(name, text string) (uuid.UUID, error) {
	id, err := uuid.Parse(text)
	if err != nil || id.String() != text {
		return uuid.Nil, fault.Newf(fault.Invalid, "%s must be a UUID in lower case", name)
	}
	return id, nil
}

// revision reads If-Match.
func revision(text string) (int64, error) {
	bare := text
	if inner, ok := strings.CutPrefix(bare, `"`); ok {
		if inner, ok = strings.CutSuffix(inner, `"`); ok {
			bare = inner
		}
	}
	n, err := strconv.ParseInt(bare, 10, 64)
	if err != nil || n < 0 || strconv.FormatInt(n, 10) != bare {
		return 0, fault.New(fault.Invalid, "If-Match must be a revision: a number without leading zeros, in quotes or bare")
	}
	return n, nil
}

// ETag names a revision in a header, as If-Match takes it.
func ETag(version int64) string { return strconv.Quote(strconv.FormatInt(version, 10)) }
