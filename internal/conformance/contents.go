package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// contents are tools that always give the same.
var contents = map[string]mcp.ToolHandler{
	"test_audio_content": gives(&mcp.AudioContent{Data: silence, MIMEType: "audio/wav"}),
	"test_embedded_resource": gives(&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{
		URI: "test://embedded-resource", MIMEType: "text/plain", Text: "This stands inside a result.",
	}}),
	"test_multiple_content_types": gives(
		&mcp.TextContent{Text: "Three kinds:"},
		&mcp.ImageContent{Data: picture, MIMEType: "image/png"},
		&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{
			URI: "test://mixed-content-resource", MIMEType: "application/json", Text: `{"test":"data","value":123}`,
		}},
	),
	"test_streaming_elicitation": gives(&mcp.TextContent{Text: "nothing was asked"}),
	"test_missing_capability":    missingCapability,
}

func gives(parts ...mcp.Content) mcp.ToolHandler {
	return func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: parts}, nil
	}
}

// missingCapability is for clients that can sample.
func missingCapability(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if c := r.ClientCapabilities(); c != nil && c.Sampling != nil {
		return said("the client can sample"), nil
	}
	data, err := json.Marshal(mcp.MissingRequiredClientCapabilityData{
		RequiredCapabilities: &mcp.ClientCapabilities{Sampling: &mcp.SamplingCapabilities{}},
	})
	if err != nil {
		return nil, err
	}
	return nil, &jsonrpc.Error{
		Code: mcp.CodeMissingRequiredClientCapabilities, Message: "the client must be able to sample", Data: data,
	}
}

// notices are tools that tell the client something before they are done.
var notices = map[string]mcp.ToolHandler{
	"test_tool_with_logging": func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return steps(ctx, func(i int) error { return note(ctx, r, fmt.Sprintf("step %d of 3", i+1)) })
	},
	"test_logging_tool": func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if err := note(ctx, r, "for those who asked"); err != nil {
			return nil, err
		}
		return said("it was logged for those who asked"), nil
	},
	"test_tool_with_progress": func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		token := r.Params.GetProgressToken()
		return steps(ctx, func(i int) error {
			if token == nil {
				return nil
			}
			return r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: token, Progress: float64(50 * i), Total: 100,
			})
		})
	},
	"test_reconnection": func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if r.Extra != nil && r.Extra.CloseSSEStream != nil {
			r.Extra.CloseSSEStream(mcp.CloseSSEStreamArgs{RetryAfter: 10 * time.Millisecond})
		}
		return steps(ctx, func(int) error { return nil })
	},
}

// note logs for a client that has asked to see it.
func note(ctx context.Context, r *mcp.CallToolRequest, text string) error {
	//lint:ignore SA1019 the tests of the earlier version ask for it
	return r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: text})
}

// steps does something three times, with the pauses that the tests ask for.
func steps(ctx context.Context, step func(int) error) (*mcp.CallToolResult, error) {
	for i := range 3 {
		if err := step(i); err != nil {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	return said("all steps are done"), nil
}
