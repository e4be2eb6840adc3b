package httpguard_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/internal/httpguard"
)

// TestClient: nobody but a proxy is believed about where a request comes from,
// and a proxy only about who spoke to it.
//
// clause: P-38
func TestClient(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		proxies   []string
		peer      string
		forwarded []string
		want      string
	}{
		"a client":                    {nil, "192.0.2.1:5000", nil, "192.0.2.1"},
		"who makes something up":      {nil, "192.0.2.1:5000", []string{"203.0.113.9"}, "192.0.2.1"},
		"on loopback, the same":       {nil, "127.0.0.1:5000", []string{"203.0.113.9"}, "127.0.0.1"},
		"beside a proxy":              {[]string{"10.0.0.1"}, "10.0.0.2:1", []string{"203.0.113.9"}, "10.0.0.2"},
		"behind a proxy":              {[]string{"127.0.0.1"}, "127.0.0.1:1", []string{"203.0.113.9"}, "203.0.113.9"},
		"behind one, making up":       {[]string{"127.0.0.1"}, "127.0.0.1:1", []string{"198.51.100.1, 203.0.113.9"}, "203.0.113.9"},
		"making a line up":            {[]string{"127.0.0.1"}, "127.0.0.1:1", []string{"198.51.100.1", "203.0.113.9"}, "203.0.113.9"},
		"making up a proxy":           {[]string{"127.0.0.1"}, "127.0.0.1:1", []string{"198.51.100.1, 127.0.0.1, 203.0.113.9"}, "203.0.113.9"},
		"behind two":                  {[]string{"10.0.0.0/8"}, "10.0.0.1:1", []string{"203.0.113.9,10.9.9.9"}, "203.0.113.9"},
		"behind two, over two lines":  {[]string{"10.0.0.0/8"}, "10.0.0.1:1", []string{"203.0.113.9", "10.9.9.9"}, "203.0.113.9"},
		"a proxy itself":              {[]string{"10.0.0.0/8"}, "10.0.0.1:1", nil, "10.0.0.1"},
		"a proxy among proxies":       {[]string{"10.0.0.0/8"}, "10.0.0.1:1", []string{"10.0.0.2"}, "10.0.0.2"},
		"what no proxy writes":        {[]string{"10.0.0.0/8"}, "10.0.0.1:1", []string{"203.0.113.9, unknown"}, "10.0.0.1"},
		"nothing":                     {[]string{"10.0.0.0/8"}, "10.0.0.1:1", []string{""}, "10.0.0.1"},
		"with a port":                 {[]string{"10.0.0.0/8"}, "10.0.0.1:1", []string{"203.0.113.9:4711"}, "203.0.113.9"},
		"of IPv6":                     {[]string{"::1"}, "[::1]:1", []string{"2001:db8::1"}, "2001:db8::1"},
		"of IPv6, in brackets":        {[]string{"::1"}, "[::1]:1", []string{"[2001:db8::1]"}, "2001:db8::1"},
		"of IPv6, with a port":        {[]string{"::1"}, "[::1]:1", []string{"[2001:db8::1]:443"}, "2001:db8::1"},
		"of IPv4 in IPv6":             {nil, "[::ffff:192.0.2.1]:1", nil, "192.0.2.1"},
		"a proxy of IPv4 in IPv6":     {[]string{"127.0.0.1"}, "[::ffff:127.0.0.1]:1", []string{"::ffff:203.0.113.9"}, "203.0.113.9"},
		"a proxy, spelled so":         {[]string{"::ffff:127.0.0.1"}, "127.0.0.1:1", []string{"203.0.113.9"}, "203.0.113.9"},
		"with a zone":                 {nil, "[fe80::1%eth0]:1", nil, "fe80::1"},
		"no address":                  {[]string{"10.0.0.0/8"}, "@", []string{"203.0.113.9"}, "invalid IP"},
		"a network that is not clean": {[]string{"10.1.2.3/8"}, "10.9.9.9:1", []string{"203.0.113.9"}, "203.0.113.9"},
	} {
		proxies, err := httpguard.ParseProxies(c.proxies)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.RemoteAddr = c.peer
		if c.forwarded != nil {
			r.Header["X-Forwarded-For"] = c.forwarded
		}
		if got := proxies.Client(r).String(); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestParseProxies(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "proxy", "10.0.0.0/33", "10.0.0", "fe80::1%eth0", "::ffff:10.0.0.0/104", "10.0.0.1:80", " 10.0.0.1"} {
		if _, err := httpguard.ParseProxies([]string{"::1", text}); err == nil || !strings.HasPrefix(err.Error(), `"`+text+`" is neither`) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestKey: what is one client's has one key.
func TestKey(t *testing.T) {
	t.Parallel()
	key := func(peer string) string {
		r := httptest.NewRequest(http.MethodPost, "/", nil)
		r.RemoteAddr = peer
		return httpguard.Proxies(nil).Client(r).Key()
	}
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"192.0.2.1:1", "192.0.2.1:2", true},
		{"192.0.2.1:1", "192.0.2.2:1", false},
		{"192.0.2.1:1", "[::ffff:192.0.2.1]:1", true},
		{"[2001:db8:0:1::1]:1", "[2001:db8:0:1:ffff::2]:1", true},
		{"[2001:db8:0:1::1]:1", "[2001:db8:0:2::1]:1", false},
		{"@", "", true},
		{"@", "0.0.0.0:1", false},
	} {
		if got := key(c.a) == key(c.b); got != c.same {
			t.Errorf("%s and %s are one client's: %t, want %t", c.a, c.b, got, c.same)
		}
	}
}

// clause: P-33
func TestShapeOfJSON(t *testing.T) {
	t.Parallel()
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	many := func(n int) string { return "[0" + strings.Repeat(",0", n-2) + "]" }
	for _, c := range []struct {
		mediaType, body string
		any             bool
		want            int
	}{
		{"application/json", nested(32), false, 200},
		{"application/json", nested(33), false, 400},
		{"application/json", many(20_000), false, 200},
		{"application/json", many(20_001), false, 400},
		{"Application/JSON ; charset=utf-8", nested(33), false, 400},
		{"application/merge-patch+json", nested(33), false, 400},
		{"", nested(33), false, 400},
		{"text/plain", nested(33), false, 200},
		{"application/octet-stream", many(20_001), false, 200},
		{"application/json", nested(33), true, 200},
		{"application/json", many(20_001), true, 200},
	} {
		door := httpguard.New(httpguard.Options{Body: 1 << 20, Any: c.any}, echo())
		r := httptest.NewRequest(http.MethodPost, "http://localhost/", strings.NewReader(c.body))
		if c.mediaType != "" {
			r.Header.Set("Content-Type", c.mediaType)
		}
		w := httptest.NewRecorder()
		door.ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%s, %.20s, any %t: status %d %.80s, want %d", c.mediaType, c.body, c.any, w.Code, w.Body, c.want)
		}
	}
}
