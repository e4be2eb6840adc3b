//go:build unix

package edge_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pharos-mcp/pharos/edge"
)

// BenchmarkCall is one call of a tool that is one GET of an API, in both eras:
// of a tool that was written by hand for the SDK in its fastest mode, through
// the edge with the SDK answering, and through the edge as it is; and that GET
// through a proxy, which is the least that one more hop costs. The client and
// the API allocate nothing, so the bytes are the server's.
func BenchmarkCall(b *testing.B) {
	api := silentAPI(b, `{"id":"3f2c1e0a","name":"A small thing","count":9007199254740993,"tags":["x","y"],"state":"open"}`)
	target, err := url.Parse(api)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("proxy", func(b *testing.B) {
		proxy := &httputil.ReverseProxy{
			Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(target) },
			Transport: &http.Transport{MaxIdleConnsPerHost: 256},
		}
		benchmark(b, proxy, []byte("GET /items/x HTTP/1.1\r\nHost: localhost\r\n\r\n"))
	})
	for _, era := range eras {
		for _, c := range []struct {
			name    string
			handler http.Handler
		}{
			{"bare", bareTool(api)},
			{"sdk", edgeAt(b, api, true)},
			{"own", edgeAt(b, api, false)},
		} {
			b.Run(era+"/"+c.name, func(b *testing.B) {
				benchmark(b, c.handler, request(era, "tools/call", `"name":"get_item","arguments":`+withID))
			})
		}
	}
}

// BenchmarkLargeReply is a call whose reply has 200 KB.
func BenchmarkLargeReply(b *testing.B) {
	item := `{"id":"3f2c1e0a","name":"A \"small\" thing","count":9007199254740993,"tags":["x","y"],"state":"open"},`
	api := silentAPI(b, `{"items":[`+strings.TrimSuffix(strings.Repeat(item, 2000), ",")+`]}`)
	call := request("2025-11-25", "tools/call", `"name":"list_items","arguments":{}`)
	benchmark(b, edgeAt(b, api, false), call)
}

// BenchmarkList is a list of 1,000 tools, beside a handler that writes as many
// bytes.
func BenchmarkList(b *testing.B) {
	c := shop()
	item := c.Operations[4]
	files := fstest.MapFS{}
	c.Operations = nil
	for i := range 1000 {
		op := item
		op.Tool = fmt.Sprintf("%s_%d", item.Tool, i)
		c.Operations = append(c.Operations, op)
		files["schemas/"+op.Tool+".json"] = &fstest.MapFile{Data: schemaFile(op.Tool, pathID, `"path"`, "Item")}
	}
	c.Schemas = files
	s, err := edge.New(edge.Config{Admission: unbounded}, c, edge.Options{Authenticator: byHeader{}, Exchange: &wire{}})
	if err != nil {
		b.Fatal(err)
	}
	w := httptest.NewRecorder()
	list := request("2025-11-25", "tools/list", "")
	r, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(list)))
	if err != nil {
		b.Fatal(err)
	}
	s.ServeHTTP(w, r)
	b.Run("plain", func(b *testing.B) {
		benchmark(b, http.HandlerFunc(func(o http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			o.Header().Set("Content-Length", fmt.Sprint(w.Body.Len()))
			_, _ = o.Write(w.Body.Bytes())
		}), list)
	})
	b.Run("own", func(b *testing.B) { benchmark(b, s, list) })
}

// unbounded lets benchmarks and fuzzing call as fast as they can.
var unbounded = edge.Admission{CallsPerMinute: -1}

func edgeAt(b *testing.B, api string, sdk bool) http.Handler {
	b.Helper()
	s, err := edge.New(edge.Config{Admission: unbounded, Upstreams: map[string]edge.Upstream{"shop": {URL: api}}}, shop(),
		edge.Options{Authenticator: byHeader{}})
	if err != nil {
		b.Fatal(err)
	}
	if sdk {
		edge.LeaveToSDK(s)
	}
	return s
}

// bareTool is what somebody would write by hand: no schema is checked, and the
// reply is handed on as it is.
func bareTool(api string) http.Handler {
	server := mcp.NewServer(&mcp.Implementation{Name: "bare", Version: "1"}, nil)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}}
	server.AddTool(&mcp.Tool{Name: "get_item", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(ctx context.Context, call *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var in struct {
				Path struct {
					ID string `json:"id"`
				} `json:"path"`
			}
			if err := json.Unmarshal(call.Params.Arguments, &in); err != nil {
				return nil, err
			}
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, api+"/items/"+url.PathEscape(in.Path.ID), nil)
			if err != nil {
				return nil, err
			}
			reply, err := client.Do(r)
			if err != nil {
				return nil, err
			}
			defer func() { _ = reply.Body.Close() }()
			body, err := io.ReadAll(reply.Body)
			if err != nil {
				return nil, err
			}
			return &mcp.CallToolResult{StructuredContent: json.RawMessage(body), Content: []mcp.Content{&mcp.TextContent{Text: string(body)}}}, nil
		})
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
}

// request is one message of HTTP.
func request(era, method, params string) []byte {
	headers := "MCP-Protocol-Version: " + era + "\r\n"
	if era == "2026-07-28" {
		if params != "" {
			headers += "Mcp-Name: get_item\r\n"
			params += ","
		}
		headers += "Mcp-Method: " + method + "\r\n"
		params += `"_meta":{` + metaOf(era) + `}`
	}
	body := `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{` + params + `}}`
	return fmt.Appendf(nil, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+
		"Accept: application/json, text/event-stream\r\nX-Scopes: shop:read shop:write notes:read\r\n%sContent-Length: %d\r\n\r\n%s",
		headers, len(body), body)
}

func benchmark(b *testing.B, h http.Handler, request []byte) {
	server := httptest.NewServer(h)
	b.Cleanup(server.Close)
	address := strings.TrimPrefix(server.URL, "http://")
	warm := newLoader(b, address)
	warm.roundTrip(b, request)
	warm.roundTrip(b, request)
	b.ReportAllocs()
	b.ResetTimer()
	start, used := time.Now(), cpu()
	b.SetParallelism(4)
	b.RunParallel(func(pb *testing.PB) {
		l := newLoader(b, address)
		for pb.Next() {
			l.roundTrip(b, request)
		}
	})
	b.ReportMetric(float64(b.N)/time.Since(start).Seconds(), "calls/s")
	b.ReportMetric(float64((cpu()-used).Microseconds())/float64(b.N), "cpu-µs/call")
}

// cpu is what the process has used, the client and the API among it.
func cpu() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// loader sends the same request over one connection, again and again.
type loader struct {
	c net.Conn
	r *bufio.Reader
}

func newLoader(b *testing.B, address string) *loader {
	c, err := net.Dial("tcp", address)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = c.Close() })
	return &loader{c, bufio.NewReaderSize(c, 64<<10)}
}

func (l *loader) roundTrip(b *testing.B, request []byte) {
	if _, err := l.c.Write(request); err != nil {
		b.Error(err)
		return
	}
	length, ok := head(l.r)
	if _, err := l.r.Discard(length); err != nil || !ok {
		b.Errorf("the reply is not 200 with a length: %v", err)
	}
}

// head reads the head of a request or of a reply, which must be 200, and
// returns the length of its body.
func head(r *bufio.Reader) (length int, ok bool) {
	line, err := r.ReadSlice('\n')
	ok = err == nil && (bytes.HasPrefix(line, []byte("GET ")) || bytes.Contains(line, []byte(" 200 ")))
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return 0, false
		}
		if len(line) == 2 {
			return length, ok
		}
		if value, found := bytes.CutPrefix(line, []byte("Content-Length: ")); found {
			length = 0
			for _, c := range bytes.TrimSpace(value) {
				length = 10*length + int(c-'0')
			}
		}
	}
}

// silentAPI answers every GET with the same body.
func silentAPI(b *testing.B, body string) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = listener.Close() })
	reply := fmt.Appendf(nil, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = c.Close() }()
				for r := bufio.NewReader(c); ; {
					if _, ok := head(r); !ok {
						return
					}
					if _, err := c.Write(reply); err != nil {
						return
					}
				}
			}()
		}
	}()
	return "http://" + listener.Addr().String()
}
