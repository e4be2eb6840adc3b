package play

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/play/report"
)

// TestShown: what a program is told of errors, with their causes for the log.
//
// clause: P-25
func TestShown(t *testing.T) {
	t.Parallel()
	cause := errors.New("secret of the database")
	gone := fault.New(fault.NotFound, "there is no such play")
	for name, c := range map[string]struct {
		err  error
		code fault.Code
		want string
	}{
		"nothing":        {nil, "", ""},
		"a fault":        {gone, fault.NotFound, "there is no such play"},
		"an open COMMIT": {fmt.Errorf("%w: %w", pg.ErrUnsettled, cause), fault.Unavailable, "the outcome is unknown: "},
		"any other":      {cause, fault.Internal, "internal error"},
	} {
		got := shown(c.err)
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

// TestReportCut: a report that fails is a problem document before its reply
// began, and cut off after.
//
// clause: P-44
func TestReportCut(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for name, entries := range map[string]int{"at once": 0, "in the middle": 100} {
		data := report.Data{Journal: func(yield func(report.Entry, error) bool) {
			for range entries {
				if !yield(report.Entry{Kind: kindTurn, Narration: strings.Repeat("x", 4000)}, nil) {
					return
				}
			}
			yield(report.Entry{}, broken)
		}}
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			err := reportReply{r.Context(), uuid.Nil, data, "en"}.VisitGetReportResponse(w)
			if !errors.Is(err, broken) {
				t.Errorf("%s: error %v", name, err)
			}
			restFailed(w, r, err)
		}))
		defer server.Close()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/api/", nil)
		if err != nil {
			t.Fatal(err)
		}
		reply, err := server.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(reply.Body)
		_ = reply.Body.Close()
		if entries == 0 && (err != nil || reply.StatusCode != http.StatusInternalServerError || strings.Contains(string(text), "#")) {
			t.Errorf("%s: %d %s, %v", name, reply.StatusCode, text, err)
		}
		if entries > 0 && (err == nil || reply.StatusCode != http.StatusOK) {
			t.Errorf("%s: status %d after %d bytes, read without an error", name, reply.StatusCode, len(text))
		}
	}
}
