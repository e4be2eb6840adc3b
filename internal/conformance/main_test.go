package main

import (
	"bufio"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestServe(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"without sessions": nil, "with sessions": {"-stateful"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			session := connect(t, args)
			list, err := session.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, tool := range []string{"test_simple_text", "test_audio_content"} { // of the catalog, and beside it
				result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
				if err != nil || result.IsError {
					t.Errorf("%s: %+v, %v", tool, result, err)
				}
			}
			if got, want := len(list.Tools), 28; got != want {
				t.Errorf("%d tools, want %d", got, want)
			}
		})
	}
}

// connect starts the program and a client of it.
func connect(t *testing.T, args []string) *mcp.ClientSession {
	ctx, stop := context.WithCancel(context.Background())
	out, in := io.Pipe()
	ended := make(chan int)
	go func() {
		code := run(ctx, args, in, io.Discard)
		_ = in.Close() // the reader may be gone
		ended <- code
	}()
	t.Cleanup(func() {
		stop()
		if code := <-ended; code != 0 {
			t.Errorf("exit status %d", code)
		}
	})
	first, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx,
		&mcp.StreamableClientTransport{Endpoint: strings.Fields(first)[1], MaxRetries: -1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}
