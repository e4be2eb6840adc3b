//go:build unix

// Command scratch runs another command with a PostgreSQL server that is thrown
// away afterwards:
//
//	scratch VARIABLE COMMAND [ARGUMENT]…
//
// The variable holds the server's URL. Without arguments it only prints the
// folder of the programs that it would take, and fails where there are none.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/pharos-mcp/pharos/internal/pg/embedded"
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}

// limit bounds the start of the server.
const limit = 2 * time.Minute

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var err error
	switch len(args) {
	case 0:
		var found embedded.Binaries
		if found, err = embedded.Find(0); err == nil {
			fmt.Fprintln(stdout, found.Folder)
		}
	case 1:
		fmt.Fprintln(stderr, "usage: scratch [VARIABLE COMMAND [ARGUMENT]…]")
		return 2
	default:
		err = with(ctx, args[0], args[1:], stdout, stderr)
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() > 0 {
		return exit.ExitCode() // the command has said why
	}
	if err != nil {
		fmt.Fprintln(stderr, "scratch:", err)
		return 1
	}
	return 0
}

// with runs a command with a server.
func with(ctx context.Context, variable string, command []string, stdout, stderr io.Writer) error {
	starting, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c, err := embedded.Scratch(starting)
	if err != nil {
		return err
	}
	p, err := c.Start(starting)
	if err != nil {
		return err
	}
	defer p.Stop()
	run := exec.CommandContext(ctx, command[0], command[1:]...)
	run.Stdout, run.Stderr = stdout, stderr
	run.Env = append(os.Environ(), variable+"="+c.URL())
	return run.Run()
}
