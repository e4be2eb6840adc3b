package edge

import (
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
		ended := make(chan error, 1)
		go func() { ended <- session.Wait() }()
		select {
		case err = <-ended:
		case <-p.unread():
			err = errUnread
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.failed != nil {
			return p.failed
		}
		return err
	})
}

// errUnread says that the end of the input did not bring about that of a reply.
var errUnread = errors.New("replies that nobody read were cut off")

// pipe is the connection of a client over stdio. The SDK's own gives up on the
// first line that is no message, and drops the replies to calls that are under
// way when the input ends.
type pipe struct {
	server    *Server
	principal *Principal
	lines     chan line
	over      context.Context // ends with the server
	closed    chan struct{}
	close     func()
	ending    <-chan time.Time // when the end waits no longer; nil before
	finished  chan struct{}    // closed when nothing more is read

	writing sync.Mutex // for whole lines of output
	out     io.Writer

	mu      sync.Mutex
	pending map[sdkrpc.ID]*pending
	changed chan struct{} // closed when pending does; nil until somebody waits
	failed  error         // of the input
}

func (s *Server) newPipe(ctx context.Context, in io.Reader, out io.Writer) *pipe {
	scopes := s.config.Authentication.Scopes
	if len(scopes) == 0 {
		scopes = scopesOf(s.catalog)
	}
	p := &pipe{
		server: s, principal: &Principal{Subject: "stdio", Scopes: scopes},
		lines: make(chan line), over: ctx, closed: make(chan struct{}), finished: make(chan struct{}),
		out: out, pending: map[sdkrpc.ID]*pending{},
	}
	p.close = sync.OnceFunc(func() { close(p.closed) })
	go p.scan(in)
	return p
}

// Connect implements mcp.Transport.
func (p *pipe) Connect(context.Context) (mcp.Connection, error) { return p, nil }

// SessionID implements mcp.Connection.
func (p *pipe) SessionID() string { return "" }

// Close implements mcp.Connection.
func (p *pipe) Close() error { p.close(); return nil }

// unread ends when the client had time to read the last reply, and did not.
func (p *pipe) unread() <-chan time.Time {
	late := make(chan time.Time, 1)
	go func() {
		select {
		case <-p.closed:
		case <-p.finished:
			late <- <-time.After(patience)
		}
	}()
	return late
}

// Read implements mcp.Connection. The end of the input waits for the replies.
func (p *pipe) Read(ctx context.Context) (sdkrpc.Message, error) {
	for p.ending == nil {
		select {
		case l, more := <-p.lines:
			if !more {
				return p.end()
			}
			message, err := p.message(l)
			if message != nil || err != nil {
				return message, err
			}
		case <-p.over.Done():
			return p.end()
		case <-p.closed:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return p.end()
}

// message makes a message of a line, or answers a line that is none.
func (p *pipe) message(l line) (sdkrpc.Message, error) {
	line := l.text
	if l.cut {
		return nil, p.refuse(line, jsonrpc.ID(line), http.StatusRequestEntityTooLarge, "the message is too large")
	}
	parsed, err := p.server.parse(line)
	if err != nil {
		return nil, p.refuse(line, jsonrpc.ID(line), http.StatusBadRequest, err.Error())
	}
	message, err := sdkrpc.DecodeMessage(line)
	if err != nil {
		return nil, p.refuse(line, jsonrpc.ID(line), http.StatusBadRequest, "the line is not one JSON-RPC message")
	}
	call, ok := message.(*sdkrpc.Request)
	if !ok {
		return message, nil
	}
	principal := p.server.narrowed(p.over, p.principal)
	q := &request{principal: principal, context: context.Background(), message: parsed}
	call.Extra = &mcp.RequestExtra{TokenInfo: &auth.TokenInfo{
		UserID: principal.Subject, Expiration: time.Now().Add(time.Hour),
		Extra: map[string]any{"request": q},
	}}
	if !call.IsCall() {
		return message, nil
	}
	if refused := p.admit(call, q); refused != nil {
		return nil, p.refuse(line, parsed.ID, refused.Status, refused.Message)
	}
	return message, nil
}

// refuse answers a line in the SDK's place, and tells of the call that it is or
// may have been.
func (p *pipe) refuse(line, id []byte, status int, message string) error {
	p.server.tellRefused(p.over, p.principal, line, status)
	return p.write(refusal(status, id, message))
}

// Write implements mcp.Connection.
func (p *pipe) Write(_ context.Context, message sdkrpc.Message) error {
	data, err := sdkrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	switch message := message.(type) {
	case *sdkrpc.Response:
		p.release(message.ID)
		defer p.answered(message.ID)
	case *sdkrpc.Request:
		defer p.acknowledged(message)
	}
	return p.write(inOurWords(data))
}

// write writes one line.
func (p *pipe) write(data []byte) error {
	p.writing.Lock()
	defer p.writing.Unlock()
	_, err := p.out.Write(append(data, '\n'))
	return err
}
