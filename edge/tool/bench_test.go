package tool_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"testing"

	"github.com/pharos-mcp/pharos/edge/tool"
)

var arguments = []byte(`{"path":{"id":"3f2c1e0a-0000-4000-8000-000000000001"},` +
	`"parameters":{"Idempotency-Key":"k-1","tags":["x","y"],"limit":50},"body":{"reason":"done","version":3}}`)

// discard is an Exchange that sends nothing.
type discard struct{}

func (discard) Base(string) string { return "http://api.test/v1" }

func (discard) Send(context.Context, *tool.Operation, *http.Request) (tool.Result, error) {
	return tool.Result{}, nil
}

var ticket = &tool.Operation{Tool: "close_ticket", Document: "d", Replies: []tool.Reply{
	{Status: "200", MediaType: "application/json"}, {Status: "404", MediaType: "application/json"},
}}

// BenchmarkBuild is a request from typed values; its reference is the least
// that net/http needs for the same one.
func BenchmarkBuild(b *testing.B) {
	limit := int64(50)
	b.Run("tool", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r := tool.NewRequest(http.MethodPost, "http://api.test/v1", "/support/tickets/{id}/close", "")
			r.Path("id", tool.Simple, "3f2c1e0a")
			r.Query("tags", tool.Form|tool.Explode, []string{"x", "y"})
			r.Query("limit", tool.Form|tool.Explode, &limit)
			r.Header("Idempotency-Key", tool.Simple, "k-1")
			if _, err := r.Build(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("net", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r, err := http.NewRequest(http.MethodPost,
				"http://api.test/v1/support/tickets/3f2c1e0a/close?tags=x&tags=y&limit=50", nil)
			if err != nil {
				b.Fatal(err)
			}
			r.Header.Set("Idempotency-Key", "k-1")
		}
	})
}

// BenchmarkCall decodes arguments and builds their request.
func BenchmarkCall(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := tool.Call(b.Context(), discard{}, ticket, arguments, new(closeTicket)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkUpstream is a whole call over HTTP/1.1 on loopback; its reference is
// net/http's own client with the same request and reply.
func BenchmarkUpstream(b *testing.B) {
	reply := bytes.Repeat([]byte("x"), 130)
	s := serve(b, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(reply)
	})
	b.Run("tool", func(b *testing.B) {
		u := upstream(b, tool.UpstreamConfig{BaseURL: s.URL})
		b.ReportAllocs()
		for b.Loop() {
			result, err := tool.Call(b.Context(), u, ticket, arguments, new(closeTicket))
			if err != nil || len(result.Body) != len(reply) {
				b.Fatal(result, err)
			}
		}
	})
	b.Run("net", func(b *testing.B) {
		client := &http.Client{Transport: new(http.Transport)}
		b.ReportAllocs()
		for b.Loop() {
			body := bytes.NewReader([]byte(`{"reason":"done","version":3}`))
			r, err := http.NewRequest(http.MethodPost, s.URL+"/support/tickets/1/close?tags=x&tags=y&limit=50", body)
			if err != nil {
				b.Fatal(err)
			}
			r.Header.Set("Idempotency-Key", "k-1")
			response, err := client.Do(r)
			if err != nil {
				b.Fatal(err)
			}
			if data, err := io.ReadAll(response.Body); err != nil || len(data) != len(reply) {
				b.Fatal(err)
			}
			_ = response.Body.Close()
		}
	})
}
