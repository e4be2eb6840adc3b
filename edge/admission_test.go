package edge_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/internal/redistest"
)

// everyone is an authenticator to whom a token is its caller's name.
type everyone struct{}

func (everyone) Authenticate(r *http.Request) (*edge.Principal, error) {
	name, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return nil, &edge.Refusal{Status: http.StatusUnauthorized, Message: "who are you?"}
	}
	return &edge.Principal{Subject: name, Scopes: []string{"shop:read", "shop:write", "notes:read"}}, nil
}

func (everyone) ResourceMetadata() string { return "" }

// crowd is an edge for many callers before an upstream that a test holds up.
type crowd struct {
	*bench
	inside chan struct{} // one value for each request that the upstream holds
	pass   chan struct{} // lets one of them go for each value, all when closed
	held   sync.WaitGroup
}

func newCrowd(t *testing.T, a edge.Admission) *crowd {
	t.Helper()
	c := &crowd{bench: &bench{log: &lockedBuffer{}}, inside: make(chan struct{}, 100), pass: make(chan struct{})}
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.sent.Add(1)
		c.inside <- struct{}{}
		<-c.pass
		respond(200, "application/json", `{"id":"x"}`)(w, r)
	}))
	t.Cleanup(upstream.Close)
	c.url = admitting(t, a, shop(), upstream.URL, c.log)
	return c
}

// admitting starts an edge with the bounds and returns its URL.
func admitting(t *testing.T, a edge.Admission, catalog tool.Catalog, upstream string, log io.Writer) string {
	t.Helper()
	s, err := edge.New(edge.Config{
		Admission: a, Upstreams: map[string]edge.Upstream{"shop": {URL: upstream}},
	}, catalog, edge.Options{Authenticator: everyone{}, Log: slog.New(slog.NewJSONHandler(log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return server.URL + "/mcp"
}

// as posts one message as a caller.
func (b *bench) as(t *testing.T, caller, message string) answer {
	t.Helper()
	return b.post(t, "2025-11-25", message, http.Header{"Authorization": {"Bearer " + caller}})
}

// hold starts a call as a caller and returns once the upstream has it. What
// comes when the call has ended says that it has.
func (c *crowd) hold(t *testing.T, caller string) (ended chan struct{}) {
	t.Helper()
	ended = make(chan struct{})
	c.held.Go(func() {
		if a := c.as(t, caller, callItem); a.Status != 200 {
			t.Errorf("a call that was held: %d %s", a.Status, a.Body)
		}
		close(ended)
	})
	<-c.inside
	return ended
}

// letGo ends all calls that are held, and holds no others.
func (c *crowd) letGo() {
	close(c.pass)
	c.held.Wait()
}

const (
	callItem = `{"jsonrpc":"2.0","id":"call-1","method":"tools/call","params":{"name":"get_item","arguments":` + withID + `}}`
	ping     = `{"jsonrpc":"2.0","id":7,"method":"ping"}`
)

// refused fails unless an answer is a refusal with the status, the message's id
// and a time to come back.
func refused(t *testing.T, what string, a answer, status int, id string, most int) {
	t.Helper()
	after, err := strconv.Atoi(a.Header.Get("Retry-After"))
	if a.Status != status || a.Error == nil || a.Error.Code != status || string(a.ID) != id || err != nil || after < 1 || after > most {
		t.Errorf("%s: status %d, Retry-After %q, %s; want %d, 1 to %d s and id %s",
			what, a.Status, a.Header.Get("Retry-After"), a.Body, status, most, id)
	}
}

// clause: E-58
func TestPlacesOfOneCallerAndOfAll(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, edge.Admission{CallerConcurrency: 2, Concurrency: 3})
	ada, ada2 := c.hold(t, "ada"), c.hold(t, "ada")
	refused(t, "a third of a caller", c.as(t, "ada", callItem), 429, `"call-1"`, 1)
	refused(t, "another message of it", c.as(t, "ada", ping), 429, "7", 1)
	bob := c.hold(t, "bob")
	refused(t, "a fourth of all", c.as(t, "bob", callItem), 429, `"call-1"`, 1)
	refused(t, "of anyone", c.as(t, "eve", ping), 429, "7", 1)
	refused(t, "without an id", c.as(t, "eve", `{"jsonrpc":"2.0","method":"notifications/initialized"}`), 429, "", 1)
	if got := c.sent.Load(); got != 3 {
		t.Errorf("the upstream saw %d requests, want 3", got)
	}
	c.pass <- struct{}{} // one of the three ends, and its reply is read
	select {
	case <-ada:
	case <-ada2:
	case <-bob:
	}
	if a := c.as(t, "eve", ping); a.Status != 200 {
		t.Errorf("after one has ended: %d %s", a.Status, a.Body)
	}
	c.letGo()
}

// clause: E-58
func TestCallsPerMinute(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, edge.Admission{CallsPerMinute: 3})
	close(c.pass)
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	for _, message := range []string{ping, list, callItem} {
		if a := c.as(t, "ada", message); a.Status != 200 {
			t.Errorf("%s: status %d %s", message, a.Status, a.Body)
		}
	}
	refused(t, "a call over the rate", c.as(t, "ada", callItem), 429, `"call-1"`, 60)
	refused(t, "a list over the rate", c.as(t, "ada", list), 429, "1", 60)
	if a := c.as(t, "bob", callItem); a.Status != 200 {
		t.Errorf("another caller: status %d %s", a.Status, a.Body)
	}
	if got := c.sent.Load(); got != 2 {
		t.Errorf("the upstream saw %d requests, want 2", got)
	}
}

// A client that sends its next request when it has read the reply holds one
// place at a time, also where the reply does not fit into one packet.
func TestOneAfterTheOther(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]int{"small": 10, "large": 100_000} {
		upstream := httptest.NewServer(respond(200, "application/json", `{"id":"`+strings.Repeat("x", size)+`"}`))
		t.Cleanup(upstream.Close)
		b := &bench{url: admitting(t, edge.Admission{CallerConcurrency: 1, Requests: 1}, shop(), upstream.URL, io.Discard)}
		for i := range 100 {
			if a := b.as(t, "ada", callItem); a.Status != 200 {
				t.Fatalf("%s: request %d: status %d %s", name, i, a.Status, a.Body)
			}
		}
	}
}

// clause: E-58
func TestRequestsBeforeAuthentication(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, edge.Admission{Requests: 2})
	c.letGo()
	var open []net.Conn
	for range 2 {
		connection, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(c.url, "http://"), "/mcp"))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = connection.Close() }()
		// The server asks for the body once it has begun with the request.
		_, _ = io.WriteString(connection, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\nExpect: 100-continue\r\n\r\n")
		if line, err := bufio.NewReader(connection).ReadString('\n'); !strings.Contains(line, "100 Continue") {
			t.Fatalf("%q, %v", line, err)
		}
		open = append(open, connection)
	}
	refused(t, "a third", c.as(t, "ada", ping), 429, "", 1)
	_ = open[0].Close()
	for deadline := time.Now().Add(5 * time.Second); ; {
		a := c.as(t, "ada", ping)
		if a.Status == 200 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("after one has gone: status %d %s", a.Status, a.Body)
		}
	}
}

// clause: E-58
func TestStreamsTakeNoPlaceOfCalls(t *testing.T) {
	t.Parallel()
	s, err := edge.New(edge.Config{
		Admission: edge.Admission{CallerConcurrency: 1}, Upstreams: map[string]edge.Upstream{"shop": {URL: "http://a"}},
	}, shop(), edge.Options{Authenticator: everyone{}, Sessions: &edge.Sessions{}})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	b := &bench{url: server.URL + "/mcp"}
	const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
		`"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	listen := func(ctx context.Context) *http.Response {
		begun := b.as(t, "ada", initialize)
		if begun.Status != 200 {
			t.Fatalf("a request beside a stream: %d %s", begun.Status, begun.Body)
		}
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, b.url, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header = http.Header{
			"Accept": {"text/event-stream"}, "Authorization": {"Bearer ada"},
			"Mcp-Protocol-Version": {"2025-11-25"}, "Mcp-Session-Id": begun.Header["Mcp-Session-Id"],
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = response.Body.Close() })
		return response
	}
	ctx, hangUp := context.WithCancel(t.Context())
	defer hangUp()
	if first := listen(ctx); first.StatusCode != 200 {
		t.Fatalf("listening: status %d", first.StatusCode)
	}
	if second := listen(t.Context()); second.StatusCode != 429 || second.Header.Get("Retry-After") != "1" {
		t.Errorf("a second stream: status %d, %v", second.StatusCode, second.Header)
	}
	hangUp()
	for deadline := time.Now().Add(5 * time.Second); ; {
		again, hangUp := context.WithCancel(t.Context())
		status := listen(again).StatusCode
		hangUp()
		if status == 200 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the place of a stream does not come back")
		}
	}
}

// A reply that comes in a handler's place, because it takes too long, does not
// free what the handler still uses.
func TestPlaceOfAHandlerThatDoesNotEnd(t *testing.T) {
	t.Parallel()
	catalog, let := shop(), make(chan struct{})
	catalog.Dispatch = func(context.Context, tool.Exchange, *tool.Operation, []byte) (tool.Result, error) {
		<-let
		return tool.Result{}, nil
	}
	s, err := edge.New(edge.Config{
		Admission: edge.Admission{CallerConcurrency: 1}, Timeout: edge.Duration(10 * time.Millisecond),
		Upstreams: map[string]edge.Upstream{"shop": {URL: "http://127.0.0.1:9"}},
	}, catalog, edge.Options{Authenticator: everyone{}})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	b := &bench{url: server.URL + "/mcp"}
	if a := b.as(t, "ada", callItem); a.Status != 504 {
		t.Errorf("status %d %s", a.Status, a.Body)
	}
	refused(t, "while the handler goes on", b.as(t, "ada", ping), 429, "7", 1)
	close(let)
	for deadline := time.Now().Add(5 * time.Second); b.as(t, "ada", ping).Status != 200; {
		if time.Now().After(deadline) {
			t.Fatal("the place does not come back")
		}
	}
}

// clause: E-58
func TestServersShareARedis(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	a := edge.Admission{CallerConcurrency: 2, Concurrency: 3, RedisFile: secretFiles(t, map[string]string{"redis": redis.URL + "\n"})["redis"]}
	one, two := newCrowd(t, a), newCrowd(t, a)
	one.hold(t, "ada")
	two.hold(t, "ada")
	refused(t, "a third of a caller", two.as(t, "ada", callItem), 429, `"call-1"`, 1)
	one.hold(t, "bob")
	refused(t, "a fourth of all", two.as(t, "eve", callItem), 429, `"call-1"`, 1)

	redis.Stop()
	refused(t, "an outage", two.as(t, "eve", callItem), 503, `"call-1"`, 1)
	if got := one.sent.Load() + two.sent.Load(); got != 3 {
		t.Errorf("the upstreams saw %d requests, want 3", got)
	}
	if log := two.log.String(); !strings.Contains(log, `"msg":"admission"`) {
		t.Errorf("the log does not say so: %s", log)
	}
	ready := func() int {
		reply, err := http.Get(strings.TrimSuffix(two.url, "/mcp") + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		_ = reply.Body.Close()
		return reply.StatusCode
	}
	if got := ready(); got != 503 {
		t.Errorf("during an outage it is ready: %d", got)
	}
	one.letGo()
	two.letGo()
	redis.Restart(t)
	if a := two.as(t, "eve", callItem); a.Status != 200 {
		t.Errorf("after the outage: status %d %s", a.Status, a.Body)
	}
}

// clause: E-58
func TestServersThatShareARedisUnderLoad(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	const bound = 4
	a := edge.Admission{Concurrency: bound, RedisFile: secretFiles(t, map[string]string{"redis": redis.URL})["redis"]}
	var mu sync.Mutex
	now, most, served, busy := 0, 0, 0, 0
	count := func(by int) {
		mu.Lock()
		defer mu.Unlock()
		now += by
		most = max(most, now)
	}
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		count(1)
		respond(200, "application/json", `{"id":"x"}`)(w, r)
		count(-1)
	}))
	t.Cleanup(upstream.Close)
	var wait sync.WaitGroup
	for range 2 {
		b := &bench{url: admitting(t, a, shop(), upstream.URL, io.Discard)}
		for i := range 8 {
			wait.Go(func() {
				for range 25 {
					status := b.as(t, fmt.Sprint(i), callItem).Status
					mu.Lock()
					switch status {
					case 200:
						served++
					case 429:
						busy++
					default:
						t.Errorf("status %d", status)
					}
					mu.Unlock()
				}
			})
		}
	}
	wait.Wait()
	if most > bound || served == 0 || busy == 0 {
		t.Errorf("at most %d at once, %d served and %d refused; want at most %d, some and some", most, served, busy, bound)
	}
}

func TestAdmissionOfRPC(t *testing.T) {
	t.Parallel()
	catalog := shop()
	catalog.Bare, catalog.Documents = true, nil
	catalog.Dispatch = func(context.Context, tool.Exchange, *tool.Operation, []byte) (tool.Result, error) {
		return tool.Result{Status: 200, MediaType: "application/json", Body: []byte(`{"id":"x"}`)}, nil
	}
	for name, c := range map[string]struct {
		admission edge.Admission
		status    int
		says      string
	}{
		"over the rate": {edge.Admission{CallsPerMinute: 1}, 429, `{"ok":false,"error":{"code":"too_many_requests",`},
		"an outage": {edge.Admission{RedisFile: secretFiles(t, map[string]string{"r": "redis://127.0.0.1:1"})["r"]}, 503,
			`{"ok":false,"error":{"code":"unavailable",`},
	} {
		h, err := edge.NewRPC(edge.Config{Admission: c.admission}, catalog, edge.Options{Authenticator: everyone{}}, edge.RPC{})
		if err != nil {
			t.Fatal(err)
		}
		var w *httptest.ResponseRecorder
		for range 2 {
			w = httptest.NewRecorder()
			r := httptest.NewRequest(http.MethodPost, "http://localhost/rpc", strings.NewReader(`{"method":"get_note"}`))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Authorization", "Bearer ada")
			h.ServeHTTP(w, r)
		}
		if w.Code != c.status || w.Header().Get("Retry-After") == "" || !strings.HasPrefix(w.Body.String(), c.says) {
			t.Errorf("%s: status %d, %v, %s; want %d and %s", name, w.Code, w.Header(), w.Body, c.status, c.says)
		}
	}
}

func TestAdmissionConfiguration(t *testing.T) {
	t.Parallel()
	files := secretFiles(t, map[string]string{"good": "redis://:hunter2@127.0.0.1:6379/0", "bad": "http://:hunter2@127.0.0.1"})
	for name, c := range map[string]struct {
		admission edge.Admission
		want      []string
	}{
		"nothing": {edge.Admission{}, nil},
		"all":     {edge.Admission{CallerConcurrency: 1, Concurrency: 1, CallsPerMinute: 1000000, Requests: 1, RedisFile: files["good"]}, nil},
		"no rate": {edge.Admission{CallsPerMinute: -1}, nil},
		"negative": {edge.Admission{CallerConcurrency: -1, Concurrency: -1, CallsPerMinute: -2, Requests: -1, ReplyBytes: -1}, []string{
			"admission.caller_concurrency: a bound is at least 1, or 0 for the default, not -1",
			"admission.concurrency: a bound is at least 1, or 0 for the default, not -1",
			"admission.requests: a bound is at least 1, or 0 for the default, not -1",
			"admission.reply_bytes: a bound is at least 1, or 0 for the default, not -1",
			"admission.calls_per_minute: a rate is 1 to 1000000, 0 for the default or -1 for none, not -2",
		}},
		"too fast":       {edge.Admission{CallsPerMinute: 1000001}, []string{"admission.calls_per_minute: a rate is"}},
		"a URL":          {edge.Admission{RedisFile: "redis://:hunter2@localhost"}, []string{"admission.redis_file: name a file that holds the URL"}},
		"another URL":    {edge.Admission{RedisFile: files["bad"]}, []string{"admission.redis_file: not a Redis URL such as"}},
		"a missing file": {edge.Admission{RedisFile: files["bad"] + ".gone"}, []string{"admission.redis_file: stat"}},
	} {
		_, err := edge.New(edge.Config{
			Admission: c.admission, Upstreams: map[string]edge.Upstream{"shop": {URL: "http://a"}},
		}, shop(), edge.Options{})
		var got []string
		if err != nil {
			got = strings.Split(err.Error(), "\n")
		}
		ok := len(got) == len(c.want)
		for i := range min(len(got), len(c.want)) {
			ok = ok && strings.HasPrefix(got[i], c.want[i]) && !strings.Contains(got[i], "hunter2")
		}
		if !ok {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestAdmissionFileIsRelativeToTheConfiguration(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.WriteFile(folder+"/edge.json", []byte(`{"admission":{"redis_file":"redis","calls_per_minute":9}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := edge.LoadConfig(folder + "/edge.json")
	if want := (edge.Admission{RedisFile: folder + "/redis", CallsPerMinute: 9}); err != nil || c.Admission != want {
		t.Errorf("got %+v, %v; want %+v", c.Admission, err, want)
	}
}
