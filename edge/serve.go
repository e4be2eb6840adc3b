package edge

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// shutdownTime bounds how long a stopping server waits for calls in flight.
const shutdownTime = 10 * time.Second

// Listen opens the configured address.
func (s *Server) Listen() (net.Listener, error) { return net.Listen("tcp", s.config.Listen) }

// Serve serves the listener until ctx ends, then lets the calls in flight
// finish for a while. It refuses a listener off loopback where callers are
// anonymous, and it closes the listener in any case.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	if _, ok := s.auth.(Anonymous); ok && !loopbackAddr(l.Addr()) {
		_ = l.Close()
		return fmt.Errorf("%s is not loopback, and callers without a token are served on loopback only", l.Addr())
	}
	defer context.AfterFunc(ctx, s.sessions.close)() // streams would keep a server from stopping
	return ServeHTTP(ctx, l, s)
}

// ServeHTTP serves any handler with the time limits that the edge uses for its
// own, until ctx ends.
func ServeHTTP(ctx context.Context, l net.Listener, h http.Handler) error {
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
	}
	stopped := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
		defer cancel()
		if server.Shutdown(patience) != nil {
			_ = server.Close() // what is still open then is a stream that has no end
		}
		close(stopped)
	})
	err := server.Serve(l)
	if stop() || !errors.Is(err, http.ErrServerClosed) {
		return err // it stopped without being asked to
	}
	<-stopped
	return nil
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
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if _, err := fmt.Fprintf(w, "MCP: %s (%d tools)\nMCP client configuration:\n", c.URL, len(s.tools)); err != nil {
		return err
	}
	return encoder.Encode(map[string]any{"mcpServers": map[string]client{s.catalog.Name: c}})
}
