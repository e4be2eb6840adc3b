package bridge

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"github.com/coder/acp-go-sdk"
)

// ears are what an agent can say something to: they hear its words, and answer
// whether a tool may be called. There are no files and no terminals.
type ears struct {
	tools []string
	gate  *gate
	log   *slog.Logger

	mu  sync.Mutex
	say *speech
}

// listen has what the agent says from now on go to a speech; nil is nobody.
func (e *ears) listen(s *speech) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.say = s
}

// hear is the acp.MethodHandler.
func (e *ears) hear(_ context.Context, method string, params json.RawMessage) (any, *acp.RequestError) {
	switch method {
	case acp.ClientMethodSessionUpdate:
		defer func() { <-e.gate.updates }()
		var n acp.SessionNotification
		if json.Unmarshal(params, &n) == nil { // what we do not know is for others
			e.update(n.Update)
		}
		return nil, nil
	case acp.ClientMethodSessionRequestPermission:
		var r acp.RequestPermissionRequest
		if err := json.Unmarshal(params, &r); err != nil {
			return nil, acp.NewInvalidParams(nil)
		}
		return acp.RequestPermissionResponse{Outcome: e.permit(r)}, nil
	default:
		return nil, acp.NewMethodNotFound(method)
	}
}

// update hears what the agent says. Its thoughts are its own.
func (e *ears) update(u acp.SessionUpdate) {
	e.mu.Lock()
	say := e.say
	e.mu.Unlock()
	switch {
	case say == nil:
	case u.AgentMessageChunk != nil && u.AgentMessageChunk.Content.Text != nil:
		say.add(u.AgentMessageChunk.Content.Text.Text)
	case u.ToolCall != nil:
		say.pause()
	}
}

// permit allows the world's tools, and nothing else. It is a courtesy: an agent
// may call without asking, and the world decides by itself.
func (e *ears) permit(r acp.RequestPermissionRequest) acp.RequestPermissionOutcome {
	name := ""
	if r.ToolCall.Title != nil {
		name = toolName(*r.ToolCall.Title)
	}
	kinds := []acp.PermissionOptionKind{acp.PermissionOptionKindRejectOnce, acp.PermissionOptionKindRejectAlways}
	if slices.Contains(e.tools, name) {
		kinds = []acp.PermissionOptionKind{acp.PermissionOptionKindAllowOnce, acp.PermissionOptionKindAllowAlways}
	} else {
		e.log.Warn("bridge: the agent wants what is not the world's, and is refused")
	}
	for _, kind := range kinds {
		for _, o := range r.Options {
			if o.Kind == kind {
				return acp.NewRequestPermissionOutcomeSelected(o.OptionId)
			}
		}
	}
	return acp.NewRequestPermissionOutcomeCancelled()
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
