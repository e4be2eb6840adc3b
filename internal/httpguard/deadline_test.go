package httpguard_test

import (
	"context"
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
			if cause := context.Cause(r.Context()); !errors.Is(cause, http.ErrHandlerTimeout) {
				t.Errorf("it is told to end because of %v", cause)
			}
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
//
// clause: P-36
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
		for protocol, major := range protocols {
			t.Run(name+", "+protocol, func(t *testing.T) {
				t.Parallel()
				over := make(chan struct{})
				url, client := serve(t, major, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					defer close(over)
					httpguard.Within(50*time.Millisecond, w, r, late, next)
				}))
				reply, err := client.Get(url)
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
}

// A handler that does not end keeps neither its reply nor the others of its
// connection.
func TestWithinLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	for protocol, major := range protocols {
		t.Run(protocol, func(t *testing.T) {
			t.Parallel()
			stuck := make(chan struct{})
			defer close(stuck)
			connections := make(chan string, 3)
			url, client := serve(t, major, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				connections <- r.RemoteAddr
				httpguard.Within(50*time.Millisecond, w, r, late, func(http.ResponseWriter, *http.Request) {
					if r.URL.Path == "/stuck" {
						<-stuck
					}
				})
			}))
			for path, want := range map[string]string{"/stuck": "504 too late\n", "/": "200 "} {
				reply, err := client.Get(url + path)
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(reply.Body)
				_ = reply.Body.Close()
				if got := fmt.Sprint(reply.StatusCode, " ", string(body)); got != want || err != nil {
					t.Errorf("%s: %q, %v; want %q", path, got, err, want)
				}
			}
			if a, b := <-connections, <-connections; a != b {
				t.Errorf("two connections: %s and %s", a, b)
			}
		})
	}
}

func TestRepliesEnd(t *testing.T) {
	t.Parallel()
	for _, bound := range []time.Duration{0, time.Minute} {
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if got := httpguard.RepliesEnd(r); got != (bound > 0) {
				t.Errorf("%s: a bound of %v is seen: %v", r.Proto, bound, got)
			}
		}))
		server.EnableHTTP2, server.Config.WriteTimeout = true, bound
		server.StartTLS()
		t.Cleanup(server.Close)
		reply, err := server.Client().Get(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		_ = reply.Body.Close()
	}
	if httpguard.RepliesEnd(httptest.NewRequest(http.MethodGet, "/", nil)) {
		t.Error("no server has a bound")
	}
}
