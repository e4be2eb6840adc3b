package main

import (
	"context"
	"io"

	"github.com/pharos-mcp/pharos/services/world/bridge/demo"
)

// demoAgent is an agent for world-bridge until its client ends.
func demoAgent(ctx context.Context, args []string, stdin io.Reader, stdout io.Writer) error {
	flags := newFlags("demo-agent")
	if err := parseFlags(flags, args, usage); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return usageError("demo-agent takes no arguments")
	}
	return demo.Serve(ctx, stdin, stdout)
}
