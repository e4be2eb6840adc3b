package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os/exec"

	"github.com/coder/acp-go-sdk"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// world is the connection to the world's tools.
type world struct{ session *mcp.ClientSession }

// errConnection is the end of the connection to the tools.
var errConnection = errors.New("the world's tools cannot be reached")

// connect connects to an MCP server as the client described it.
func connect(ctx context.Context, s acp.McpServer) (*world, error) {
	var transport mcp.Transport
	switch {
	case s.Http != nil:
		head := http.Header{}
		for _, h := range s.Http.Headers {
			head.Add(h.Name, h.Value)
		}
		transport = &mcp.StreamableClientTransport{Endpoint: s.Http.Url, HTTPClient: &http.Client{Transport: withHead(head)}}
	case s.Stdio != nil:
		command := exec.Command(s.Stdio.Command, s.Stdio.Args...) // it lives longer than this request
		for _, v := range s.Stdio.Env {
			command.Env = append(command.Environ(), v.Name+"="+v.Value)
		}
		transport = &mcp.CommandTransport{Command: command}
	default:
		return nil, errors.New("this agent speaks MCP over HTTP and over stdio alone")
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "pharos-demo", Version: "1"}, nil).Connect(ctx, transport, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errConnection, err)
	}
	return &world{session}, nil
}

// withHead sends a head with each request.
type withHead http.Header

// RoundTrip implements http.RoundTripper.
func (h withHead) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, values := range h {
		r.Header[name] = values
	}
	return http.DefaultTransport.RoundTrip(r)
}

func (w *world) close() error { return w.session.Close() }

// call calls a tool and reads its result into a value. An error of the tool's is
// what it says.
func (w *world) call(ctx context.Context, tool string, arguments, to any) error {
	result, err := w.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		return fmt.Errorf("%w: %w", errConnection, err)
	}
	if result.IsError {
		for _, c := range result.Content {
			if text, ok := c.(*mcp.TextContent); ok {
				return errors.New(text.Text)
			}
		}
		return errors.New(tool + " failed")
	}
	if to == nil {
		return nil
	}
	data, err := json.Marshal(result.StructuredContent)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, to)
}
