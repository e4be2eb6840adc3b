package bridge

import (
	"context"
	"errors"
	"fmt"
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
	agent *agent // nil before the first
}

// lastWords is how long those of an agent that ended may be on their way.
const lastWords = time.Second

var (
	errDied = errors.New("the builder's agent ended in the middle of it; look at the world before you ask again")
	errMuch = errors.New("the builder's agent said too much and was ended; look at the world before you ask again")
)

// answer has the agent answer, and speaks as it does.
func (c *crew) answer(ctx context.Context, m chat.Message, say *speech) error {
	a, err := c.ready(ctx)
	if err != nil {
		return err
	}
	a.gate.refill()
	a.ears.listen(say)
	defer a.ears.listen(nil)
	asked, forget := context.WithCancel(context.WithoutCancel(ctx))
	defer forget()
	result := make(chan error, 1)
	go func() {
		reply, err := acp.SendRequest[acp.PromptResponse](a.conn, asked, acp.AgentMethodSessionPrompt, acp.PromptRequest{
			SessionId: a.session, Prompt: []acp.ContentBlock{acp.TextBlock(prompt(m))},
		})
		result <- a.judge(reply, err)
	}()
	select {
	case err = <-result:
	case <-a.ended:
		err = errDied
	case <-ctx.Done():
		return c.interrupt(ctx, a, result)
	}
	if err != nil && a.gone() {
		a.gate.hush(lastWords)
		err = errDied
		if a.gate.much.Load() {
			err = errMuch
		}
	}
	return err
}

// prompt is a question as the agent reads it.
func prompt(m chat.Message) string {
	where := fmt.Sprintf("The player who asks stands at x %.1f, y %.1f, z %.1f", m.Position[0], m.Position[1], m.Position[2])
	if m.Target != nil {
		where += fmt.Sprintf(" and looks at the block at x %d, y %d, z %d", m.Target.X, m.Target.Y, m.Target.Z)
	}
	return where + ". Use the tools of the server \"world\" alone. What the player says:\n\n" + m.Text
}

// judge turns how a turn ended into an error, or none.
func (a *agent) judge(reply acp.PromptResponse, err error) error {
	switch {
	case err != nil:
		return errors.New("the builder's agent failed: " + a.quote(err.Error()))
	case reply.StopReason == acp.StopReasonEndTurn:
		return nil
	default:
		return fmt.Errorf("the builder's agent stopped: %s", reply.StopReason)
	}
}

// interrupt asks an agent to end its turn, and ends the agent where it does not.
func (c *crew) interrupt(ctx context.Context, a *agent, result <-chan error) error {
	short, end := context.WithTimeout(context.WithoutCancel(ctx), c.config.Grace)
	defer end()
	// One that does not hear is ended.
	_ = a.conn.SendNotification(short, acp.AgentMethodSessionCancel, acp.CancelNotification{SessionId: a.session})
	select {
	case <-result:
	case <-a.ended:
	case <-short.Done():
		c.config.Log.Warn("bridge: the agent did not stop, and is ended")
		a.end()
		<-a.ended
	}
	return context.Cause(ctx)
}

// ready is the agent, started if it has to be.
func (c *crew) ready(ctx context.Context) (*agent, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.agent != nil && !c.agent.gone() {
		return c.agent, nil
	}
	c.agent = nil
	a, err := start(c.config)
	if err != nil {
		return nil, fmt.Errorf("the builder's agent cannot be started: %w", err)
	}
	short, end := context.WithTimeoutCause(ctx, c.config.Start, fmt.Errorf("it is not ready after %v", c.config.Start))
	defer end()
	if err := a.greet(short, c.config); err != nil {
		a.end()
		<-a.ended
		if cause := context.Cause(short); cause != nil {
			err = cause
		}
		text := a.quote(err.Error())
		c.config.Log.Warn("bridge: the agent is not ready", "error", text, "stderr", a.quote(a.whisper.String()))
		return nil, errors.New("the builder's agent is not ready: " + text)
	}
	c.agent = a
	return a, nil
}

// dismiss ends the agent, if there is one: by itself if it can.
func (c *crew) dismiss() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.agent != nil {
		c.agent.quit(c.config.Grace)
	}
}
