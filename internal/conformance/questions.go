package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// questions are tools that ask the client while they run, as servers with
// sessions may.
var questions = map[string]mcp.ToolHandler{
	"test_sampling": func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var in struct {
			Prompt string `json:"prompt"`
		}
		if err := json.Unmarshal(r.Params.Arguments, &in); err != nil {
			return nil, err
		}
		//lint:ignore SA1019 the tests of the earlier version ask for it
		answer, err := r.Session.CreateMessage(ctx, sample(in.Prompt))
		if err != nil {
			return refused(err), nil
		}
		text, _ := answer.Content.(*mcp.TextContent)
		return said(fmt.Sprintf("LLM response: %+v", text)), nil
	},
	"test_elicitation": func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var in struct {
			Message string `json:"message"`
		}
		if err := json.Unmarshal(r.Params.Arguments, &in); err != nil {
			return nil, err
		}
		return elicit(ctx, r, in.Message, `{
			"type": "object", "required": ["username", "email"],
			"properties": {"username": {"type": "string"}, "email": {"type": "string"}}
		}`)
	},
	"test_elicitation_sep1034_defaults": func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return elicit(ctx, r, "Is this right?", `{
			"type": "object",
			"properties": {
				"name": {"type": "string", "default": "John Doe"},
				"age": {"type": "integer", "default": 30},
				"score": {"type": "number", "default": 95.5},
				"status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
				"verified": {"type": "boolean", "default": true}
			}
		}`)
	},
	"test_elicitation_sep1330_enums": func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return elicit(ctx, r, "Which?", `{
			"type": "object",
			"properties": {
				"untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
				"titledSingle": {"type": "string", "oneOf": [
					{"const": "value1", "title": "One"}, {"const": "value2", "title": "Two"}, {"const": "value3", "title": "Three"}
				]},
				"legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["One", "Two", "Three"]},
				"untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
				"titledMulti": {"type": "array", "items": {"anyOf": [
					{"const": "value1", "title": "One"}, {"const": "value2", "title": "Two"}, {"const": "value3", "title": "Three"}
				]}}
			}
		}`)
	},
}

// elicit asks the client's user and says what came of it.
func elicit(ctx context.Context, r *mcp.CallToolRequest, message, schema string) (*mcp.CallToolResult, error) {
	answer, err := r.Session.Elicit(ctx, &mcp.ElicitParams{
		Message: message, RequestedSchema: json.RawMessage(schema),
	})
	if err != nil {
		return refused(err), nil
	}
	return said(fmt.Sprintf("User response: action=%s, content=%v", answer.Action, answer.Content)), nil
}

// refused is the result where a client does not answer.
func refused(err error) *mcp.CallToolResult {
	result := said(err.Error())
	result.IsError = true
	return result
}

// sample asks the client's model.
func sample(text string) *mcp.CreateMessageParams {
	return &mcp.CreateMessageParams{
		MaxTokens: 100,
		Messages:  []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}},
	}
}
