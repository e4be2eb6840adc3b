package play

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// askedFrom is a request of an address.
func askedFrom(path, address string) *http.Request {
	r := httptest.NewRequest(http.MethodGet, "http://localhost"+path, nil)
	r.RemoteAddr = address + ":1"
	return r
}

// TestAdmitted: so many requests of one address and of all are served at the same
// time and no more, and who leaves makes room.
func TestAdmitted(t *testing.T) {
	t.Parallel()
	in, leave := make(chan struct{}), make(chan struct{})
	s := New(Config{})
	h := s.admitted(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/plays/held/" {
			in <- struct{}{}
			<-leave
		}
		w.WriteHeader(http.StatusNoContent)
	}))
	asks := func(what, path, address string, want int) {
		t.Helper()
		w := httptest.NewRecorder()
		h.ServeHTTP(w, askedFrom(path, address))
		if w.Code != want || (w.Header().Get("Retry-After") != "") != (want == http.StatusTooManyRequests) {
			t.Errorf("%s: %d %v, want %d", what, w.Code, w.Header(), want)
		}
	}
	var held sync.WaitGroup
	hold := func(address string) {
		held.Go(func() { h.ServeHTTP(httptest.NewRecorder(), askedFrom("/plays/held/", address)) })
		<-in
	}
	for i := range atATime {
		address := fmt.Sprintf("192.0.2.%d", i/atATimeOfAddress)
		asks(fmt.Sprintf("%d are served", i), "/plays/", address, http.StatusNoContent)
		hold(address)
		if i == atATimeOfAddress-1 {
			asks("one more of an address", "/api/plays/", address, http.StatusTooManyRequests)
			asks("another address", "/api/plays/", "192.0.2.99", http.StatusNoContent)
		}
	}
	for _, path := range []string{"/plays/", "/api/plays/"} {
		asks("one more of all, "+path, path, "192.0.2.99", http.StatusTooManyRequests)
	}
	for _, path := range []string{healthPath, readyPath} {
		asks(path, path, "192.0.2.99", http.StatusNoContent)
	}
	close(leave)
	held.Wait()
	asks("all have left", "/plays/", "192.0.2.0", http.StatusNoContent)
}

// TestAdmittedBeforeBodies: a body that does not come holds a place, and what is
// refused is told so in the way that it is served.
func TestAdmittedBeforeBodies(t *testing.T) {
	t.Parallel()
	h := New(Config{}).Handler()
	var held sync.WaitGroup
	var bodies []*io.PipeWriter
	for range atATimeOfAddress {
		body, sender := io.Pipe()
		r := askedFrom("/api/session/", "192.0.2.1")
		r.Method, r.Body, r.ContentLength = http.MethodPost, body, -1
		held.Go(func() { h.ServeHTTP(httptest.NewRecorder(), r) })
		if _, err := io.WriteString(sender, "{"); err != nil { // it is read, so it was let in
			t.Fatal(err)
		}
		bodies = append(bodies, sender)
	}
	for path, media := range map[string]string{"/api/plays/": "application/problem+json", "/login/": "text/html; charset=utf-8"} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, askedFrom(path, "192.0.2.1"))
		if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") != "1" || w.Header().Get("Content-Type") != media {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
		if path == "/api/plays/" && !strings.Contains(w.Body.String(), `"code":"too_many_requests"`) {
			t.Errorf("%s: %s", path, w.Body)
		}
	}
	for _, sender := range bodies {
		_ = sender.Close()
	}
	held.Wait()
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, askedFrom("/login/", "192.0.2.1")); w.Code != http.StatusOK {
		t.Errorf("afterwards: %d", w.Code)
	}
}
