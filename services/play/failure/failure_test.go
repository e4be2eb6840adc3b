package failure_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/play/failure"
)

// TestShown: what a caller is told of errors, with their causes for the log.
//
// clause: P-25, P-26
func TestShown(t *testing.T) {
	t.Parallel()
	cause := errors.New("secret of the database")
	canceled := &pgconn.PgError{Code: "57014", Message: "secret of the database"}
	locked := &pgconn.PgError{Code: "55P03", Message: "secret of the database"}
	gone := fault.New(fault.NotFound, "there is no such play")
	for name, c := range map[string]struct {
		err  error
		code fault.Code
		want string
	}{
		"nothing":           {nil, "", ""},
		"a fault":           {gone, fault.NotFound, "there is no such play"},
		"an open COMMIT":    {fmt.Errorf("%w: %w", pg.ErrUnsettled, cause), fault.Unavailable, "the outcome is unknown: "},
		"a slow statement":  {canceled, fault.Timeout, "the database took too long; nothing was written"},
		"a fault for it":    {pg.Fault(canceled), fault.Timeout, "the database took too long; nothing was written"},
		"a wait for a lock": {locked, fault.Unavailable, "another request is changing the same thing; nothing was changed"},
		"any other":         {cause, fault.Internal, "internal error"},
	} {
		got := failure.Shown(c.err)
		if code := fault.CodeOf(got); code != c.code {
			t.Errorf("%s: code %q, want %q", name, code, c.code)
		}
		if f := fault.From(got); f != nil && (!strings.HasPrefix(f.Message, c.want) || strings.Contains(f.Message, "secret")) {
			t.Errorf("%s: %q, want %q", name, f.Message, c.want)
		}
		if c.err != nil && !errors.Is(got, c.err) {
			t.Errorf("%s: the cause is lost: %v", name, got)
		}
	}
}
