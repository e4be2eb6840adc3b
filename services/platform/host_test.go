package platform_test

import (
	"net/http/httptest"
	"testing"

	"github.com/pharos-mcp/pharos/services/platform"
)

// TestHosts is whom a request may address: loopback, and the host of the origin.
func TestHosts(t *testing.T) {
	t.Parallel()
	for origin, hosts := range map[string]map[string]int{
		"":                             {"localhost:8081": 200, "127.0.0.1": 200, "[::1]:8081": 200, "platform.example": 403},
		"https://platform.example":     {"localhost:8081": 200, "platform.example": 200, "PLATFORM.example": 200, "evil.example": 403},
		"https://platform.example:444": {"platform.example:444": 200, "evil.platform.example": 403},
	} {
		s, err := platform.New(platform.Config{Origin: origin})
		if err != nil {
			t.Fatal(err)
		}
		for host, want := range hosts {
			r := httptest.NewRequest("GET", "/healthz", nil)
			r.Host = host
			w := httptest.NewRecorder()
			s.Handler().ServeHTTP(w, r)
			if w.Code != want {
				t.Errorf("origin %q, host %q: status %d, want %d", origin, host, w.Code, want)
			}
		}
	}
	for _, origin := range []string{"http://platform.example", "https://platform.example/", "https://", "platform.example", "https://a@b"} {
		if err := (platform.Config{Origin: origin}).Check(); err == nil {
			t.Errorf("origin %q passes", origin)
		}
	}
}
