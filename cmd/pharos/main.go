// Command pharos serves the platform: the edge that MCP clients talk to, and
// the services behind it.
package main

//go:generate go run ../mcpgen -C ../.. generate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends it at once
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

const usage = `usage: pharos serve [-config FILE] [-stdio] [SERVICE…]

Serves on this machine, until interrupted:

  edge       MCP for the platform's tools, at http://127.0.0.1:8080/mcp
  broker     the authorization server that MCP clients log in at, beside it
  platform   the platform's API, at http://127.0.0.1:8081
  play       facilitated solo play, its pages and its two MCP catalogs, at
             http://127.0.0.1:8082
  simulator  the dispatch game: MCP at http://127.0.0.1:8083/mcp, its display
             beside it; it needs no database
  camera     pictures of the world, for the world alone, at http://127.0.0.1:8766
  world      plans for one Minecraft world, by RPC at http://127.0.0.1:8765/v1/rpc
  world-mcp  MCP for it, at http://127.0.0.1:8767/mcp
  world-bridge
             an agent that builds what players ask for, with that MCP; without a
             command in the configuration it is the demonstration agent
  devidp     a login service for development, at http://127.0.0.1:8084

With -stdio the edge serves the client that started it, over standard input and
output, and the platform's API is for this process alone. With world-mcp among
the services it is that one that does, for a world that is served already.

Without a SERVICE it serves all of them. FILE is JSON; what it does not say is
as pharos comes with it.

usage: pharos check-config [-config FILE] [SERVICE…]

Finds every mistake of a configuration, and opens nothing.

usage: pharos keygen -private FILE -public FILE

Makes a key for a broker or a gateway.

usage: pharos demo-agent

An agent without a model that builds a few things in the world. It speaks the
Agent Client Protocol on its standard input and output, for world-bridge or any
other client.

usage: pharos platform [-config FILE] COMMAND

Administers who may use the platform; pharos platform -h lists the commands.

usage: pharos play [-config FILE] COMMAND

Administers the accounts of play; pharos play -h lists the commands.

usage: pharos sim [-config FILE] COMMAND

Works with the simulator's runs; pharos sim -h lists the commands.
`

// run is the whole program. Its exit status is 0, 1 where it failed, and 2
// where it was called wrongly.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		_, _ = io.WriteString(stderr, usage)
		return 2
	}
	var err error
	switch args[0] {
	case "serve":
		err = serve(ctx, args[1:], stdin, stdout, stderr)
	case "check-config":
		err = checkConfig(args[1:], stdout)
	case "keygen":
		err = keygen(args[1:], stdout)
	case "platform":
		err = administer(ctx, args[1:], stdin, stdout)
	case "play":
		err = administerPlay(ctx, args[1:], stdin, stdout)
	case "demo-agent":
		err = demoAgent(ctx, args[1:], stdin, stdout)
	case "sim":
		err = sim(ctx, args[1:], stdout, stderr)
	case "help", "-h", "-help", "--help":
		err = helpError(usage)
	default:
		err = usageError(fmt.Sprintf("unknown command %q", args[0]))
	}
	if err == nil {
		return 0
	}
	if help, ok := errors.AsType[helpError](err); ok {
		_, _ = io.WriteString(stdout, string(help))
		return 0
	}
	complain(stderr, err)
	if _, ok := errors.AsType[usageError](err); ok {
		_, _ = fmt.Fprintln(stderr, "hint: pharos help shows how it is called")
		return 2
	}
	return 1
}

// complain prints an error line by line. What another program said in it may
// end in a line without anything.
func complain(w io.Writer, err error) {
	for line := range strings.SplitSeq(err.Error(), "\n") {
		if line = strings.TrimRight(line, " \t\r"); line != "" {
			_, _ = fmt.Fprintf(w, "pharos: %s\n", line)
		}
	}
}
