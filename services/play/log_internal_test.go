package play

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestPanic: it is a status 500 and one event, which says where it was and not
// what was thrown.
//
// clause: P-08
func TestPanic(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		begin bool // the reply has begun
		value any
		level string
	}{
		"before the reply": {false, "canary", "ERROR"},
		"within the reply": {true, "canary", "ERROR"},
		"on purpose":       {true, http.ErrAbortHandler, "INFO"},
	} {
		var log bytes.Buffer
		h := logged(slog.New(slog.NewJSONHandler(&log, nil)), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if c.begin {
				w.WriteHeader(http.StatusOK)
			}
			panic(c.value)
		}))
		w := httptest.NewRecorder()
		cut := func() (p any) {
			defer func() { p = recover() }()
			h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/api/plays/", nil))
			return nil
		}()
		if c.begin != (cut == http.ErrAbortHandler) {
			t.Errorf("%s: thrown on: %v", name, cut)
		}
		if !c.begin && (w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), `"code":"internal"`)) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		said := log.String()
		if strings.Count(said, "\n") != 1 || strings.Contains(said, "canary") || !strings.Contains(said, `"level":"`+c.level+`"`) {
			t.Errorf("%s: %s", name, said)
		}
		if c.level == "ERROR" && !strings.Contains(said, "log_internal_test.go") {
			t.Errorf("%s: it is not said where: %s", name, said)
		}
	}
}
