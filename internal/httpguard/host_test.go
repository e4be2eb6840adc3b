package httpguard_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/pharos-mcp/pharos/internal/httpguard"
)

// TestHostSpellings sends every spelling of the same few names.
func TestHostSpellings(t *testing.T) {
	t.Parallel()
	door := httpguard.New(httpguard.Options{
		Hosts: []string{"2001:db8::1", "192.0.2.7", "tools.example.org", "fe80::1%eth0"}, Body: 10,
	}, echo())
	for host, want := range map[string]int{
		"[2001:db8::1]": 200, "[2001:db8::1]:8080": 200, "[2001:DB8:0:0::1]": 200, "[2001:db8::1]:": 200,
		"[2001:db8::2]": 403, "2001:db8::1": 403, "[2001:db8::1": 403, "[2001:db8::1]8080": 403, "[2001:db8::1]:http": 403,
		"[2001:db8::1]:65536": 403, "[2001:db8::1%25eth0]": 403, "[2001:db8::1%eth0]:80": 403, "[[2001:db8::1]]": 403,
		"[fe80::1%eth0]": 403, "[fe80::1%25eth0]:80": 403, "[fe80::1]": 403,

		"[::1]": 200, "[::1]:80": 200, "[0:0:0:0:0:0:0:1]": 200, "[::ffff:127.0.0.1]": 200, "::1": 403, "[::1%lo]": 403, "[::]": 403,
		"[::ffff:192.0.2.7]": 200, "[::ffff:192.0.2.8]:80": 403,

		"192.0.2.7": 200, "192.0.2.7:80": 200, "192.0.2.7.": 403, "192.0.2.8": 403, "[192.0.2.7]": 403, "192.0.2.7:": 200,
		"127.0.0.1": 200, "127.255.0.1:1": 200, "127.0.0.1.": 403, "127.1": 403, "0x7f.0.0.1": 403, "2130706433": 403,
		"127.000.000.001": 403, "0.0.0.0": 403,

		"tools.example.org": 200, "TOOLS.Example.org:443": 200, "tools.example.org.": 200, "tools.example.org.:443": 200,
		"tools.example.org..": 403, ".tools.example.org": 403, "[tools.example.org]": 403, "tools.example.org:x": 403,
		"tools.example.org:80:80": 403, "user@tools.example.org": 403,
		"localhost": 200, "LOCALHOST:80": 200, "localhost.": 200, "localhost..": 403, "[localhost]:80": 403, "sub.localhost": 403,
		"": 403, ".": 403, ":80": 403, "[]": 403, "[]:80": 403,
	} {
		r := httptest.NewRequest(http.MethodPost, "/mcp", nil)
		r.Host = host
		w := httptest.NewRecorder()
		door.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("Host %q: status %d, want %d", host, w.Code, want)
		}
	}
}
