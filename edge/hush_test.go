package edge_test

import (
	"bytes"
	"errors"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge"
)

// throwing is an authenticator with a mistake.
type throwing struct{ byHeader }

func (throwing) Authenticate(r *http.Request) (*edge.Principal, error) {
	panic("cannot read " + r.Header.Get("Authorization"))
}

// TestPanicsTellNoToken has an authenticator throw a token.
//
// clause: E-56, E-57
func TestPanicsTellNoToken(t *testing.T) {
	t.Parallel()
	b := &bench{token: "hunter2", log: &lockedBuffer{}}
	s, err := edge.New(edge.Config{}, shop(), edge.Options{Authenticator: throwing{}, Exchange: &wire{}, Log: b.logger()})
	if err != nil {
		t.Fatal(err)
	}
	var standard bytes.Buffer
	server := httptest.NewUnstartedServer(s)
	server.Config.ErrorLog = log.New(&standard, "", 0)
	server.Start()
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/mcp", strings.NewReader("{}"))
	r.Header.Set("Authorization", "Bearer "+b.token)
	if response, err := http.DefaultClient.Do(r); err == nil {
		_ = response.Body.Close()
		t.Errorf("the answer is %d", response.StatusCode)
	}
	server.Close()
	if told := standard.String() + b.log.String(); strings.Contains(told, b.token) || !strings.Contains(told, "throwing.Authenticate") {
		t.Errorf("it is told: %s", told)
	}
}

func TestTimesAreBounded(t *testing.T) {
	t.Parallel()
	const day = edge.Duration(24 * time.Hour)
	config := func(d edge.Duration) edge.Config {
		return edge.Config{Timeout: d, Shutdown: d, Notice: d, Upstreams: map[string]edge.Upstream{"shop": {URL: "http://a", Timeout: d}}}
	}
	if _, err := edge.New(config(day), shop(), edge.Options{}); err != nil {
		t.Errorf("a day: %v", err)
	}
	_, err := edge.New(config(1<<63-1), shop(), edge.Options{})
	problems, _ := errors.AsType[edge.Problems](err)
	const over = ": a time is at most 24h, not 2562047h47m16.854775807s"
	want := edge.Problems{"timeout" + over, "shutdown" + over, "notice" + over, "upstreams.shop.timeout" + over}
	if diff := cmp.Diff(want, problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}
