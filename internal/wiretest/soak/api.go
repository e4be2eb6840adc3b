package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// patience is the edge's time for one request to the API. It is long, so that only the API's silence exceeds it and not a busy machine.
const patience = 10 * time.Second

// fate is what becomes of a call at the API, and what its caller is told.
type fate struct {
	share int    // of ten thousand
	code  string // "" for a result
	open  bool   // a write's outcome is unknown
	serve func(w http.ResponseWriter, r *http.Request, id string)
}

// fates are all of them. Their shares come to ten thousand.
var fates = []fate{
	{share: 8409, serve: fine},
	{share: 200, serve: slow},
	{share: 200, code: "unavailable", serve: unavailable},
	{share: 200, code: "upstream_502", open: true, serve: text(http.StatusBadGateway, "text/html", "<h1>bad gateway</h1>")},
	{share: 150, code: "upstream_307", open: true, serve: text(http.StatusTemporaryRedirect, "", "")},
	{share: 150, code: "invalid_response", open: true, serve: text(http.StatusOK, "application/json", `{"id":1}`)},
	{share: 150, code: "invalid_response", open: true, serve: text(http.StatusOK, "text/html", "<p>")},
	{share: 150, code: "upstream_lost", open: true, serve: broken("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", false)},
	{share: 150, code: "upstream_lost", open: true, serve: broken("", false)},
	{share: 150, code: "upstream_lost", open: true, serve: broken("", true)},
	{share: 50, code: "response_too_large", open: true, serve: large},
	{share: 40, code: "response_too_large", open: true, serve: bomb},
	{share: 1, code: "upstream_timeout", open: true, serve: silent},
}

// fateOf is the fate of a call, by its number.
func fateOf(n uint64) *fate {
	at := int((n * 0x9e3779b97f4a7c15 >> 32) % 10000)
	for i := range fates {
		if at -= fates[i].share; at < 0 {
			return &fates[i]
		}
	}
	panic("the shares of fates do not come to ten thousand")
}

// most is how many calls a run may have.
const most = 1 << 28

// api is the upstream: tickets whose identifiers are the numbers of calls.
type api struct {
	server   *http.Server
	listener net.Listener
	arrived  []atomic.Uint64 // one bit a call
	repeated atomic.Int64
}

func newAPI() (*api, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	a := &api{listener: l, arrived: make([]atomic.Uint64, most/64)}
	a.server = &http.Server{Handler: a, ReadHeaderTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0)}
	go func() { _ = a.server.Serve(l) }()
	return a, nil
}

func (a *api) url() string { return "http://" + a.listener.Addr().String() + "/v1" }

func (a *api) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if a.server.Shutdown(ctx) != nil {
		_ = a.server.Close()
	}
}

// has reports whether a call has arrived.
func (a *api) has(n uint64) bool { return a.arrived[n/64].Load()&(1<<(n%64)) != 0 }

// ServeHTTP notes the call and lets its fate have it.
func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, id, _ := strings.Cut(r.URL.Path, "/support/tickets/")
	n, err := numberOf(id)
	if err != nil || n >= most {
		http.Error(w, "no such ticket", http.StatusTeapot)
		return
	}
	_, _ = io.Copy(io.Discard, r.Body)
	if bit := uint64(1) << (n % 64); a.arrived[n/64].Or(bit)&bit != 0 {
		a.repeated.Add(1)
	}
	fateOf(n).serve(w, r, id)
}

// identifier is the ticket's UUID of a call.
func identifier(n uint64) string { return fmt.Sprintf("00000000-0000-4000-8000-%012x", n) }

func numberOf(id string) (uint64, error) {
	return strconv.ParseUint(id[strings.LastIndexByte(id, '-')+1:], 16, 64)
}

// words are what tickets are about.
var words = strings.Repeat("it does not work; ", 40)

func fine(w http.ResponseWriter, r *http.Request, id string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("ETag", `"1"`)
	if r.Method == http.MethodPut {
		w.WriteHeader(http.StatusCreated)
	}
	_, _ = fmt.Fprintf(w, `{"id":%q,"title":"a ticket","body":%q,"status":"open","revision":1,"comments":0,`+
		`"created_at":"2026-01-02T03:04:05Z","updated_at":"2026-01-02T03:04:05Z"}`, id, words)
}

func slow(w http.ResponseWriter, r *http.Request, id string) {
	pause(r.Context(), 50*time.Millisecond)
	fine(w, r, id)
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

func unavailable(w http.ResponseWriter, _ *http.Request, _ string) {
	w.Header().Set("Content-Type", "application/problem+json")
	w.WriteHeader(http.StatusServiceUnavailable)
	_, _ = io.WriteString(w, `{"code":"unavailable","title":"not now","status":503}`)
}

func text(status int, mediaType, body string) func(http.ResponseWriter, *http.Request, string) {
	return func(w http.ResponseWriter, r *http.Request, _ string) {
		status := status
		if status == http.StatusOK && r.Method == http.MethodPut {
			status = http.StatusCreated
		}
		w.Header().Set("Content-Type", mediaType)
		w.Header().Set("Location", "/v1/elsewhere")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// broken takes the connection away, after some of a reply or by a reset.
func broken(reply string, reset bool) func(http.ResponseWriter, *http.Request, string) {
	return func(w http.ResponseWriter, _ *http.Request, _ string) {
		c, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		_, _ = io.WriteString(c, reply)
		if tcp, ok := c.(*net.TCPConn); ok && reset {
			_ = tcp.SetLinger(0)
		}
		_ = c.Close()
	}
}

func large(w http.ResponseWriter, _ *http.Request, _ string) {
	w.Header().Set("Content-Type", "application/json")
	for block := bytes.Repeat([]byte(" "), 64<<10); ; {
		if _, err := w.Write(block); err != nil {
			return
		}
	}
}

// packed is 4 MiB of nothing.
var packed = func() []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(make([]byte, 4<<20))
	_ = z.Close()
	return b.Bytes()
}()

func bomb(w http.ResponseWriter, _ *http.Request, _ string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Encoding", "gzip")
	_, _ = w.Write(packed)
}

func silent(_ http.ResponseWriter, r *http.Request, _ string) { pause(r.Context(), time.Minute) }
