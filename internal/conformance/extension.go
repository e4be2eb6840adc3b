package main

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pharos-mcp/pharos/internal/extension"
)

// extended is everything that is no catalog: tools that answer in many ways or
// ask the client, prompts and resources. The watched resource changes every
// second until ctx ends.
func extended(ctx context.Context) *extension.Extension {
	e := &extension.Extension{Tools: map[string]bool{}, Configure: configure}
	e.Register = func(server *mcp.Server) {
		for _, group := range []map[string]mcp.ToolHandler{contents, notices, questions, rounds, changes(server)} {
			for name, handle := range group {
				e.Tools[name] = true
				server.AddTool(&mcp.Tool{Name: name, Description: "Is for a conformance test.", InputSchema: anything}, handle)
			}
		}
		addPrompts(server)
		addResources(server)
		go watch(ctx, server)
	}
	return e
}

// anything is the input schema of the tools: the tests know what to send.
var anything = map[string]any{"type": "object"}

func configure(o *mcp.ServerOptions) {
	o.Capabilities = nil // what is registered is declared
	o.PageSize = 0
	o.CompletionHandler = func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
		return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{"completed"}, Total: 1}}, nil
	}
	o.SubscribeHandler = func(context.Context, *mcp.SubscribeRequest) error { return nil }
	o.UnsubscribeHandler = func(context.Context, *mcp.UnsubscribeRequest) error { return nil }
}

// watch tells subscribers of changes.
func watch(ctx context.Context, server *mcp.Server) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			// Nobody has to listen.
			_ = server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: watched})
		}
	}
}

// changes are tools that change what there is, so that listeners are told.
func changes(server *mcp.Server) map[string]mcp.ToolHandler {
	return map[string]mcp.ToolHandler{
		"test_trigger_tool_change": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			server.AddTool(&mcp.Tool{Name: "passing", InputSchema: anything}, contents["test_audio_content"])
			return said("there is another tool"), nil
		},
		"test_trigger_prompt_change": func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			server.AddPrompt(&mcp.Prompt{Name: "passing", Description: "Is for a conformance test."}, prompt("A passing prompt."))
			return said("there is another prompt"), nil
		},
	}
}

func said(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}
