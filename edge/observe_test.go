package edge_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/tool"
)

// watched is a bench whose server tells all that it can: metrics, traces, log.
type watched struct {
	*bench
	reply   http.HandlerFunc
	metrics string        // URL
	spans   *lockedBuffer // as they came in
	stop    func()        // sends the last spans
}

func watch(t *testing.T, c tool.Catalog, config edge.Config, reply http.HandlerFunc) *watched {
	t.Helper()
	w := &watched{reply: reply, bench: &bench{token: token, log: &lockedBuffer{}}, spans: &lockedBuffer{}}
	upstream := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		w.sent.Add(1)
		w.reply(out, r)
	}))
	t.Cleanup(upstream.Close)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(w.spans, r.Body)
	}))
	t.Cleanup(receiver.Close)
	u := config.Upstreams["shop"]
	u.URL = upstream.URL + "/base"
	config.Upstreams = map[string]edge.Upstream{"shop": u}
	config.Listen = "127.0.0.1:0"
	config.Observe = edge.Observe{Metrics: "127.0.0.1:0", Traces: receiver.URL, Caller: "link"}
	auth, err := edge.NewDevToken(token, []string{"shop:read", "shop:write"})
	if err != nil {
		t.Fatal(err)
	}
	s, err := edge.New(config, c, edge.Options{Authenticator: auth, Log: slog.New(slog.NewJSONHandler(w.log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	l, err := s.Listen()
	if err != nil {
		t.Fatal(err)
	}
	var announced bytes.Buffer
	if err := s.Announce(&announced, l.Addr()); err != nil {
		t.Fatal(err)
	}
	w.metrics = regexp.MustCompile(`http://127\.0\.0\.1:\d+/metrics`).FindString(announced.String())
	w.url = s.URL(l.Addr())
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, l) }()
	w.stop = func() {
		http.DefaultClient.CloseIdleConnections()
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
	}
	return w
}

// scrape reads the series of our own metrics.
func (w *watched) scrape(t *testing.T) (all string, calls []string) {
	t.Helper()
	r, err := http.Get(w.metrics)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(r.Body)
	_ = r.Body.Close()
	if err != nil || r.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d, %v", w.metrics, r.StatusCode, err)
	}
	lines := bufio.NewScanner(bytes.NewReader(body))
	for lines.Scan() {
		if line, ok := strings.CutPrefix(lines.Text(), "pharos_calls_total"); ok {
			calls = append(calls, line)
		}
	}
	return string(body), calls
}

// TestEveryCallIsTold makes calls of all kinds and counts what is told of them.
//
// clause: E-57
func TestEveryCallIsTold(t *testing.T) {
	t.Parallel()
	w := watch(t, shop(), edge.Config{}, func(out http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodGet:
			respond(200, "application/json", `{"id":"x"}`)(out, r)
		case r.Method == http.MethodPut:
			respond(409, "application/json", `{"aggregateId":"a","status":"rejected"}`)(out, r)
		default:
			respond(503, "text/plain", "no")(out, r)
		}
	})
	w.call(t, "get_item", withID)
	later := http.Header{"Mcp-Method": {"tools/call"}, "Mcp-Name": {"get_item"}}
	w.post(t, "2026-07-28", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_item","arguments":`+withID+
		`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},`+
		`"io.modelcontextprotocol/clientCapabilities":{},`+
		`"traceparent":"00-63616c6c65722773206f776e20747261-7370616e20697473-01"}}}`, later)
	w.call(t, "get_item", `{}`)
	w.call(t, "create_item", creates)
	w.call(t, "delete_item", withID)
	w.call(t, "get_note", `{}`) // its scope was not granted
	w.call(t, "no_such_tool", `{}`)
	w.call(t, "another", `{}`)
	_, calls := w.scrape(t)
	if diff := cmp.Diff([]string{
		`{operation="",outcome="unknown_tool",status="none",tool="unknown"} 2`,
		`{operation="createItem",outcome="recorded",status="4xx",tool="create_item"} 1`,
		`{operation="deleteItem",outcome="upstream_error",status="5xx",tool="delete_item"} 1`,
		`{operation="getItem",outcome="invalid_arguments",status="none",tool="get_item"} 1`,
		`{operation="getItem",outcome="ok",status="2xx",tool="get_item"} 2`,
		`{operation="getNote",outcome="forbidden",status="none",tool="get_note"} 1`,
	}, calls); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	w.stop()
	if got := strings.Count(w.log.String(), `"msg":"call"`); got != 8 {
		t.Errorf("%d events of 8 calls: %s", got, w.log.String())
	}
	spans := w.spans.String()
	for name, want := range map[string]int{
		"tools/call get_item": 3, "tools/call create_item": 1, "tools/call delete_item": 1, "POST": 0,
		"caller's own tra": 1, // the id of the trace that a caller names in its message
	} {
		if got := strings.Count(spans, name); got != want {
			t.Errorf("%d spans are called %q, want %d", got, name, want)
		}
	}
}

// TestNothingIsTold puts a mark into everything that a client, an upstream and
// an operator can choose, and looks for it in all that is told.
//
// clause: E-56, E-57
func TestNothingIsTold(t *testing.T) {
	t.Parallel()
	const mark = "hunter2"
	w := watch(t, shop(), edge.Config{Upstreams: map[string]edge.Upstream{"shop": {
		Credentials: secretFiles(t, map[string]string{"query": mark, "crumb": mark}),
	}}}, nil)
	odd := []string{
		mark, mark + `\u0000\ud83d\ude00`, mark + `\r\nX-Injected: ` + mark, mark + `\"}]`, `../` + mark, mark + `%2F` + mark,
	}
	replies := []http.HandlerFunc{
		respond(200, "application/json", `{"id":"`+mark+`","`+mark+`":1}`),
		respond(200, "application/json", `{"id":1,"`+mark+`":`),
		respond(200, "application/json", `{"id":["`+mark+`"]}`),
		respond(200, mark+"/"+mark, mark),
		respond(404, "application/problem+json", `{"code":"not_here","detail":"`+mark+`"}`),
		respond(500, "text/html", mark),
		func(out http.ResponseWriter, r *http.Request) {
			out.Header().Set("Location", "http://"+mark+"/"+mark)
			out.Header().Set("Set-Cookie", mark+"="+mark)
			out.Header().Set("Retry-After", mark)
			respond(302, "", mark)(out, r)
		},
		raw("HTTP/1.1 200 " + mark + "\r\nContent-Length: " + mark + "\r\n\r\n"),
		raw("HTTP/1.1 " + mark + "\r\n\r\n"),
		raw(mark),
		raw("HTTP/1.1 200 OK\r\n" + mark + "\r\n\r\n" + mark),
		raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 400\r\n\r\n{\"id\":\"" + mark),
		raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + mark),
		raw("HTTP/1.1 200 OK\r\nContent-Encoding: " + mark + "\r\n\r\n" + mark),
		raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: " + mark + "\r\n\r\n" + mark),
	}
	var next http.HandlerFunc
	w.reply = func(out http.ResponseWriter, r *http.Request) { next(out, r) }
	header := http.Header{
		"Traceparent": {mark}, "Tracestate": {"a=" + mark}, "Baggage": {"a=" + mark}, "Cookie": {mark + "=" + mark},
		"User-Agent": {mark}, "X-Forwarded-For": {mark}, "X-" + mark: {mark}, "Referer": {"http://" + mark},
	}
	ask := func(message string) { w.post(t, "2025-11-25", message, header) }
	for _, reply := range replies {
		next = reply
		for _, o := range odd {
			ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":"%s","method":"tools/call","params":{"name":"create_item","arguments":`+
				`{"path":{"id":"%s"},"parameters":{"Idempotency-Key":"%s"},"body":{"name":"%s"}}}}`, mark, o, mark, o))
		}
		ask(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_item","arguments":{"path":{"id":"` + mark + `"}}}}`)
	}
	next = respond(200, "application/json", `{}`)
	panics := strings.Replace(creates, `"x"`, `"`+panicID+mark+`"`, 1)
	for _, message := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + mark + `","arguments":{}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":["` + mark + `"],"arguments":"` + mark + `"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_item","arguments":{"` + mark + `":{"id":1}}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_item","arguments":{"path":"` + mark + `"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_item","arguments":` + panics + `}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_note","arguments":{"path":"` + mark + `"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"` + mark + `","params":{"a":"` + mark + `"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"` + mark + `"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///` + mark + `"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"` + mark + `"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"` + mark + `"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"` + mark + `"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"` + mark + `"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + mark +
			`","clientInfo":{"name":"` + mark + `"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":"` + mark + `"}`,
		`{"jsonrpc":"2.0","id":"` + mark + `","result":"` + mark + `"}`,
		`{"jsonrpc":"2.0","method":"notifications/` + mark + `"}`,
		`{"` + mark, `[` + mark, `{"jsonrpc":"` + mark + `"}`, mark,
	} {
		ask(message)
	}
	wrong := header.Clone()
	wrong.Set("Authorization", "Bearer "+mark)
	w.post(t, "2025-11-25", `{}`, wrong)
	w.post(t, mark, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, header)
	wrong = header.Clone()
	wrong.Set("Host", mark)
	w.post(t, "2025-11-25", `{}`, wrong)
	metrics, _ := w.scrape(t)
	w.stop()
	told := map[string]string{"the log": w.log.String(), "the metrics": metrics, "the spans": w.spans.String()}
	for where, text := range told {
		if !strings.Contains(text, "create_item") {
			t.Errorf("%s tell nothing of the calls: %.300s", where, text)
		}
		for _, secret := range []string{
			mark, token, "X-Injected", base64.StdEncoding.EncodeToString([]byte(mark)), url.QueryEscape(odd[3]),
			"secret of the process",
		} {
			for line := range strings.Lines(text) {
				if strings.Contains(strings.ToLower(line), strings.ToLower(secret)) {
					t.Errorf("%s tells of %q: %s", where, secret, line)
				}
			}
		}
	}
	if where := "not_here"; strings.Contains(metrics+w.spans.String(), where) {
		t.Errorf("metrics or spans have a name that an upstream chose: %s", where)
	}
}

// raw answers with these bytes and closes the connection.
func raw(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if c, _, err := http.NewResponseController(w).Hijack(); err == nil {
			_, _ = io.WriteString(c, text)
			_ = c.Close()
		}
	}
}

func TestObserveConfiguration(t *testing.T) {
	t.Parallel()
	config := edge.Config{
		Path: "/readyz", Upstreams: map[string]edge.Upstream{"shop": {URL: "http://a"}},
		Observe: edge.Observe{Metrics: "0.0.0.0:9464", Traces: "127.0.0.1:4318", Sample: 1.5, Caller: "child"},
	}
	_, err := edge.New(config, shop(), edge.Options{})
	problems, ok := errors.AsType[edge.Problems](err)
	if !ok {
		t.Fatalf("New: %v", err)
	}
	if diff := cmp.Diff(edge.Problems{
		`path: /readyz is where the server tells of its health`,
		`observe.metrics: "0.0.0.0:9464" is not host:port on loopback`,
		`observe.traces: not a URL such as http://127.0.0.1:4318/v1/traces`,
		`observe.sample: 1.5 is not a share from 0 to 1`,
		`observe.caller: "child" is neither "link" nor "parent"`,
	}, problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}
