package broker_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/services/broker"
)

// from asks for authorization as if through a proxy.
func (l *lab) from(address string) reply {
	l.t.Helper()
	r, err := http.NewRequestWithContext(l.t.Context(), http.MethodGet, l.url+"/authorize?"+l.request().Encode(), nil)
	if err == nil {
		r.Header.Set("X-Forwarded-For", address)
	}
	return l.browser().do(r, err)
}

func behindProxy(c *broker.Config) {
	c.Proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8")}
}

// Whoever asks for authorization without end fills no database.
//
// clause: E-30
func TestPendingBounds(t *testing.T) {
	t.Parallel()
	l := newLab(t, behindProxy)
	for i := range 200 {
		if r := l.from("192.0.2.1"); r.StatusCode != http.StatusOK {
			t.Fatalf("request %d: status %d", i+1, r.StatusCode)
		}
	}
	full := l.from("192.0.2.1")
	if wantPage(t, full, http.StatusTooManyRequests); full.Header.Get("Retry-After") != "60" || !strings.Contains(full.body, "wait a minute") {
		t.Errorf("the 201st: %v\n%s", full.Header, full.body)
	}
	for forwarded, status := range map[string]int{
		"192.0.2.2": 200, "192.0.2.2, 192.0.2.1": 429, "192.0.2.1, 192.0.2.3": 200, "192.0.2.2, 192.0.2.1, 10.1.2.3": 429, "192.0.2.1, nonsense": 200,
	} {
		if r := l.from(forwarded); r.StatusCode != status {
			t.Errorf("X-Forwarded-For %q: status %d, want %d", forwarded, r.StatusCode, status)
		}
	}
	l.later(10 * time.Minute)
	if r := l.from("192.0.2.1"); r.StatusCode != http.StatusOK {
		t.Errorf("after ten minutes: status %d", r.StatusCode)
	}
	l.fill("request", `(handle_hash, binding_hash, client_id, client_name, redirect_uri, scope, challenge, client_state, stage,
		address_hash, created_at, expires_at)
		SELECT sha256(i::text::bytea), sha256(''), 'c', 'c', 'r', 's', 'c', '', 'asked', sha256(i::text::bytea), $1, $1::timestamptz + '5 minutes'`,
		broker.MaxRequests-2)
	if r := l.from("192.0.2.9"); r.StatusCode != http.StatusOK {
		t.Errorf("the last that may wait: status %d", r.StatusCode)
	}
	wantPage(t, l.from("192.0.2.10"), http.StatusServiceUnavailable)
	l.later(5 * time.Minute)
	if r := l.from("192.0.2.10"); r.StatusCode != http.StatusOK {
		t.Errorf("when they are gone: status %d", r.StatusCode)
	}
}

// fill inserts rows, numbered i, into a table.
func (l *lab) fill(table, rows string, n int) {
	l.t.Helper()
	_, err := l.pool.Exec(l.t.Context(), "INSERT INTO broker."+table+" "+rows+fmt.Sprintf(" FROM generate_series(1, %d) AS i", n), l.clock())
	if err != nil {
		l.t.Fatal(err)
	}
}

// Nor does whoever registers clients without end, from everywhere.
//
// clause: E-30
func TestUnusedBound(t *testing.T) {
	t.Parallel()
	l := newLab(t, nil)
	l.fill("client", `(id, name, redirect_uris, created_at) SELECT 'pharos_client_' || i, 'n', '{r}', $1`, broker.MaxUnused-1)
	l.register(minimal)
	got := l.tryRegister(minimal)
	if got.Status != http.StatusServiceUnavailable || got.Header.Get("Retry-After") != "3600" || got.Error != "temporarily_unavailable" {
		t.Errorf("status %d, %v, %v", got.Status, got.Header, got.All)
	}
	l.later(24*time.Hour + time.Second)
	if err := l.broker.Forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	l.register(minimal)
}

// Addresses of IPv6 count by the network that one site has.
func TestAddress(t *testing.T) {
	t.Parallel()
	l := newLab(t, behindProxy)
	for _, address := range []string{"2001:db8::1", "2001:db8::ffff:0:0:2", "2001:db8:0:1::1", "::ffff:192.0.2.1", "192.0.2.1"} {
		l.from(address)
	}
	var n int
	if err := l.pool.QueryRow(t.Context(), "SELECT count(DISTINCT address_hash) FROM broker.request").Scan(&n); err != nil || n != 3 {
		t.Errorf("%d addresses, %v, want 3", n, err)
	}
	direct := newLab(t, nil)
	direct.from("192.0.2.1")
	direct.from("192.0.2.2")
	if err := direct.pool.QueryRow(t.Context(), "SELECT count(DISTINCT address_hash) FROM broker.request").Scan(&n); err != nil || n != 1 {
		t.Errorf("%d addresses without a proxy, %v, want that of the peer", n, err)
	}
}

// A body that drips in holds a connection for a short time and nothing else.
//
// clause: E-30
func TestSlowBody(t *testing.T) {
	t.Parallel()
	l := newLabOn(t, pgtest.Database(t, "broker"), nil, func(o *broker.Options) { o.Arrival = 200 * time.Millisecond })
	target, err := url.Parse(l.url)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/token", "/revoke", "/register", "/consent", "/authorize"} {
		conn, err := net.Dial("tcp", target.Host)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\na=", path)
		got, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if got.StatusCode != http.StatusRequestTimeout || !got.Close {
			t.Errorf("%s: status %d, closed: %t", path, got.StatusCode, got.Close)
		}
	}
	// The time for the body is not that for the answer.
	l.platform.set(func(p *platform) {
		p.answer = func(http.ResponseWriter) bool { time.Sleep(400 * time.Millisecond); return false }
	})
	wantTokens(t, "a slow answer", l.granted("member", l.request()))
}
