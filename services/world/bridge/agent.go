package bridge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/coder/acp-go-sdk"
)

// agent is a process that runs, and the connection to it.
type agent struct {
	process *exec.Cmd
	in      io.Closer     // what the agent reads
	ended   chan struct{} // closed when the process has ended, and everything it said was heard
	conn    *acp.Connection
	session acp.SessionId
	gate    *gate
	ears    *ears
	whisper *whisper // what it writes to its standard error
	token   string   // that it was told; "" for none
}

// start runs the agent's command.
func start(c Config) (*agent, error) {
	a := &agent{process: exec.Command(c.Command[0], c.Command[1:]...), ended: make(chan struct{}), whisper: &whisper{}}
	a.process.Dir = c.Folder
	a.process.Env = environment(c.Environment)
	a.process.Stderr = a.whisper
	a.process.WaitDelay = time.Second // for a standard error that somebody else holds
	own(a.process)
	in, err := a.process.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, theirs, err := os.Pipe() // not the process's own, which loses what was said last
	if err != nil {
		_ = in.Close()
		return nil, err
	}
	a.process.Stdout, a.in = theirs, in
	a.gate = newGate(out, a.ended, c.Log)
	started := make(chan error, 1)
	go a.run(out, theirs, started, c.Log)
	if err := <-started; err != nil {
		_, _ = in.Close(), out.Close()
		return nil, err
	}
	a.ears = &ears{tools: c.Tools, gate: a.gate, log: c.Log}
	conn := acp.NewConnection(a.ears.hear, mouth{to: in, end: a.end, gate: a.gate}, a.gate)
	conn.SetLogger(slog.New(slog.DiscardHandler)) // it would quote what is said
	a.conn = conn
	close(a.gate.open)
	go func() {
		<-conn.Done() // who closes its output has ended, too
		a.end()
	}()
	return a, nil
}

// run starts the process, and waits for its end. It has a thread of its own: a
// process may be made to die with the thread that started it.
func (a *agent) run(out, theirs *os.File, started chan<- error, log *slog.Logger) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := a.process.Start()
	_ = theirs.Close()
	started <- err
	if err != nil {
		return
	}
	defer close(a.ended)
	err = a.process.Wait()
	a.end() // what it started, and left
	<-a.gate.open
	select {
	case <-a.conn.Done():
	case <-time.After(time.Second): // somebody else holds its output
	}
	_ = out.Close()
	<-a.conn.Done()
	log.Info("bridge: the agent ended", "how", fmt.Sprint(a.process.ProcessState), "error", err)
}

// gone reports whether the agent ended, or ends.
func (a *agent) gone() bool {
	select {
	case <-a.conn.Done():
		<-a.ended
		return true
	case <-a.ended:
		return true
	default:
		return false
	}
}

// quit has the agent end by itself, and ends it where it does not.
func (a *agent) quit(patience time.Duration) {
	_ = a.in.Close()
	select {
	case <-a.ended:
	case <-time.After(patience):
		a.end()
		<-a.ended
	}
}

// quote is what an agent said of a failure, short and without its key.
func (a *agent) quote(text string) string {
	if a.token != "" {
		text = strings.ReplaceAll(text, a.token, "…")
	}
	return brief(text)
}

// environment is what an agent knows of this machine: nothing that could hold a
// key, unless it was named.
func environment(named []string) []string {
	all := []string{} // nil would be everything
	for _, name := range append([]string{"PATH", "HOME", "LANG", "TMPDIR"}, named...) {
		if value, ok := os.LookupEnv(name); ok {
			all = append(all, name+"="+value)
		}
	}
	return all
}

// greet begins a session in which the agent has the world's MCP server.
func (a *agent) greet(ctx context.Context, c Config) error {
	hello, err := acp.SendRequest[acp.InitializeResponse](a.conn, ctx, acp.AgentMethodInitialize, acp.InitializeRequest{
		ProtocolVersion: acp.ProtocolVersionNumber, ClientInfo: &acp.Implementation{Name: "pharos", Version: "1"},
	})
	if err != nil {
		return err
	}
	if hello.ProtocolVersion != acp.ProtocolVersionNumber {
		return fmt.Errorf("it speaks version %d of the protocol, and version %d is needed", hello.ProtocolVersion, acp.ProtocolVersionNumber)
	}
	var server acp.McpServer
	server, a.token, err = c.Server.told(hello.AgentCapabilities.McpCapabilities.Http)
	if err != nil {
		return err
	}
	session, err := acp.SendRequest[acp.NewSessionResponse](a.conn, ctx, acp.AgentMethodSessionNew, acp.NewSessionRequest{
		Cwd: c.Folder, McpServers: []acp.McpServer{server},
	})
	a.session = session.SessionId
	if needed, ok := errors.AsType[*acp.RequestError](err); ok && needed.Code == acp.NewAuthRequired(nil).Code {
		return errors.New("it wants somebody to log in; start it by hand once, as the user that runs the bridge")
	}
	return err
}
