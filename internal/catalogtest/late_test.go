package catalogtest

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/internal/catalogtest/generated/desk"
)

// late is what a write is answered with when its time is over.
const late = "the server did not finish in time; the outcome is unknown: repeat the call with exactly these arguments"

// TestHandlerOutOfTime is answered for at its time, and not before; only then
// does its context end; it is told of once, when it has ended. One that ends in
// its last moment has its reply.
//
// clause: P-36, E-57
func TestHandlerOutOfTime(t *testing.T) {
	t.Parallel()
	const limit = 25 * time.Second
	rpc := func(t *testing.T, h desk.Handler, c edge.Config, log *slog.Logger) http.Handler {
		s, err := edge.NewRPC(c, desk.Catalog(h), edge.Options{Authenticator: named{}, Log: log}, edge.RPC{Members: []string{"project_id"}})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	mcp := func(t *testing.T, h desk.Handler, c edge.Config, log *slog.Logger) http.Handler {
		return mount(t, h, c, edge.Options{Log: log})
	}
	slow := strings.Replace(calls("create_note", `{"title":"a"}`), `"params":{`, `"params":{"_meta":{"progressToken":1},`, 1)
	for name, c := range map[string]struct {
		mount   func(*testing.T, desk.Handler, edge.Config, *slog.Logger) http.Handler
		message string
		took    time.Duration // of the handler, unless its context ends
		status  int
		says    string
	}{
		"a write":               {mcp, calls("create_note", `{"title":"a"}`), limit + 1, 504, late},
		"a write, by the SDK":   {mcp, slow, limit + 1, 504, late},
		"a read":                {mcp, calls("get_note", `{"id":1}`), limit + 1, 504, `did not finish in time"}`},
		"a write in time":       {mcp, calls("create_note", `{"title":"a"}`), limit - 1, 200, `"structuredContent":{"id":1`},
		"a method":              {rpc, `{"method":"create_note","params":{"title":"a","project_id":"p"}}`, limit + 1, 504, late},
		"a method that reads":   {rpc, `{"method":"get_note","params":{"id":1,"project_id":"p"}}`, limit + 1, 504, `did not finish in time"}`},
		"a method that is done": {rpc, `{"method":"create_note","params":{"title":"a","project_id":"p"}}`, limit - 1, 200, `"ok":true`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var log bytes.Buffer
				begun, ended := time.Now(), time.Duration(0)
				replied := false
				wait := func(ctx context.Context) error {
					done := time.NewTimer(c.took)
					defer done.Stop()
					select {
					case <-done.C:
						return nil
					case <-ctx.Done():
						ended = time.Since(begun)
						return ctx.Err()
					}
				}
				o := &odd{get: wait, create: wait}
				s := c.mount(t, o, edge.Config{Timeout: edge.Duration(limit)}, slog.New(slog.NewJSONHandler(&log, nil)))
				w := &watched{ResponseRecorder: httptest.NewRecorder(), begun: func() {
					synctest.Wait() // whoever knows of the end has done what they do
					replied = ended == 0
				}}
				s.ServeHTTP(w, sent("ann", http.MethodPost, c.message))
				took := time.Since(begun)
				synctest.Wait()
				if w.Code != c.status || !strings.Contains(w.Body.String(), c.says) {
					t.Errorf("status %d %s, want %d and %s", w.Code, w.Body, c.status, c.says)
				}
				if want := min(c.took, limit); took != want {
					t.Errorf("it was answered after %v, want %v", took, want)
				}
				if c.status == 504 && (ended != limit || !replied) {
					t.Errorf("the handler's context ended after %v, and before the reply %t", ended, !replied)
				}
				if c.status == 504 && !strings.Contains(log.String(), `"outcome":"timeout"`) || strings.Count(log.String(), `"outcome"`) != 1 {
					t.Errorf("the log tells %s", &log)
				}
			})
		})
	}
}

// watched tells when a reply begins.
type watched struct {
	*httptest.ResponseRecorder
	begun func()
}

// WriteHeader implements http.ResponseWriter.
func (w *watched) WriteHeader(status int) {
	w.begun()
	w.ResponseRecorder.WriteHeader(status)
}

// TestHandlerOutOfTimeOverStdio says so in the tool's result: there is nobody
// else to say it.
func TestHandlerOutOfTimeOverStdio(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		wait := func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		}
		s := mount(t, &odd{create: wait, get: wait}, edge.Config{Timeout: edge.Duration(25 * time.Second)}.ForStdio(), edge.Options{StatusErrors: true})
		client, server := net.Pipe()
		var out bytes.Buffer
		served := make(chan error)
		go func() { served <- s.ServeStdio(t.Context(), server, &out) }()
		_, _ = io.WriteString(client, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",`+
			`"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`+"\n"+`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+
			calls("create_note", `{"title":"a"}`)+"\n"+strings.Replace(calls("get_note", `{"id":1}`), `"id":1`, `"id":2`, 1)+"\n")
		begun := time.Now()
		_ = client.Close()
		if err := <-served; err != nil || time.Since(begun) != 25*time.Second {
			t.Errorf("%v after %v", err, time.Since(begun))
		}
		for _, want := range []string{
			"504: the tool did not finish in time; the outcome is unknown: repeat the call", `"504: the tool did not finish in time"`,
		} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s does not say %s", &out, want)
			}
		}
		time.Sleep(time.Minute) // for what watches over replies that nobody reads
	})
}
