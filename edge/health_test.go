package edge_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/edge"
)

// health asks without any credential, by another name, and returns all that
// is said.
func (b *bench) health(t *testing.T, method, path string) (status int, said string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, strings.TrimSuffix(b.url, "/mcp")+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "10.1.2.3:8080" // as a load balancer asks
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%s: %v, %v", path, err, response.Header)
	}
	return response.StatusCode, string(body)
}

func TestHealth(t *testing.T) {
	t.Parallel()
	u := map[string]edge.Upstream{"shop": {URL: "http://no-such-host.invalid"}}
	b := setup(t, shop(), edge.Config{Upstreams: u}, nil)
	for _, c := range []struct {
		method, path string
		status       int
		said         string
	}{
		{http.MethodGet, "/healthz", 200, "ok\n"},
		{http.MethodGet, "/readyz", 200, "ok\n"}, // without its upstream, too
		{http.MethodHead, "/readyz", 200, ""},
		{http.MethodPost, "/readyz", 405, "send a GET\n"},
	} {
		if status, said := b.health(t, c.method, c.path); status != c.status || said != c.said {
			t.Errorf("%s %s: %d %q, want %d %q", c.method, c.path, status, said, c.status, c.said)
		}
	}
	if got := b.log.String(); got != "" {
		t.Errorf("questions of health are logged: %s", got)
	}
}
