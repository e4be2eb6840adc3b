package edge_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/pharos-mcp/pharos/edge"
	"github.com/pharos-mcp/pharos/edge/tool"
)

// clause: E-10, E-12, E-13
func TestArguments(t *testing.T) {
	t.Parallel()
	pad := func(total int) string {
		const start, end = `{"path":{"id":"`, `"}}`
		return start + strings.Repeat("p", total-len(start)-len(end)) + end
	}
	for name, c := range map[string]struct {
		tool, arguments string
		code            string // "" if it is sent
	}{
		"as declared":          {"create_item", creates, ""},
		"none":                 {"list_items", `{}`, ""},
		"null":                 {"list_items", `null`, ""},
		"an unknown group":     {"get_item", `{"path":{"id":"x"},"query":{}}`, "invalid_arguments"},
		"an unknown field":     {"get_item", `{"path":{"id":"x","extra":1}}`, "invalid_arguments"},
		"an unknown body":      {"create_item", strings.Replace(creates, `"name"`, `"nom":1,"name"`, 1), "invalid_arguments"},
		"no key":               {"create_item", strings.Replace(creates, `"Idempotency-Key":"k",`, ``, 1), "invalid_arguments"},
		"no revision":          {"create_item", strings.Replace(creates, `,"If-Match":"0"`, ``, 1), ""},
		"the wrong type":       {"get_item", `{"path":{"id":1}}`, "invalid_arguments"},
		"another letter case":  {"get_item", `{"Path":{"id":"x"}}`, "invalid_arguments"},
		"a member twice":       {"get_item", `{"path":{"id":"x","id":"y"}}`, "invalid_arguments"},
		"not an object":        {"get_item", `[]`, "invalid_arguments"},
		"a path that climbs":   {"get_item", `{"path":{"id":".."}}`, "invalid_arguments"},
		"a path with a slash":  {"get_item", `{"path":{"id":"a/b"}}`, "invalid_arguments"},
		"a header with a line": {"create_item", strings.Replace(creates, `"k"`, `"k\r\nX: y"`, 1), "invalid_arguments"},
		"at the bound":         {"get_item", pad(64 << 10), ""},
		"over the bound":       {"get_item", pad(64<<10 + 1), "arguments_too_large"},
		"far over the bound":   {"get_item", pad(900 << 10), "arguments_too_large"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t, shop(), edge.Config{}, respond(204, "", ""))
			a := b.call(t, c.tool, c.arguments)
			envelope, sent := a.envelope(t), int64(0)
			if c.code == "" {
				sent = 1
			}
			if got := b.sent.Load(); got != sent || a.Result.IsError != (c.code != "") {
				t.Errorf("the upstream saw %d requests, want %d: %s", got, sent, envelope)
			}
			if c.code != "" && (!strings.Contains(envelope, `"code":"`+c.code+`"`) ||
				strings.Contains(envelope, "outcome_unknown") || strings.Contains(envelope, `"status"`) ||
				!strings.Contains(envelope, "nothing was sent")) {
				t.Errorf("got %s, want code %s, no status, and that nothing was sent", envelope, c.code)
			}
		})
	}
}

// clause: E-13
func TestBodyBound(t *testing.T) {
	t.Parallel()
	b := setup(t, shop(), edge.Config{}, respond(204, "", ""))
	for size, want := range map[int]int{1 << 20: 200, 1<<20 + 1: 413} {
		message := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
		message += strings.Repeat(" ", size-len(message))
		if a := b.post(t, "2025-11-25", message, nil); a.Status != want {
			t.Errorf("%d bytes: status %d, want %d", size, a.Status, want)
		}
	}
}

// clause: E-10, E-12
func TestWhatIsSent(t *testing.T) {
	t.Parallel()
	requests := make(chan string, 1)
	b := setup(t, shop(), edge.Config{}, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		requests <- fmt.Sprintf("%s %s key=%s match=%s %s",
			r.Method, r.RequestURI, r.Header.Get("Idempotency-Key"), r.Header.Get("If-Match"), body)
		w.WriteHeader(http.StatusNoContent)
	})
	b.call(t, "create_item", `{"path":{"id":"a b"},"parameters":{"If-Match":"0","Idempotency-Key":"k"},`+
		`"body":{"count":9007199254740993,"name":"n"}}`)
	want := `PUT /base/items/a%20b key=k match=0 {"count":9007199254740993,"name":"n"}`
	if got := <-requests; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// clause: E-19
func TestNoReply(t *testing.T) {
	t.Parallel()
	hang := func(w http.ResponseWriter, _ *http.Request) {
		c, _, _ := http.NewResponseController(w).Hijack()
		_ = c.Close()
	}
	t.Run("lost", func(t *testing.T) {
		t.Parallel()
		b := setup(t, shop(), edge.Config{}, hang)
		for _, c := range []struct {
			tool, arguments, id string
			unknown             bool
		}{
			{"get_item", withID, "getItem", false},
			{"create_item", creates, "createItem", true},
			{"delete_item", withID, "deleteItem", true},
		} {
			want := problemOf(c.id, 0, "upstream_lost", "the API's answer was lost", c.unknown)
			if got := b.call(t, c.tool, c.arguments).envelope(t); !sameJSON(got, want) {
				t.Errorf("%s: got %s, want %s", c.tool, got, want)
			}
		}
		if got := b.sent.Load(); got != 3 {
			t.Errorf("the upstream saw %d requests for 3 calls", got)
		}
	})
	t.Run("nobody there", func(t *testing.T) {
		t.Parallel()
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		_ = l.Close()
		b := setup(t, shop(), edge.Config{Upstreams: map[string]edge.Upstream{"shop": {URL: "http://" + l.Addr().String()}}}, hang)
		want := problemOf("createItem", 0, "upstream_unreachable", "the API could not be reached; nothing was sent", false)
		if got := b.call(t, "create_item", creates).envelope(t); !sameJSON(got, want) {
			t.Errorf("got %s, want %s", got, want)
		}
	})
	for name, config := range map[string]edge.Config{
		"too late for the call":     {Timeout: edge.Duration(time.Second)},
		"too late for the upstream": {Upstreams: map[string]edge.Upstream{"shop": {Timeout: edge.Duration(time.Second)}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t, shop(), config, func(_ http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				<-r.Context().Done()
			})
			want := problemOf("createItem", 0, "upstream_timeout", "the API did not answer in time", true)
			if got := b.call(t, "create_item", creates).envelope(t); !sameJSON(got, want) {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestCancellationReachesTheUpstream(t *testing.T) {
	t.Parallel()
	for _, era := range eras {
		arrived, ended := make(chan struct{}), make(chan struct{})
		b := setup(t, shop(), edge.Config{}, func(_ http.ResponseWriter, r *http.Request) {
			close(arrived)
			<-r.Context().Done()
			close(ended)
		})
		ctx, cancel := context.WithCancel(t.Context())
		message := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_item","arguments":` + withID +
			`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
		if era == "2025-11-25" {
			message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_item","arguments":` + withID + `}}`
		}
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, b.url, strings.NewReader(message))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = http.Header{
			"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
			"Authorization": {"Bearer " + token}, "Mcp-Protocol-Version": {era},
			"Mcp-Method": {"tools/call"}, "Mcp-Name": {"get_item"},
		}
		go func() { <-arrived; cancel() }()
		if response, err := http.DefaultClient.Do(r); err == nil {
			body, _ := io.ReadAll(response.Body)
			t.Fatalf("%s: got status %d %s, want the request to be cut", era, response.StatusCode, body)
		}
		select {
		case <-ended:
		case <-time.After(5 * time.Second):
			t.Errorf("%s: the upstream's request goes on", era)
		}
	}
}

// clause: E-19
func TestPanicsStayInside(t *testing.T) {
	t.Parallel()
	b := setup(t, shop(), edge.Config{}, respond(201, "application/json", `{"id":"x"}`))
	for _, c := range []struct{ tool, arguments, want string }{
		{"get_item", strings.Replace(withID, "x", panicID, 1), problemOf("getItem", 0, "internal", "internal error", false)},
		{"create_item", strings.Replace(creates, `"x"`, `"`+panicID+`"`, 1), problemOf("createItem", 0, "internal", "internal error", true)},
	} {
		if got := b.call(t, c.tool, c.arguments).envelope(t); !sameJSON(got, c.want) {
			t.Errorf("%s: got %s, want %s", c.tool, got, c.want)
		}
	}
	log := b.log.String()
	if strings.Count(log, `"error":"panic: a value of type string\n`) != 2 || strings.Count(log, "edge_test.dispatch(") != 2 {
		t.Errorf("the log does not say what happened, and where: %s", log)
	}
	if strings.Contains(log, "secret of the process") {
		t.Errorf("the log repeats what was thrown: %s", log)
	}
}

// clause: E-54, E-56
func TestAuthority(t *testing.T) { // fault I35
	t.Parallel()
	files := secretFiles(t, map[string]string{"header": "G1\n", "query": "a&b", "crumb": "c1", "basic": "user:pass"})
	for name, c := range map[string]struct {
		credentials []string
		tool, want  string
	}{
		"none configured":        {nil, "get_item", `/base/items/x auth= key= cookie=`},
		"a header":               {[]string{"header"}, "get_item", `/base/items/x auth= key=G1 cookie=`},
		"two together":           {[]string{"query", "crumb"}, "get_item", `/base/items/x?api+key=a%26b auth= key= cookie=crumb=c1`},
		"half of an alternative": {[]string{"query"}, "get_item", `/base/items/x auth= key= cookie=`},
		"basic":                  {[]string{"basic"}, "get_item", `/base/items/x auth=Basic dXNlcjpwYXNz key= cookie=`},
		"the first alternative":  {[]string{"basic", "header"}, "get_item", `/base/items/x auth= key=G1 cookie=`},
		"an open operation":      {[]string{"header"}, "get_blob", `/base/blob auth= key= cookie=`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			requests := make(chan string, 1)
			credentials := map[string]string{}
			for _, scheme := range c.credentials {
				credentials[scheme] = files[scheme]
			}
			b := setup(t, shop(), edge.Config{Upstreams: map[string]edge.Upstream{"shop": {Credentials: credentials}}},
				func(w http.ResponseWriter, r *http.Request) {
					requests <- fmt.Sprintf("%s auth=%s key=%s cookie=%s", r.RequestURI,
						r.Header.Get("Authorization"), r.Header.Get("X-Api-Key"), r.Header.Get("Cookie"))
					for _, values := range r.Header {
						if strings.Contains(strings.Join(values, " "), token) {
							t.Errorf("the caller's token reached the upstream: %v", r.Header)
						}
					}
					w.WriteHeader(http.StatusNoContent)
				})
			arguments := withID
			if c.tool == "get_blob" {
				arguments = `{}`
			}
			message := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, c.tool, arguments)
			b.post(t, "2025-11-25", message, http.Header{"Cookie": {"crumb=mine"}, "X-Api-Key": {"mine"}})
			if got := <-requests; got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// clause: E-56
func TestSecretsStayHome(t *testing.T) {
	t.Parallel()
	files := secretFiles(t, map[string]string{"header": "G1"})
	c, err := edge.NewCredentials(shop().Documents[0], "https://api.example.org/v1", files)
	if err != nil {
		t.Fatal(err)
	}
	op := &shop().Operations[0]
	for target, ok := range map[string]bool{
		"https://api.example.org/v1/x":      true,
		"http://api.example.org/v1/x":       false,
		"https://api.example.org:8443/v1/x": false,
		"https://evil.example/v1/x":         false,
	} {
		r := httptest.NewRequest(http.MethodGet, target, nil)
		if err := c.Apply(t.Context(), r, op); (err == nil) != ok || (r.Header.Get("X-Api-Key") == "G1") != ok {
			t.Errorf("%s: error %v, header %q; want a secret: %v", target, err, r.Header.Get("X-Api-Key"), ok)
		}
	}
}

// What arguments put where a secret belongs is taken out, whether the secret is
// configured or not.
//
// clause: E-04
func TestArgumentsAreNoSecrets(t *testing.T) {
	t.Parallel()
	document, op := shop().Documents[0], &tool.Operation{Document: "shop"}
	all := secretFiles(t, map[string]string{"query": "Q", "crumb": "C"})
	for _, configured := range []bool{false, true} {
		files := map[string]string{}
		if configured {
			files = all
		}
		c, err := edge.NewCredentials(document, "http://a", files)
		if err != nil {
			t.Fatal(err)
		}
		var key, crumb string
		for _, s := range document.Schemes {
			switch s.In {
			case "query":
				key = s.Key
			case "cookie":
				crumb = s.Key
			}
		}
		r := httptest.NewRequest(http.MethodGet, "http://a/x?a=%2C&"+url.QueryEscape(key)+"=mine&b=,", nil)
		r.Header.Set("Cookie", "a=1; "+crumb+"=mine; b=2")
		if err := c.Apply(t.Context(), r, op); err != nil {
			t.Fatal(err)
		}
		query, cookie := "a=%2C&b=,", "a=1; b=2"
		if configured {
			query, cookie = query+"&"+url.QueryEscape(key)+"=Q", cookie+"; "+crumb+"=C"
		}
		if r.URL.RawQuery != query || r.Header.Get("Cookie") != cookie {
			t.Errorf("configured %v: got %q and %q, want %q and %q", configured, r.URL.RawQuery, r.Header.Get("Cookie"), query, cookie)
		}
	}
}

// What cannot be read of a reply may repeat a secret, and the name of a tool
// that there is none of is whatever a caller sends.
//
// clause: E-16, E-56
func TestNothingIsRepeated(t *testing.T) {
	t.Parallel()
	b := setup(t, shop(), edge.Config{}, func(w http.ResponseWriter, _ *http.Request) {
		c, _, _ := http.NewResponseController(w).Hijack()
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nX-Api-Key S3CRET \"x\" S3CRET\r\n\r\n")
		_ = c.Close()
	})
	const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`
	b.post(t, "2025-11-25", fmt.Sprintf(message, "get_item", withID), nil)
	if log := b.log.String(); strings.Contains(log, "S3CRET") || !strings.Contains(log, "malformed MIME header") {
		t.Errorf("logged %s", log)
	}
	got := b.post(t, "2025-11-25", fmt.Sprintf(message, strings.Repeat("x", 1000), "{}"), nil)
	if len(got.Body) > 200 || !strings.Contains(got.Body, "unknown tool") {
		t.Errorf("an unknown tool: %s", got.Body)
	}
}
