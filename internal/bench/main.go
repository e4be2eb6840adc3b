// Command bench measures pharos against its goals, each beside its reference
// in one interleaved run, and prints a line for each goal:
//
//	goal NAME MEASURED GOAL ok|short
//
// Times are ratios of processor time to a reference that ran in turn with what
// is measured, so that they hold on any machine; memory is absolute.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	mcpgen := flags.String("mcpgen", "bin/mcpgen", "the generator")
	state := flags.String("state", ".pharos/bench", "`folder` that keeps what was fetched")
	rounds := flags.Int("rounds", 3, "how often each is measured")
	reference := flags.String("reference", "", "only do what the generator is compared with, on this `file`")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	var err error
	if *reference != "" {
		err = refer(*reference)
	} else {
		err = bench(ctx, *mcpgen, *state, *rounds, stdout)
	}
	if err != nil {
		fmt.Fprintf(stderr, "bench: %v\n", err)
		return 1
	}
	return 0
}

// bench measures everything and prints the goals. A goal that is short is an
// error, after all of them are printed.
func bench(ctx context.Context, mcpgen, state string, rounds int, stdout io.Writer) error {
	goals, err := generator(ctx, mcpgen, state, rounds, stdout)
	if err != nil {
		return err
	}
	short := 0
	for _, g := range goals {
		fmt.Fprintln(stdout, g)
		if !g.reached() {
			short++
		}
	}
	if short > 0 {
		return fmt.Errorf("%d of %d goals are short", short, len(goals))
	}
	return nil
}
