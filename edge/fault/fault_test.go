package fault_test

import (
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/edge/fault"
)

func TestFrom(t *testing.T) {
	t.Parallel()
	conflict := fault.Newf(fault.Conflict, "version is %d, not %d", 3, 2)
	for name, c := range map[string]struct {
		err     error
		code    fault.Code
		message string
		status  int
	}{
		"a fault":         {conflict, fault.Conflict, "version is 3, not 2", http.StatusConflict},
		"a wrapped fault": {fmt.Errorf("close: %w", conflict), fault.Conflict, "version is 3, not 2", http.StatusConflict},
		"any other error": {errors.New("dial db-17: refused"), fault.Internal, "internal error", http.StatusInternalServerError},
	} {
		got := fault.From(c.err)
		if got.Code != c.code || got.Message != c.message || got.Code.Status() != c.status {
			t.Errorf("%s: got %+v with status %d, want %s %q %d", name, got, got.Code.Status(), c.code, c.message, c.status)
		}
	}
	if got := fault.CodeOf(nil); got != "" {
		t.Errorf("CodeOf(nil) = %q, want none", got)
	}
	if got := fault.Code("unheard_of").Status(); got != http.StatusInternalServerError {
		t.Errorf("status of an unknown code: %d, want 500", got)
	}
}

func TestCodes(t *testing.T) {
	t.Parallel()
	codes := fault.Codes()
	if len(codes) != 12 {
		t.Errorf("%d codes, want 12", len(codes))
	}
	for _, code := range codes {
		if s := code.Status(); s < 400 || s > 599 {
			t.Errorf("code %q has status %d, want an error status", code, s)
		}
	}
}

func TestSeconds(t *testing.T) {
	t.Parallel()
	for after, want := range map[time.Duration]int{
		-time.Second: 1, 0: 1, 1: 1, time.Second: 1, time.Second + 1: 2, time.Minute: 60,
	} {
		if got := (&fault.Fault{RetryAfter: after}).Seconds(); got != want {
			t.Errorf("after %v: %d s, want %d", after, got, want)
		}
	}
}
