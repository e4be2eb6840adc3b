package main

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func addPrompts(server *mcp.Server) {
	server.AddPrompt(&mcp.Prompt{Name: "test_simple_prompt", Description: "Says something."}, prompt("A simple prompt."))
	server.AddPrompt(&mcp.Prompt{
		Name: "test_prompt_with_arguments", Description: "Repeats its arguments.",
		Arguments: []*mcp.PromptArgument{required("arg1"), required("arg2")},
	}, func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		a := r.Params.Arguments
		return messages(&mcp.TextContent{Text: fmt.Sprintf("The arguments are %q and %q.", a["arg1"], a["arg2"])}), nil
	})
	server.AddPrompt(&mcp.Prompt{
		Name: "test_prompt_with_embedded_resource", Description: "Shows a resource.",
		Arguments: []*mcp.PromptArgument{required("resourceUri")},
	}, func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return messages(&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{
			URI: r.Params.Arguments["resourceUri"], MIMEType: "text/plain", Text: "This stands inside a prompt.",
		}}, &mcp.TextContent{Text: "What does it say?"}), nil
	})
	server.AddPrompt(&mcp.Prompt{Name: "test_prompt_with_image", Description: "Shows a picture."},
		func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return messages(&mcp.ImageContent{Data: picture, MIMEType: "image/png"},
				&mcp.TextContent{Text: "What does it show?"}), nil
		})
	server.AddPrompt(&mcp.Prompt{Name: "test_input_required_result_prompt", Description: "Asks before it says something."},
		func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			if !answered(r.Params.InputResponses, "user_context") {
				return &mcp.GetPromptResult{
					InputRequests: mcp.InputRequestMap{"user_context": form("context", "string")},
				}, nil
			}
			return messages(&mcp.TextContent{Text: "This is said in the context that was given."}), nil
		})
}

func required(name string) *mcp.PromptArgument {
	return &mcp.PromptArgument{Name: name, Required: true}
}

func prompt(text string) mcp.PromptHandler {
	return func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return messages(&mcp.TextContent{Text: text}), nil
	}
}

// messages is a prompt of the user's.
func messages(parts ...mcp.Content) *mcp.GetPromptResult {
	result := &mcp.GetPromptResult{Description: "Is for a conformance test."}
	for _, part := range parts {
		result.Messages = append(result.Messages, &mcp.PromptMessage{Role: "user", Content: part})
	}
	return result
}
