package edge

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdkrpc "github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pharos-mcp/pharos/internal/jsonrpc"
)

// ForStdio is the configuration for a server that is served over stdio alone:
// what is about listening and about tokens is left out.
func (c Config) ForStdio() Config {
	c.Listen, c.Path, c.Hosts, c.Origins = "", "", nil, nil
	c.Authentication = Authentication{Mode: modeAnonymous, Scopes: c.Authentication.Scopes}
	return c
}

// ServeStdio serves one client over two streams, a message a line, until the
// input or ctx ends; every call that was read before that is answered. The
// client is whoever started the process: it is not authenticated, is granted
// what Authentication.Scopes say, and everything else is as over HTTP.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	if s.sessions != nil {
		return errors.New("a server that keeps sessions is not served over stdio")
	}
	return s.observed(ctx, nil, func(ctx context.Context) error {
		p := s.newPipe(ctx, in, out)
		session, err := s.protocolServer().Connect(context.WithoutCancel(ctx), p, nil)
		if err != nil {
			return err
		}
		err = session.Wait()
		if p.failed != nil {
			return p.failed
		}
		return err
	})
}

// pipe is the connection of a client over stdio. The SDK's own gives up on the
// first line that is no message, and drops the replies to calls that are under
// way when the input ends.
type pipe struct {
	server    *Server
	principal *Principal
	lines     chan []byte
	over      context.Context // ends with the server
	closed    chan struct{}
	close     func()

	mu      sync.Mutex // for what follows, and for whole lines of output
	out     io.Writer
	pending map[sdkrpc.ID]func() // what their places are let go with
	idle    chan struct{}        // closed when nothing is pending; nil until somebody waits
	failed  error                // of the input
}

func (s *Server) newPipe(ctx context.Context, in io.Reader, out io.Writer) *pipe {
	scopes := s.config.Authentication.Scopes
	if len(scopes) == 0 {
		scopes = scopesOf(s.catalog)
	}
	p := &pipe{
		server: s, principal: &Principal{Subject: "stdio", Scopes: scopes},
		lines: make(chan []byte), over: ctx, closed: make(chan struct{}),
		out: out, pending: map[sdkrpc.ID]func(){},
	}
	p.close = sync.OnceFunc(func() { close(p.closed) })
	go p.scan(in)
	return p
}

// scan reads lines until the input ends. A line over the bound of a request's
// body ends it too: what follows could not be told from its rest.
func (p *pipe) scan(in io.Reader) {
	defer close(p.lines)
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, int(p.server.bodyLimit()))
	for scanner.Scan() {
		if len(scanner.Bytes()) == 0 {
			continue
		}
		select {
		case p.lines <- append([]byte(nil), scanner.Bytes()...):
		case <-p.closed:
			return
		}
	}
	if err := scanner.Err(); err != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.failed = err
	}
}

// Connect implements mcp.Transport.
func (p *pipe) Connect(context.Context) (mcp.Connection, error) { return p, nil }

// SessionID implements mcp.Connection.
func (p *pipe) SessionID() string { return "" }

// Close implements mcp.Connection.
func (p *pipe) Close() error { p.close(); return nil }

// Read implements mcp.Connection. The end of the input waits for the replies.
func (p *pipe) Read(ctx context.Context) (sdkrpc.Message, error) {
	for {
		select {
		case line, more := <-p.lines:
			if !more {
				return nil, p.end()
			}
			message, err := p.message(line)
			if message != nil || err != nil {
				return message, err
			}
		case <-p.over.Done():
			return nil, p.end()
		case <-p.closed:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// message makes a message of a line, or answers a line that is none.
func (p *pipe) message(line []byte) (sdkrpc.Message, error) {
	parsed, err := jsonrpc.Parse(line)
	if err != nil {
		return nil, p.write(refusal(http.StatusBadRequest, jsonrpc.ID(line), err.Error()))
	}
	message, err := sdkrpc.DecodeMessage(line)
	if err != nil {
		return nil, p.write(refusal(http.StatusBadRequest, jsonrpc.ID(line), "the line is not one JSON-RPC message"))
	}
	call, ok := message.(*sdkrpc.Request)
	if !ok {
		return message, nil
	}
	q := &request{principal: p.principal, context: context.Background(), message: parsed}
	call.Extra = &mcp.RequestExtra{TokenInfo: &auth.TokenInfo{
		UserID: p.principal.Subject, Expiration: time.Now().Add(time.Hour),
		Extra: map[string]any{"request": q},
	}}
	if !call.IsCall() || call.Method == "subscriptions/listen" { // which has no reply of its own
		return message, nil
	}
	if err := p.admit(call.ID); err != nil {
		return nil, p.write(refusal(err.Status, parsed.ID, err.Message))
	}
	return message, nil
}

// admit lets a call in, within the bounds of any caller (E-58).
func (p *pipe) admit(id sdkrpc.ID) *Refusal {
	p.mu.Lock()
	_, taken := p.pending[id]
	p.mu.Unlock()
	if taken {
		return &Refusal{Status: http.StatusBadRequest, Message: "the id is that of a call under way"}
	}
	release, err := p.server.gate.callers.Admit(p.over, p.principal.Subject)
	if err != nil {
		after := http.Header{}
		refusal := p.server.turnAway(p.over, after, err)
		refusal.Message += "; try again after " + after.Get("Retry-After") + " s"
		return refusal
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pending[id] = release
	return nil
}

// end waits until every call is answered, for as long as one may take.
func (p *pipe) end() error {
	p.mu.Lock()
	idle := make(chan struct{})
	if len(p.pending) == 0 {
		close(idle)
	} else {
		p.idle = idle
	}
	p.mu.Unlock()
	select {
	case <-idle:
	case <-p.closed:
	case <-time.After(time.Duration(p.server.config.Timeout) + patience):
	}
	return io.EOF
}

// Write implements mcp.Connection.
func (p *pipe) Write(_ context.Context, message sdkrpc.Message) error {
	data, err := sdkrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	if response, ok := message.(*sdkrpc.Response); ok {
		p.release(response.ID)
		defer p.answered(response.ID)
	}
	return p.write(data)
}

// release frees the place of a call, before its reply is out: a client that
// sends its next call as soon as it has read a reply must not meet itself.
func (p *pipe) release(id sdkrpc.ID) {
	p.mu.Lock()
	release := p.pending[id]
	p.mu.Unlock()
	if release != nil {
		release()
	}
}

// answered notes that a reply is out. The end waits for the last one.
func (p *pipe) answered(id sdkrpc.ID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.pending, id)
	if p.idle != nil && len(p.pending) == 0 {
		close(p.idle)
		p.idle = nil
	}
}

// write writes one line.
func (p *pipe) write(data []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := p.out.Write(append(data, '\n'))
	return err
}
