package bridge

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/coder/acp-go-sdk"

	"github.com/pharos-mcp/pharos/services/world/chat"
)

// crew is the agent of one project: a process with one session, started when it
// is needed, and again when it died.
type crew struct {
	config Config

	mu    sync.Mutex
	agent *agent // nil while there is none
}

// agent is a process that runs.
type agent struct {
	process *exec.Cmd
	ended   chan struct{} // closed when it has ended
	conn    *acp.ClientSideConnection
	session acp.SessionId
	ears    *ears
}

// starting is how long an agent may take until it can be asked.
const starting = time.Minute

var errDied = errors.New("The builder's agent ended in the middle of it. Look at the world before you ask again.")

// answer has the agent answer, and speaks as it does.
func (c *crew) answer(ctx context.Context, m chat.Message, say *speech) error {
	a, err := c.ready(ctx)
	if err != nil {
		return err
	}
	a.ears.listen(say)
	defer a.ears.listen(nil)
	asked, forget := context.WithCancel(context.WithoutCancel(ctx))
	defer forget()
	result := make(chan error, 1)
	go func() {
		reply, err := a.conn.Prompt(asked, acp.PromptRequest{SessionId: a.session, Prompt: []acp.ContentBlock{acp.TextBlock(prompt(m))}})
		result <- judge(reply, err)
	}()
	select {
	case err = <-result:
	case <-a.ended:
		err = errDied
	case <-ctx.Done():
		err = c.interrupt(ctx, a, result)
	}
	select {
	case <-a.ended:
		c.forget(a)
		err = errDied
	default:
	}
	return err
}

// judge turns how a turn ended into an error, or none.
func judge(reply acp.PromptResponse, err error) error {
	switch {
	case err != nil:
		return fmt.Errorf("The builder's agent failed: %w", err)
	case reply.StopReason == acp.StopReasonEndTurn:
		return nil
	case reply.StopReason == acp.StopReasonCancelled:
		return errStopped
	default:
		return fmt.Errorf("The builder's agent stopped: %s.", reply.StopReason)
	}
}

// interrupt asks an agent to end its turn, and ends the agent where it does not.
func (c *crew) interrupt(ctx context.Context, a *agent, result <-chan error) error {
	short, end := context.WithTimeout(context.WithoutCancel(ctx), c.config.Grace)
	defer end()
	_ = a.conn.Cancel(short, acp.CancelNotification{SessionId: a.session}) // one that does not hear is ended
	select {
	case <-result:
	case <-a.ended:
	case <-short.Done():
		c.config.Log.Warn("bridge: the agent did not stop, and is ended")
		a.kill()
		<-a.ended
	}
	return context.Cause(ctx)
}

// ready is the agent, started if it has to be.
func (c *crew) ready(ctx context.Context) (*agent, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.agent != nil {
		select {
		case <-c.agent.ended:
		default:
			return c.agent, nil
		}
	}
	a, err := c.start()
	if err != nil {
		return nil, fmt.Errorf("The builder's agent cannot be started: %w", err)
	}
	short, end := context.WithTimeout(ctx, starting)
	defer end()
	if err := a.greet(short, c.config); err != nil {
		a.kill()
		return nil, fmt.Errorf("The builder's agent does not answer: %w", err)
	}
	c.agent = a
	return a, nil
}

// start runs the agent's command.
func (c *crew) start() (*agent, error) {
	a := &agent{process: exec.Command(c.config.Command[0], c.config.Command[1:]...), ended: make(chan struct{})}
	a.process.Dir = c.config.Folder
	a.process.Env = environment(c.config.Environment)
	a.process.WaitDelay = time.Second
	own(a.process)
	in, err := a.process.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := a.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := a.process.Start(); err != nil {
		return nil, err
	}
	a.ears = &ears{tools: c.config.Tools, log: c.config.Log}
	a.conn = acp.NewClientSideConnection(a.ears, in, out)
	a.conn.SetLogger(c.config.Log)
	go func() {
		defer close(a.ended)
		<-a.conn.Done()
		a.kill()
		err := a.process.Wait()
		c.config.Log.Info("bridge: the agent ended", "error", err)
	}()
	return a, nil
}

// environment is what an agent knows of this machine: nothing that could hold a
// key, unless it was named.
func environment(named []string) []string {
	var all []string
	for _, name := range append([]string{"PATH", "HOME", "LANG", "TMPDIR"}, named...) {
		if value, ok := os.LookupEnv(name); ok {
			all = append(all, name+"="+value)
		}
	}
	return all
}

// greet begins a session in which the agent has the world's MCP server.
func (a *agent) greet(ctx context.Context, c Config) error {
	hello, err := a.conn.Initialize(ctx, acp.InitializeRequest{
		ProtocolVersion: acp.ProtocolVersionNumber, ClientInfo: &acp.Implementation{Name: "pharos", Version: "1"},
	})
	if err != nil {
		return err
	}
	server, err := c.Server.told(hello.AgentCapabilities.McpCapabilities.Http)
	if err != nil {
		return err
	}
	session, err := a.conn.NewSession(ctx, acp.NewSessionRequest{Cwd: c.Folder, McpServers: []acp.McpServer{server}})
	a.session = session.SessionId
	return err
}

// told is the server as an agent is told of it, over HTTP where it can that.
func (s Server) told(http bool) (acp.McpServer, error) {
	if !http {
		return acp.McpServer{Stdio: &acp.McpServerStdio{Name: "world", Command: s.Program[0], Args: s.Program[1:], Env: []acp.EnvVariable{}}}, nil
	}
	token, err := s.Token()
	if err != nil {
		return acp.McpServer{}, err
	}
	return acp.McpServer{Http: &acp.McpServerHttpInline{
		Type: "http", Name: "world", Url: s.URL, Headers: []acp.HttpHeader{{Name: "Authorization", Value: "Bearer " + token}},
	}}, nil
}

// forget has the next question start another agent.
func (c *crew) forget(a *agent) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.agent == a {
		c.agent = nil
	}
}

// dismiss ends the agent, if there is one.
func (c *crew) dismiss() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.agent != nil {
		c.agent.kill()
		<-c.agent.ended
	}
}
