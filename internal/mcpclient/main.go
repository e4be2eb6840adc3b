// Command mcpclient lists or calls the tools of an MCP server with go-sdk's
// client, for end-to-end tests: a client that shares no line with the server's
// own code.
//
//	mcpclient [-protocol VERSION] [-token TOKEN] URL [TOOL ARGUMENTS]
//
// It prints one JSON object: the protocol version and the tools, or the
// version and the result of the call.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("mcpclient", flag.ContinueOnError)
	flags.SetOutput(stderr)
	protocol := flags.String("protocol", "", "ask for this protocol `version`")
	token := flags.String("token", "", "send this bearer `token`")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if n := flags.NArg(); n != 1 && n != 3 {
		fmt.Fprintln(stderr, "usage: mcpclient [-protocol VERSION] [-token TOKEN] URL [TOOL ARGUMENTS]")
		return 2
	}
	answer, err := ask(ctx, flags.Arg(0), *protocol, *token, flags.Arg(1), flags.Arg(2))
	if err == nil {
		err = json.NewEncoder(stdout).Encode(answer)
	}
	if err != nil {
		fmt.Fprintf(stderr, "mcpclient: %v\n", err)
		return 1
	}
	return 0
}

// answer is what the command prints.
type answer struct {
	Protocol     string              `json:"protocol"`
	Instructions string              `json:"instructions,omitempty"`
	Tools        []*mcp.Tool         `json:"tools,omitempty"`
	Result       *mcp.CallToolResult `json:"result,omitempty"`
}

// ask connects and lists all tools, or calls one if its name is given.
func ask(ctx context.Context, url, protocol, token, tool, arguments string) (answer, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "mcpclient", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint: url, HTTPClient: &http.Client{Transport: bearer(token)},
		DisableStandaloneSSE: true, MaxRetries: -1,
	}, &mcp.ClientSessionOptions{ProtocolVersion: protocol})
	if err != nil {
		return answer{}, err
	}
	defer session.Close()
	var a answer
	if hello := session.InitializeResult(); hello != nil {
		a.Protocol, a.Instructions = hello.ProtocolVersion, hello.Instructions
	}
	if tool != "" {
		a.Result, err = session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
		return a, err
	}
	for t, err := range session.Tools(ctx, nil) {
		if err != nil {
			return a, err
		}
		a.Tools = append(a.Tools, t)
	}
	return a, nil
}

// bearer adds a token to every request; the empty one adds nothing.
type bearer string

// RoundTrip implements http.RoundTripper.
func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if b != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+string(b))
	}
	return http.DefaultTransport.RoundTrip(r)
}
