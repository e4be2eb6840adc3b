package bridge

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"github.com/coder/acp-go-sdk"
)

// ears are the client that an agent sees: it hears what is said, answers whether
// a tool may be called, and has neither files nor terminals.
type ears struct {
	tools []string
	log   *slog.Logger

	mu  sync.Mutex
	say *speech
}

var _ acp.Client = (*ears)(nil)

// listen has what the agent says from now on go to a speech; nil is nobody.
func (e *ears) listen(s *speech) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.say = s
}

// SessionUpdate hears what the agent says. Its thoughts are its own.
func (e *ears) SessionUpdate(_ context.Context, n acp.SessionNotification) error {
	chunk := n.Update.AgentMessageChunk
	if chunk == nil || chunk.Content.Text == nil {
		return nil
	}
	e.mu.Lock()
	say := e.say
	e.mu.Unlock()
	if say != nil {
		say.add(chunk.Content.Text.Text)
	}
	return nil
}

// RequestPermission allows the world's tools, and nothing else. It is a
// courtesy: an agent may call without asking, and the world decides by itself.
func (e *ears) RequestPermission(_ context.Context, r acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
	name := ""
	if r.ToolCall.Title != nil {
		name = toolName(*r.ToolCall.Title)
	}
	allowed := slices.Contains(e.tools, name)
	kinds := []acp.PermissionOptionKind{acp.PermissionOptionKindRejectOnce, acp.PermissionOptionKindRejectAlways}
	if allowed {
		kinds = []acp.PermissionOptionKind{acp.PermissionOptionKindAllowOnce, acp.PermissionOptionKindAllowAlways}
	}
	e.log.Info("bridge: permission", "tool", name, "allowed", allowed)
	for _, kind := range kinds {
		for _, o := range r.Options {
			if o.Kind == kind {
				return acp.RequestPermissionResponse{Outcome: acp.NewRequestPermissionOutcomeSelected(o.OptionId)}, nil
			}
		}
	}
	return acp.RequestPermissionResponse{Outcome: acp.NewRequestPermissionOutcomeCancelled()}, nil
}

// toolName is the tool in a title: agents write the server's name before it, each
// in its own way.
func toolName(title string) string {
	for _, prefix := range []string{"mcp__world__", "world__", "world/", "world.", "world: ", "world:"} {
		if name, ok := strings.CutPrefix(title, prefix); ok {
			return name
		}
	}
	return title
}

// There are no files and no terminals; nothing said that there are.

func (e *ears) ReadTextFile(context.Context, acp.ReadTextFileRequest) (acp.ReadTextFileResponse, error) {
	return acp.ReadTextFileResponse{}, acp.NewMethodNotFound(acp.ClientMethodFsReadTextFile)
}

func (e *ears) WriteTextFile(context.Context, acp.WriteTextFileRequest) (acp.WriteTextFileResponse, error) {
	return acp.WriteTextFileResponse{}, acp.NewMethodNotFound(acp.ClientMethodFsWriteTextFile)
}

func (e *ears) CreateTerminal(context.Context, acp.CreateTerminalRequest) (acp.CreateTerminalResponse, error) {
	return acp.CreateTerminalResponse{}, acp.NewMethodNotFound(acp.ClientMethodTerminalCreate)
}

func (e *ears) KillTerminal(context.Context, acp.KillTerminalRequest) (acp.KillTerminalResponse, error) {
	return acp.KillTerminalResponse{}, acp.NewMethodNotFound(acp.ClientMethodTerminalKill)
}

func (e *ears) TerminalOutput(context.Context, acp.TerminalOutputRequest) (acp.TerminalOutputResponse, error) {
	return acp.TerminalOutputResponse{}, acp.NewMethodNotFound(acp.ClientMethodTerminalOutput)
}

func (e *ears) ReleaseTerminal(context.Context, acp.ReleaseTerminalRequest) (acp.ReleaseTerminalResponse, error) {
	return acp.ReleaseTerminalResponse{}, acp.NewMethodNotFound(acp.ClientMethodTerminalRelease)
}

func (e *ears) WaitForTerminalExit(context.Context, acp.WaitForTerminalExitRequest) (acp.WaitForTerminalExitResponse, error) {
	return acp.WaitForTerminalExitResponse{}, acp.NewMethodNotFound(acp.ClientMethodTerminalWaitForExit)
}
