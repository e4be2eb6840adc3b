// Command conformance serves what the protocol's conformance tests ask for,
// behind the door of a real edge: the guard, the hot path and the sessions are
// those of every other edge, only the tools are the tests' own.
//
//	conformance [-stateful]
//
// It serves anybody on a free port of loopback and prints its URL. What the
// edge answers without the SDK in other programs it answers without it here:
// those tools are a catalog. What no catalog can hold is an extension.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/pharos-mcp/pharos/edge"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("conformance", flag.ContinueOnError)
	flags.SetOutput(stderr)
	stateful := flags.Bool("stateful", false, "keep sessions, and speak the protocol with a handshake only")
	if err := flags.Parse(args); err != nil || flags.NArg() > 0 {
		return 2
	}
	if err := serve(ctx, *stateful, stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "conformance: %v\n", err)
		return 1
	}
	return 0
}

func serve(ctx context.Context, stateful bool, stdout, stderr io.Writer) error {
	options := edge.Options{Log: slog.New(slog.NewJSONHandler(stderr, nil)), Extension: extended(ctx)}
	if stateful {
		options.Sessions = &edge.Sessions{}
	}
	s, err := edge.New(edge.Config{
		Listen: "127.0.0.1:0", Authentication: edge.Authentication{Mode: "anonymous"},
	}, catalog(), options)
	if err != nil {
		return err
	}
	l, err := s.Listen()
	if err != nil {
		return err
	}
	if err := s.Announce(stdout, l.Addr()); err != nil {
		return err
	}
	return s.Serve(ctx, l)
}
