package main

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// rounds are tools that give back what they need to know, and are called again
// with it: so do servers without sessions.
var rounds = map[string]mcp.ToolHandler{
	"test_input_required_result_elicitation": asks(mcp.InputRequestMap{"user_name": form("name", "string")}),
	"test_input_required_result_sampling":    asks(mcp.InputRequestMap{"capital_question": sample("The capital of France?")}),
	"test_input_required_result_list_roots":  asks(mcp.InputRequestMap{"client_roots": &mcp.ListRootsParams{}}),
	"test_input_required_result_multiple_inputs": keeps(asks(mcp.InputRequestMap{
		"user_name": form("name", "string"), "greeting": sample("A greeting"), "client_roots": &mcp.ListRootsParams{},
	}), "all"),
	"test_input_required_result_request_state":  sealed,
	"test_input_required_result_tampered_state": sealed,
	"test_input_required_result_multi_round":    twice,
	"test_input_required_result_capabilities":   capable,
}

// sealed is asked for a confirmation, and its state must come back as it was.
var sealed = keeps(asks(mcp.InputRequestMap{"confirm": form("ok", "boolean")}), "asked")

// asks is a tool that needs all of these answers.
func asks(questions mcp.InputRequestMap) mcp.ToolHandler {
	return func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		for name := range questions {
			if !answered(r.Params.InputResponses, name) {
				return &mcp.CallToolResult{InputRequests: questions}, nil
			}
		}
		answers, err := json.Marshal(r.Params.InputResponses)
		if err != nil {
			return nil, err
		}
		return said("state-ok: " + string(answers)), nil
	}
}

// keeps adds a state to what a tool asks, and refuses another one.
func keeps(next mcp.ToolHandler, state string) mcp.ToolHandler {
	return func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if _, ok := unseal(r.Params.RequestState); !ok && r.Params.RequestState != "" {
			return nil, errState
		}
		result, err := next(ctx, r)
		if err == nil && result.InputRequests != nil {
			result.RequestState = seal(state)
		}
		return result, err
	}
}

// twice asks for a name, and then for a color.
func twice(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	state, ok := unseal(r.Params.RequestState)
	switch {
	case !ok && r.Params.RequestState != "":
		return nil, errState
	case state == "" || !answered(r.Params.InputResponses, "step1", "step2"):
		return &mcp.CallToolResult{
			InputRequests: mcp.InputRequestMap{"step1": form("name", "string")}, RequestState: seal("first"),
		}, nil
	case state == "first":
		return &mcp.CallToolResult{
			InputRequests: mcp.InputRequestMap{"step2": form("color", "string")}, RequestState: seal("second"),
		}, nil
	default:
		return said("both rounds are done"), nil
	}
}

// capable asks what the client says it can answer.
func capable(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	questions := mcp.InputRequestMap{}
	if c := r.ClientCapabilities(); c != nil {
		if c.Elicitation != nil {
			questions["user_name"] = form("name", "string")
		}
		if c.Sampling != nil {
			questions["greeting"] = sample("A greeting")
		}
		if c.RootsV2 != nil {
			questions["client_roots"] = &mcp.ListRootsParams{}
		}
	}
	if len(questions) == 0 || len(r.Params.InputResponses) > 0 {
		return said("there is nothing to ask"), nil
	}
	return &mcp.CallToolResult{InputRequests: questions}, nil
}

// form asks the client's user for one value.
func form(name, kind string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: fmt.Sprintf("What is the %s?", name), RequestedSchema: map[string]any{
		"type": "object", "required": []string{name}, "properties": map[string]any{name: map[string]any{"type": kind}},
	}}
}

// answered reports whether one of the questions has an answer that its user
// did not refuse.
func answered(answers mcp.InputResponseMap, names ...string) bool {
	for _, name := range names {
		switch a := answers[name].(type) {
		case nil:
		case *mcp.ElicitResult:
			if a.Action == "accept" && len(a.Content) > 0 {
				return true
			}
		default:
			return true
		}
	}
	return false
}

var errState = &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the state is not ours"}

var sealKey = rand.Text()

// seal makes a state that a client cannot change.
func seal(state string) string {
	mac := hmac.New(sha256.New, []byte(sealKey))
	mac.Write([]byte(state))
	return state + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func unseal(sealed string) (state string, ok bool) {
	state, _, _ = strings.Cut(sealed, ".")
	return state, hmac.Equal([]byte(sealed), []byte(seal(state)))
}
