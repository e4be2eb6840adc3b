package platform

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestPanic is a mistake of ours: a problem where the reply has not begun, else
// the reply is cut. The log has it in any case.
func TestPanic(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		aborts  bool
		status  int
		logs    []string
	}{
		"before the reply": {func(http.ResponseWriter, *http.Request) { panic("broken secret") },
			false, 500, []string{`"level":"ERROR"`, `"status":500`, "panic: broken secret", "log_test.go"}},
		"within the reply": {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("{")); panic("broken") },
			true, 200, []string{`"level":"ERROR"`, `"status":200`, "panic: broken"}},
		"an abort": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
			true, 200, []string{`"level":"INFO"`, `"status":0`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			h := logged(slog.New(slog.NewJSONHandler(&log, nil)), c.handler)
			w := httptest.NewRecorder()
			func() {
				defer func() {
					if p := recover(); (p == http.ErrAbortHandler) != c.aborts || p != nil && !c.aborts {
						t.Errorf("panic %v", p)
					}
				}()
				h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
			}()
			if w.Code != c.status || strings.Contains(w.Body.String(), "secret") {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			for _, part := range c.logs {
				if !strings.Contains(log.String(), part) {
					t.Errorf("the log lacks %q: %s", part, log.String())
				}
			}
		})
	}
}
