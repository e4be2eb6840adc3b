package play

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/play/report"
)

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
