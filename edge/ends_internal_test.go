package edge

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// The server's bound for a reply is none for a stream: each event has its own.
func TestStreamOutlivesTheBound(t *testing.T) {
	t.Parallel()
	const bound = 50 * time.Millisecond
	for _, endless := range []bool{true, false} {
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s := &seat{ResponseWriter: w, release: func() {}}
			s.users.Store(1)
			s.pace.begin(r, time.Minute)
			s.pace.endless = endless
			defer s.finish()
			for range 3 {
				_, _ = io.WriteString(s, "data: x\n\n")
				_ = http.NewResponseController(s).Flush()
				<-time.After(2 * bound)
			}
		}))
		server.Config.WriteTimeout = bound
		server.Start()
		t.Cleanup(server.Close)
		reply, err := http.Get(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(reply.Body)
		_ = reply.Body.Close()
		if whole := string(got) == "data: x\n\ndata: x\n\ndata: x\n\n" && err == nil; whole != endless {
			t.Errorf("endless %v: %q, %v", endless, got, err)
		}
	}
}
