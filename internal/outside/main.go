// Command outside runs another command as if this checkout had been published:
// the go command finds it as the newest version of the module, in a module
// proxy that is gone afterwards.
//
//	go run ./internal/outside [-C DIR] COMMAND [ARGUMENT…]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"syscall"

	"github.com/pharos-mcp/pharos/internal/modproxy"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, ".", os.Args[1:], os.Stdout, os.Stderr))
}

// run returns the exit code of the command, or 1 if it could not be run and 2
// if there is none.
func run(ctx context.Context, root string, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("outside", flag.ContinueOnError)
	flags.SetOutput(stderr)
	dir := flags.String("C", ".", "run it in this `folder`")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() == 0 {
		fmt.Fprintln(stderr, "usage: outside [-C DIR] COMMAND [ARGUMENT…]")
		return 2
	}
	proxy, err := modproxy.Open(root)
	if err != nil {
		fmt.Fprintf(stderr, "outside: %v\n", err)
		return 1
	}
	c := exec.CommandContext(ctx, flags.Arg(0), flags.Args()[1:]...)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.Dir, c.Env = *dir, slices.Concat(os.Environ(), proxy.Env)
	c.Stdout, c.Stderr = stdout, stderr
	err = c.Run()
	if closed := proxy.Close(); err == nil {
		err = closed
	}
	var failed *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &failed) && failed.ExitCode() > 0:
		return failed.ExitCode()
	}
	fmt.Fprintf(stderr, "outside: %v\n", err)
	return 1
}
