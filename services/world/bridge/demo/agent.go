package demo

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"

	"github.com/coder/acp-go-sdk"
	"github.com/google/uuid"
)

// agent is the acp.Agent. It has one session at a time.
type agent struct {
	conn *acp.AgentSideConnection

	mu      sync.Mutex
	session acp.SessionId
	world   *world             // of the session
	stop    context.CancelFunc // ends its turn; nil without one
	undos   map[string]bool    // the operations that took others back
}

var _ acp.Agent = (*agent)(nil)

// Serve speaks with a client until ctx or the input ends.
func Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	a := &agent{undos: map[string]bool{}}
	ready := make(chan struct{})
	a.conn = acp.NewAgentSideConnection(a, out, gated{in, ready})
	a.conn.SetLogger(slog.New(slog.DiscardHandler))
	close(ready)
	select {
	case <-ctx.Done():
	case <-a.conn.Done():
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stop != nil {
		a.stop()
	}
	if a.world != nil {
		return a.world.close()
	}
	return nil
}

// gated is an input that nothing is read from before the connection is ready.
type gated struct {
	in    io.Reader
	ready <-chan struct{}
}

// Read implements io.Reader.
func (g gated) Read(p []byte) (int, error) {
	<-g.ready
	return g.in.Read(p)
}

// Initialize implements acp.Agent.
func (a *agent) Initialize(context.Context, acp.InitializeRequest) (acp.InitializeResponse, error) {
	return acp.InitializeResponse{
		ProtocolVersion: acp.ProtocolVersionNumber, AgentInfo: &acp.Implementation{Name: "pharos-demo", Version: "1"},
		AgentCapabilities: acp.AgentCapabilities{McpCapabilities: acp.McpCapabilities{Http: true}},
	}, nil
}

// NewSession implements acp.Agent. It connects to the first MCP server.
func (a *agent) NewSession(ctx context.Context, r acp.NewSessionRequest) (acp.NewSessionResponse, error) {
	if len(r.McpServers) == 0 {
		return acp.NewSessionResponse{}, acp.NewInvalidParams("there is no MCP server to build with")
	}
	w, err := connect(ctx, r.McpServers[0])
	if err != nil {
		return acp.NewSessionResponse{}, acp.NewInternalError(err.Error())
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.world != nil {
		_ = a.world.close()
	}
	a.world, a.session = w, acp.SessionId(uuid.NewString())
	return acp.NewSessionResponse{SessionId: a.session}, nil
}

// Prompt implements acp.Agent.
func (a *agent) Prompt(ctx context.Context, r acp.PromptRequest) (acp.PromptResponse, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	a.mu.Lock()
	if a.world == nil || r.SessionId != a.session || a.stop != nil {
		a.mu.Unlock()
		return acp.PromptResponse{}, acp.NewInvalidParams("there is no such session, or it has a turn")
	}
	b := builder{agent: a, world: a.world, session: a.session}
	a.stop = stop
	a.mu.Unlock()
	defer func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.stop = nil
	}()
	text := ""
	for _, block := range r.Prompt {
		if block.Text != nil {
			text += block.Text.Text
		}
	}
	err := b.answer(ctx, text)
	switch {
	case ctx.Err() != nil:
		return acp.PromptResponse{StopReason: acp.StopReasonCancelled}, nil
	case err == nil:
	case errors.Is(err, errConnection):
		return acp.PromptResponse{}, acp.NewInternalError(err.Error())
	default:
		b.say(ctx, "That did not work: %v", err)
	}
	return acp.PromptResponse{StopReason: acp.StopReasonEndTurn}, nil
}

// Cancel implements acp.Agent.
func (a *agent) Cancel(_ context.Context, r acp.CancelNotification) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stop != nil && r.SessionId == a.session {
		a.stop()
	}
	return nil
}

// What else a client may ask, this agent does not know.

// Authenticate implements acp.Agent.
func (*agent) Authenticate(context.Context, acp.AuthenticateRequest) (acp.AuthenticateResponse, error) {
	return acp.AuthenticateResponse{}, acp.NewMethodNotFound(acp.AgentMethodAuthenticate)
}

// CloseSession implements acp.Agent.
func (*agent) CloseSession(context.Context, acp.CloseSessionRequest) (acp.CloseSessionResponse, error) {
	return acp.CloseSessionResponse{}, acp.NewMethodNotFound(acp.AgentMethodSessionClose)
}

// ListSessions implements acp.Agent.
func (*agent) ListSessions(context.Context, acp.ListSessionsRequest) (acp.ListSessionsResponse, error) {
	return acp.ListSessionsResponse{}, acp.NewMethodNotFound(acp.AgentMethodSessionList)
}

// ResumeSession implements acp.Agent.
func (*agent) ResumeSession(context.Context, acp.ResumeSessionRequest) (acp.ResumeSessionResponse, error) {
	return acp.ResumeSessionResponse{}, acp.NewMethodNotFound(acp.AgentMethodSessionResume)
}

// SetSessionConfigOption implements acp.Agent.
func (*agent) SetSessionConfigOption(
	context.Context, acp.SetSessionConfigOptionRequest,
) (acp.SetSessionConfigOptionResponse, error) {
	return acp.SetSessionConfigOptionResponse{}, acp.NewMethodNotFound(acp.AgentMethodSessionSetConfigOption)
}

// SetSessionMode implements acp.Agent.
func (*agent) SetSessionMode(context.Context, acp.SetSessionModeRequest) (acp.SetSessionModeResponse, error) {
	return acp.SetSessionModeResponse{}, acp.NewMethodNotFound(acp.AgentMethodSessionSetMode)
}
