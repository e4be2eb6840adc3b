package httpguard_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pharos-mcp/pharos/internal/httpguard"
)

func late(w http.ResponseWriter, _ *http.Request) {
	http.Error(w, "too late", http.StatusGatewayTimeout)
}

func TestWithin(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		next http.HandlerFunc
		want int
		body string
	}{
		"in time": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Own", "1")
			w.WriteHeader(http.StatusTeapot)
			_, _ = io.WriteString(w, "x")
		}, 418, "x"},
		"that ends when told": {func(w http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
			_, _ = io.WriteString(w, "context canceled")
		}, 504, "too late\n"},
		"that does not listen": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Own", "1")
			time.Sleep(time.Minute)
			if _, err := io.WriteString(w, "late"); !errors.Is(err, http.ErrHandlerTimeout) {
				t.Errorf("a write after the end: %v", err)
			}
			w.WriteHeader(http.StatusOK)
		}, 504, "too late\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				w := httptest.NewRecorder()
				httpguard.Within(time.Second, w, httptest.NewRequest(http.MethodPost, "/", nil), late, c.next)
				if w.Code != c.want || w.Body.String() != c.body || (w.Header().Get("X-Own") == "1") != (c.want == 418) {
					t.Errorf("status %d, body %q, header %v; want %d, %q", w.Code, w.Body, w.Header(), c.want, c.body)
				}
				time.Sleep(time.Hour)
			})
		})
	}
}

func TestWithinPanics(t *testing.T) {
	t.Parallel()
	for value, want := range map[any]string{
		"the handler's": "the handler's\ngoroutine", http.ErrAbortHandler: "net/http: abort Handler",
	} {
		got := func() (p any) {
			defer func() { p = recover() }()
			httpguard.Within(time.Minute, httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/", nil), late,
				func(http.ResponseWriter, *http.Request) { panic(value) })
			return nil
		}()
		if !strings.HasPrefix(fmt.Sprint(got), want) || value == http.ErrAbortHandler && got != value {
			t.Errorf("panic %v becomes %v, want %s", value, got, want)
		}
	}
}

// A reply that has begun is cut, also while a client does not read it.
func TestWithinCuts(t *testing.T) {
	t.Parallel()
	for name, next := range map[string]http.HandlerFunc{
		"slow": func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, "some")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		},
		"large": func(w http.ResponseWriter, _ *http.Request) {
			for chunk := make([]byte, 1<<20); ; {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			over := make(chan struct{})
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				defer close(over)
				httpguard.Within(50*time.Millisecond, w, r, late, next)
			}))
			t.Cleanup(server.Close)
			reply, err := http.Get(server.URL)
			if err != nil {
				t.Fatal(err)
			}
			<-over
			if _, err := io.Copy(io.Discard, reply.Body); err == nil {
				t.Error("the reply ends as if it were whole")
			}
			_ = reply.Body.Close()
		})
	}
}
