package edge_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/internal/redistest"
)

// neighbours are two servers behind one gate, whose calls last until pass is closed.
type neighbours struct {
	one, two *edge.Server
	inside   chan struct{} // one value for each call that is held
	pass     chan struct{}
	held     sync.WaitGroup
}

func newNeighbours(t *testing.T, gate *edge.Gate) *neighbours {
	t.Helper()
	p := &neighbours{inside: make(chan struct{}, 100), pass: make(chan struct{})}
	catalog := shop()
	catalog.Dispatch = func(context.Context, tool.Exchange, *tool.Operation, []byte) (tool.Result, error) {
		p.inside <- struct{}{}
		<-p.pass
		return tool.Result{Status: 200, MediaType: "application/json", Body: []byte(`{"id":"x"}`)}, nil
	}
	for path, s := range map[string]**edge.Server{"/play/mcp": &p.one, "/mcp": &p.two} {
		var err error
		*s, err = edge.New(edge.Config{Path: path}, catalog, edge.Options{Authenticator: everyone{}, Exchange: &wire{}, Gate: gate})
		if err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// to sends a message to one of them.
func (p *neighbours) to(s *edge.Server, caller, message string) *httptest.ResponseRecorder {
	path := "/mcp"
	if s == p.one {
		path = "/play/mcp"
	}
	r := httptest.NewRequest(http.MethodPost, "http://localhost"+path, strings.NewReader(message))
	r.Header = http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {"2025-11-25"}, "Authorization": {"Bearer " + caller},
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// hold begins a call and returns once it is under way.
func (p *neighbours) hold(t *testing.T, s *edge.Server, caller string) {
	t.Helper()
	p.held.Go(func() {
		if w := p.to(s, caller, callItem); w.Code != 200 {
			t.Errorf("a call of %s that was held: %d %s", caller, w.Code, w.Body)
		}
	})
	<-p.inside
}

// shut fails unless a message is refused for now.
func (p *neighbours) shut(t *testing.T, what string, s *edge.Server, caller string, after string) {
	t.Helper()
	if w := p.to(s, caller, ping); w.Code != 429 || w.Header().Get("Retry-After") != after {
		t.Errorf("%s: %d, Retry-After %q, want 429 and %s", what, w.Code, w.Header().Get("Retry-After"), after)
	}
}

// open fails unless a message is answered.
func (p *neighbours) open(t *testing.T, what string, s *edge.Server, caller string) {
	t.Helper()
	if w := p.to(s, caller, ping); w.Code != 200 {
		t.Errorf("%s: %d %s", what, w.Code, w.Body)
	}
}

// play is the admission of a small service with two catalogs.
var play = edge.Admission{CallsPerMinute: 60, CallerConcurrency: 2, Concurrency: 8}

// gates runs a test with a gate of one process and with one that is shared.
func gates(t *testing.T, a edge.Admission, test func(t *testing.T, gate *edge.Gate)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		gate, err := edge.NewGate(a, 0)
		if err != nil {
			t.Fatal(err)
		}
		test(t, gate)
	})
	t.Run("redis", func(t *testing.T) {
		t.Parallel()
		shared := a // the other test reads it at the same time
		shared.RedisURL = redistest.Start(t).URL
		gate, err := edge.NewGate(shared, 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = gate.Close() })
		test(t, gate)
	})
}

// clause: E-58, P-34, P-38, P-39
func TestServersShareAGate(t *testing.T) {
	t.Parallel()
	gates(t, play, func(t *testing.T, gate *edge.Gate) {
		p := newNeighbours(t, gate)
		p.hold(t, p.one, "ada")
		p.open(t, "a second of a caller", p.two, "ada")
		p.hold(t, p.two, "ada")
		p.shut(t, "a third of a caller", p.one, "ada", "1")
		p.shut(t, "a third of a caller, at the other", p.two, "ada", "1")
		for i, caller := range []string{"bob", "bob", "eve", "eve", "dan"} {
			p.hold(t, []*edge.Server{p.one, p.two}[i%2], caller)
		}
		p.open(t, "an eighth of all", p.one, "joe")
		p.hold(t, p.two, "joe")
		p.shut(t, "a ninth of all", p.one, "max", "1")
		p.shut(t, "a ninth of all, at the other", p.two, "max", "1")
		close(p.pass)
		p.held.Wait()
		p.open(t, "after all have ended", p.two, "ada")
	})
}

// TestRateOfAGate is that of both servers together. Each message counts, the
// handshake and lists too; what was refused does not.
//
// clause: E-58, P-34, P-38
func TestRateOfAGate(t *testing.T) {
	t.Parallel()
	gates(t, play, func(t *testing.T, gate *edge.Gate) {
		p := newNeighbours(t, gate)
		close(p.pass)
		messages := []string{
			ping, callItem, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
				`"clientInfo":{"name":"t","version":"1"}}}`,
		}
		for i := range 60 {
			if w := p.to([]*edge.Server{p.one, p.two}[i%2], "ada", messages[i%len(messages)]); w.Code != 200 && w.Code != 202 {
				t.Fatalf("message %d: %d %s", i+1, w.Code, w.Body)
			}
		}
		for _, s := range []*edge.Server{p.one, p.two} {
			if w := p.to(s, "ada", ping); w.Code != 429 || w.Header().Get("Retry-After") == "" {
				t.Errorf("a 61st: %d %v", w.Code, w.Header())
			}
		}
		p.open(t, "another caller", p.one, "bob")
	})
}

// TestRetryAfterIsExact: who waits as long as they are told gets in, a second
// less does not do; refusals in between do not put it off.
//
// clause: E-58, P-34
func TestRetryAfterIsExact(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		gate, err := edge.NewGate(play, 0)
		if err != nil {
			t.Fatal(err)
		}
		p := newNeighbours(t, gate)
		close(p.pass)
		for range 60 {
			p.open(t, "within the rate", p.one, "ada")
			time.Sleep(300 * time.Millisecond)
		}
		// 18 s have passed since the first.
		p.shut(t, "at once", p.two, "ada", "42")
		time.Sleep(41 * time.Second)
		for range 100 {
			p.shut(t, "a second less", p.one, "ada", "1")
		}
		time.Sleep(time.Second)
		p.open(t, "when told", p.two, "ada")
		p.shut(t, "the next", p.one, "ada", "1") // after 300 ms, rounded up
		time.Sleep(time.Second)
		for range 3 {
			p.open(t, "three more have left the window", p.one, "ada")
		}
		p.shut(t, "and no fourth", p.two, "ada", "1")
	})
}

// TestGateOfADependency is asked for by /readyz of each server.
func TestGateOfADependency(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	a := play
	a.RedisURL = redis.URL
	gate, err := edge.NewGate(a, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	p := newNeighbours(t, gate)
	ready := func(s *edge.Server) int {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/readyz", nil))
		return w.Code
	}
	if got := ready(p.one); got != 200 || gate.Check(t.Context()) != nil {
		t.Errorf("a server that is there: %d", got)
	}
	redis.Stop()
	if got := ready(p.two); got != 503 || gate.Check(t.Context()) == nil {
		t.Errorf("a server that is away: %d", got)
	}
	for _, s := range []*edge.Server{p.one, p.two} {
		if w := p.to(s, "ada", ping); w.Code != 503 || w.Header().Get("Retry-After") != "1" {
			t.Errorf("a message: %d %v", w.Code, w.Header())
		}
	}
	if err := gate.Close(); err != nil {
		t.Error(err)
	}
}

func TestGateConfiguration(t *testing.T) {
	t.Parallel()
	files := secretFiles(t, map[string]string{"redis": "redis://:hunter2@127.0.0.1:6379/0"})
	for name, c := range map[string]struct {
		admission edge.Admission
		timeout   time.Duration
		want      string
	}{
		"nothing":      {edge.Admission{}, 0, ""},
		"a file":       {edge.Admission{RedisFile: files["redis"]}, 24 * time.Hour, ""},
		"a URL":        {edge.Admission{RedisURL: "redis://:hunter2@127.0.0.1:6379/0"}, time.Second, ""},
		"another URL":  {edge.Admission{RedisURL: "http://:hunter2@127.0.0.1"}, 0, "admission.redis_url: not a Redis URL"},
		"both":         {edge.Admission{RedisFile: files["redis"], RedisURL: "redis://127.0.0.1"}, 0, "admission.redis_file: the URL is given already"},
		"a bound":      {edge.Admission{Concurrency: -1}, 0, "admission.concurrency: a bound is at least 1"},
		"addresses":    {edge.Admission{AddressPerMinute: 1000000}, 0, ""},
		"too many":     {edge.Admission{AddressPerMinute: 1000001}, 0, "admission.address_per_minute: a rate is 1 to 1000000, or 0 for none, not 1000001"},
		"no addresses": {edge.Admission{AddressPerMinute: -1}, 0, "admission.address_per_minute: a rate is 1 to"},
		"too long":     {edge.Admission{}, 24*time.Hour + 1, "timeout: a time is at most 24h"},
		"negative":     {edge.Admission{}, -1, "timeout: a time is at most 24h"},
	} {
		gate, err := edge.NewGate(c.admission, c.timeout)
		switch {
		case c.want == "" && (err != nil || gate == nil):
			t.Errorf("%s: %v", name, err)
		case c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "hunter2")):
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	gate, err := edge.NewGate(edge.Admission{}, 25*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		config edge.Config
		want   string
	}{
		"as long":   {edge.Config{Timeout: edge.Duration(25 * time.Second)}, ""},
		"longer":    {edge.Config{Timeout: edge.Duration(25*time.Second + 1)}, "timeout: the gate that is given keeps places for calls of 25s, not 25.000000001s"},
		"its own":   {edge.Config{Timeout: 1, Admission: edge.Admission{Concurrency: 8}}, "admission: the bounds are those of the gate that is given"},
		"negative":  {edge.Config{Timeout: 1, Body: -1}, "body: a bound is at least 1, or 0 for the default, not -1"},
		"no proxy":  {edge.Config{Timeout: 1, Proxies: []string{"10.0.0.0/8", "proxy.example.org"}}, `proxies: "proxy.example.org" is neither`},
		"a default": {edge.Config{}, "timeout: the gate that is given keeps places for calls of 25s, not 1m0s"},
	} {
		_, err := edge.New(c.config, shop(), edge.Options{Authenticator: everyone{}, Exchange: &wire{}, Gate: gate})
		if got := ""; c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%s: %v%s, want %s", name, err, got, c.want)
		}
	}
}

// TestOwnGates: without a gate that is given, each server has its own.
func TestOwnGates(t *testing.T) {
	t.Parallel()
	var servers []*edge.Server
	for range 2 {
		s, err := edge.New(edge.Config{Admission: edge.Admission{CallsPerMinute: 1}}, shop(), edge.Options{Authenticator: everyone{}, Exchange: &wire{}})
		if err != nil {
			t.Fatal(err)
		}
		servers = append(servers, s)
	}
	p := &neighbours{two: servers[0]}
	p.open(t, "the first", servers[0], "ada")
	p.open(t, "of another server", servers[1], "ada")
	for _, s := range servers {
		w := p.to(s, "ada", ping)
		after, err := strconv.Atoi(w.Header().Get("Retry-After"))
		if w.Code != 429 || err != nil || after < 58 || after > 60 {
			t.Errorf("the second: %d %v", w.Code, w.Header())
		}
	}
}
