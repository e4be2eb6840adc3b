package edge

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/pharos-mcp/pharos/internal/drain"
	"github.com/pharos-mcp/pharos/internal/httpguard"
)

// shutdownTime is how long a stopping server waits for calls in flight where
// its configuration says nothing.
const shutdownTime = 30 * time.Second

// Listen opens the configured address, and that of the metrics if they are
// asked for.
func (s *Server) Listen() (net.Listener, error) {
	l, err := drain.Listen(context.Background(), s.config.Listen)
	if err != nil || s.observer.Handler() == nil {
		return l, err
	}
	metrics, err := s.listenMetrics()
	if err != nil {
		_ = l.Close()
		return nil, err
	}
	return &listeners{l, metrics}, nil
}

// listeners are the listener for clients and the one for metrics.
type listeners struct {
	net.Listener
	metrics net.Listener
}

// Close closes both.
func (l *listeners) Close() error { return errors.Join(l.Listener.Close(), l.metrics.Close()) }

// Serve serves the listener until ctx ends. Then it is not ready any more,
// closes the listener after the notice, and lets the calls in flight finish.
// It refuses a listener off loopback where callers are anonymous, and it closes
// the listener in any case. A listener that is not Listen's may lose calls that
// arrive at the moment it is closed.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	if both, ok := l.(*listeners); ok {
		return serveTogether(ctx, both.Listener, both.metrics, s, s)
	}
	return serveTogether(ctx, l, nil, s, s)
}

// ServeTogether serves a handler that leads to several servers, and to whatever
// else, at one listener. All of them stop as one does by Serve: with the longest
// notice that one of them has, and the longest time for calls in flight.
func ServeTogether(ctx context.Context, l net.Listener, h http.Handler, servers ...*Server) error {
	return serveTogether(ctx, l, nil, h, servers...)
}

func serveTogether(ctx context.Context, l, metrics net.Listener, h http.Handler, servers ...*Server) error {
	serve := func(ctx context.Context) error { return serveAll(ctx, l, h, servers) }
	for _, s := range servers {
		if _, ok := s.auth.(Anonymous); ok && !loopbackAddr(l.Addr()) {
			_ = l.Close()
			return fmt.Errorf("%s is not loopback, and callers without a token are served on loopback only", l.Addr())
		}
		next := serve
		serve = func(ctx context.Context) error { return s.observed(ctx, metrics, next) }
	}
	return serve(ctx)
}

func serveAll(ctx context.Context, l net.Listener, h http.Handler, servers []*Server) error {
	server, o := newHTTPServer(h), drain.Options{}
	for _, s := range servers {
		defer context.AfterFunc(ctx, s.sessions.close)() // streams would keep a server from stopping
		// Also a reply that its handler is done with must get out, or be given up.
		arrival := cmp.Or(time.Duration(s.config.Arrival), httpguard.DefaultArrival)
		server.WriteTimeout = max(server.WriteTimeout, arrival+s.limit()+patience)
		o.Notice, o.Patience = max(o.Notice, time.Duration(s.config.Notice)), max(o.Patience, time.Duration(s.config.Shutdown))
	}
	o.Stopping = func() {
		for _, s := range servers {
			s.health.stop()
		}
	}
	return drain.Serve(ctx, l, server, o)
}

// ServeHTTP serves any handler with the time limits that the edge uses for its
// own, until ctx ends and the requests in flight are answered.
func ServeHTTP(ctx context.Context, l net.Listener, h http.Handler) error {
	return drain.Serve(ctx, l, newHTTPServer(h), drain.Options{Patience: shutdownTime})
}

func newHTTPServer(h http.Handler) *http.Server {
	return &http.Server{
		Handler: httpguard.CloseAfterChunks(h), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
	}
}

// URL is where clients reach the server behind a listener's address.
func (s *Server) URL(addr net.Addr) string {
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return ""
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() && len(s.config.Hosts) > 0 {
		host = s.config.Hosts[0]
	}
	return "http://" + net.JoinHostPort(host, port) + s.config.Path
}

// Announce prints the URL and a client configuration that can be pasted into
// an MCP client. A token that was made at start is printed here and nowhere
// else; one that came from a file is not printed.
func (s *Server) Announce(w io.Writer, addr net.Addr) error {
	type client struct {
		Type    string            `json:"type"`
		URL     string            `json:"url"`
		Headers map[string]string `json:"headers,omitempty"`
	}
	c := client{Type: "http", URL: s.URL(addr)}
	switch file := s.config.Authentication.TokenFile; {
	case s.token != "":
		c.Headers = map[string]string{"Authorization": "Bearer " + s.token}
	case file != "":
		c.Headers = map[string]string{"Authorization": "Bearer <the token in " + file + ">"}
	}
	if metrics := s.config.Observe.Metrics; metrics != "" {
		if _, err := fmt.Fprintf(w, "metrics: http://%s/metrics\n", metrics); err != nil {
			return err
		}
	}
	count := ""
	if s.options.Scopes == nil { // else it changes
		count = fmt.Sprintf(" (%d tools)", len(s.tools))
	}
	if _, err := fmt.Fprintf(w, "MCP: %s%s\nMCP client configuration:\n", c.URL, count); err != nil {
		return err
	}
	if s.config.Authentication.Mode == modeOAuth {
		c.URL = s.config.Authentication.Broker.Resource // in front of which there may be TLS
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(map[string]any{"mcpServers": map[string]client{s.catalog.Name: c}})
}
