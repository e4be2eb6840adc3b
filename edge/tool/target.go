package tool

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// target is one document's upstream.
type target struct {
	config    UpstreamConfig
	base      string // without a trailing slash
	scheme    string
	host      string
	path      string // encoded, without a trailing slash
	transport *http.Transport
}

// idleTime is how long an unused connection is kept. Common servers close
// theirs after five seconds; a request that meets such a close is lost, since it
// is not repeated, so ours are closed before.
const idleTime = 4 * time.Second

func newTarget(c UpstreamConfig) (*target, error) {
	u, err := url.Parse(c.BaseURL)
	if err != nil {
		return nil, errors.New("base URL cannot be read")
	}
	path := strings.TrimRight(u.EscapedPath(), "/")
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("base URL must start with http:// or https://")
	case u.Host == "" || u.Hostname() == "":
		return nil, errors.New("base URL must have a host")
	case u.Port() == "" && strings.HasSuffix(u.Host, ":") || !isPort(u.Port()):
		return nil, errors.New("base URL must have a port of at most 65535, or none")
	case u.User != nil:
		return nil, errors.New("base URL must not hold a credential")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return nil, errors.New("base URL must not have a query or fragment")
	case hasDots(path):
		return nil, errors.New("base URL must not have . or .. in its path")
	case c.Timeout < 0 || c.Reply < 0:
		return nil, errors.New("timeout and reply bound must not be negative")
	}
	if c.Timeout == 0 {
		c.Timeout = DefaultTimeout
	}
	if c.Reply == 0 {
		c.Reply = DefaultReply
	}
	if c.UserAgent == "" {
		c.UserAgent = "pharos"
	}
	return &target{
		config: c, base: u.Scheme + "://" + u.Host + path, scheme: u.Scheme, host: u.Host, path: path,
		transport: newTransport(c),
	}, nil
}

// isPort reports whether a URL's port is one, or not there.
func isPort(text string) bool {
	_, err := strconv.ParseUint(text, 10, 16)
	return text == "" || err == nil
}

func newTransport(c UpstreamConfig) *http.Transport {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if c.TLS != nil {
		config = c.TLS.Clone()
	}
	dialer := &net.Dialer{Timeout: min(c.Timeout, 10*time.Second), KeepAlive: 15 * time.Second}
	return &http.Transport{
		DialContext:            quietDial(dialer.DialContext),
		TLSClientConfig:        config,
		TLSHandshakeTimeout:    min(c.Timeout, 10*time.Second),
		MaxIdleConnsPerHost:    256,
		IdleConnTimeout:        idleTime,
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true,
		ForceAttemptHTTP2:      true,
		// A connection of HTTP/2 that fell silent is found out between calls too.
		HTTP2: &http.HTTP2Config{SendPingTimeout: 15 * time.Second, PingTimeout: 5 * time.Second},
	}
}

// covers reports whether a request stays below the base.
func (t *target) covers(r *http.Request) bool {
	u := r.URL
	if u.Scheme != t.scheme || u.Host != t.host || u.User != nil || u.Opaque != "" {
		return false
	}
	if r.Host != "" && r.Host != t.host {
		return false
	}
	path := u.EscapedPath()
	below, ok := strings.CutPrefix(path, t.path)
	return ok && (below == "" || below[0] == '/') && !hasDots(path)
}

// attempt is one request on its way. It lets net/http take a connection once:
// a second one would mean that the request is being repeated.
type attempt struct {
	context context.Context
	cancel  context.CancelFunc
	conns   atomic.Int32
	closed  atomic.Int32 // connections that were, before anything went out
}

// maxClosed bounds how many closed connections one call may come upon.
const maxClosed = 16

func (a *attempt) gotConn(info httptrace.GotConnInfo) {
	if a.conns.Add(1) == 1 {
		q := quietOf(info.Conn)
		if info.Reused && q != nil && !isHTTP2(info.Conn) && !q.quiet(a.context) {
			a.closed.Add(1)
			a.conns.Add(-1) // nothing can go out on it, so another one may be taken
		}
		return
	}
	// HTTP/2 looks at the context before it writes a request, HTTP/1 does not:
	// its connection is ours alone and is taken away.
	a.cancel()
	if !isHTTP2(info.Conn) {
		_ = info.Conn.Close()
	}
}

func isHTTP2(c net.Conn) bool {
	t, ok := c.(*tls.Conn)
	return ok && t.ConnectionState().NegotiatedProtocol == "h2"
}

// roundTrip sends the request. Where its connection turns out to be closed
// before anything went out, net/http takes another one only if there is no body.
func (t *target) roundTrip(a *attempt, request *http.Request) (*http.Response, error) {
	body := request.Body
	for {
		var again bool
		request.Body, again = unread(body)
		before := a.closed.Load()
		response, err := t.transport.RoundTrip(request)
		closed := a.closed.Load()
		if err == nil || !again || a.conns.Load() > 0 || closed == before || closed > maxClosed || a.context.Err() != nil {
			return response, err
		}
	}
}

func (t *target) send(
	ctx context.Context, cancel context.CancelFunc, op *Operation, request *http.Request,
) (Result, error) {
	if !t.covers(request) {
		return Result{}, &SendError{Err: ErrOrigin}
	}
	a := &attempt{context: ctx, cancel: cancel}
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: a.gotConn})
	request = request.WithContext(ctx)
	request.GetBody = nil
	if request.Header.Get("User-Agent") == "" {
		request.Header.Set("User-Agent", t.config.UserAgent)
	}
	if t.config.Apply != nil {
		if err := t.config.Apply(ctx, request, op); err != nil {
			return Result{}, &SendError{Err: err}
		}
		if !t.covers(request) {
			return Result{}, &SendError{Err: ErrOrigin}
		}
	}
	response, err := t.roundTrip(a, request)
	if err != nil {
		conns := a.conns.Load()
		if conns > 1 {
			err = ErrLost
		}
		return Result{}, &SendError{Sent: conns > 0, Err: err}
	}
	defer func() { _ = response.Body.Close() }()
	return readReply(request.Method, response, t.config.Reply)
}
