package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// bare is what somebody would write by hand with the SDK: two tools that call
// the API. No caller is known, no schema is checked, nothing is logged, and
// replies are handed on as they are.
func bare(upstream string, stateless bool) http.Handler {
	server := mcp.NewServer(&mcp.Implementation{Name: "bare", Version: "1"}, nil)
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: maxIdle}}
	add := func(name string, request func(in *bareInput) (*http.Request, error)) {
		server.AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)},
			func(ctx context.Context, call *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				var in bareInput
				if err := json.Unmarshal(call.Params.Arguments, &in); err != nil {
					return nil, err
				}
				r, err := request(&in)
				if err != nil {
					return nil, err
				}
				body, err := bareExchange(client, r.WithContext(ctx))
				if err != nil {
					return nil, err
				}
				return &mcp.CallToolResult{
					StructuredContent: json.RawMessage(body), Content: []mcp.Content{&mcp.TextContent{Text: string(body)}},
				}, nil
			})
	}
	add("get_pet", func(in *bareInput) (*http.Request, error) {
		return http.NewRequest(http.MethodGet, upstream+"/pets/"+url.PathEscape(in.Path.ID), nil)
	})
	add("create_pet", func(in *bareInput) (*http.Request, error) {
		r, err := http.NewRequest(http.MethodPost, upstream+"/pets", bytes.NewReader(in.Body))
		if err == nil {
			r.Header["Content-Type"] = jsonType
		}
		return r, err
	})
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: stateless, JSONResponse: true})
}

// bareInput is the input of both tools.
type bareInput struct {
	Path struct {
		ID string `json:"id"`
	} `json:"path"`
	Body json.RawMessage `json:"body"`
}

func bareExchange(client *http.Client, r *http.Request) ([]byte, error) {
	reply, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = reply.Body.Close() }()
	if reply.StatusCode >= 300 {
		return nil, fmt.Errorf("the API answered %s", reply.Status)
	}
	return io.ReadAll(reply.Body)
}
