// Command bench measures pharos against its goals, each beside its reference
// in one interleaved run, and prints a line for each goal:
//
//	goal NAME MEASURED GOAL ok|short
//
// The generator is measured on the largest document, the edge with a small
// catalog under load and with the tools of that document, the platform's API
// beside its database, the sessions of play beside theirs and each other, the
// tokens of a call beside their signatures, a plan of the world, a read of it and
// its opening beside its files, a picture of it beside its rays, what a player
// sees of a plan beside the same edits, and the game beside observations that are
// made in the usual way. Times are ratios to a reference that ran in
// turn with what is measured, so that they hold on any machine; memory and what
// the game takes are absolute. A goal that holds for several kinds
// of load is held against the worst of them.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	mcpgen := flags.String("mcpgen", "bin/mcpgen", "the generator")
	pharos := flags.String("pharos", "bin/pharos", "the program")
	state := flags.String("state", ".pharos/bench", "`folder` that keeps what was fetched")
	rounds := flags.Int("rounds", 3, "how often the generator is measured")
	only := flags.String("only", "", "measure one `part`: generator, tools, calls, platform, play, authority, world, camera, builder or simulator")
	reference := flags.String("reference", "", "only do what the generator is compared with, on this `file`")
	var o role
	flags.Func("role", "only serve as the `JSON` says", func(text string) error { return json.Unmarshal([]byte(text), &o) })
	if err := flags.Parse(args); err != nil {
		return 2
	}
	var err error
	switch {
	case o.Kind != "":
		err = o.play(stdin, stdout)
	case *reference != "":
		err = refer(*reference)
	default:
		err = bench(ctx, *mcpgen, *pharos, *state, *rounds, *only, stdout)
	}
	if err != nil {
		fmt.Fprintf(stderr, "bench: %v\n", err)
		return 1
	}
	return 0
}

// bench measures everything, or one part, and prints the goals. A goal that is
// short is an error, after all of them are printed.
func bench(ctx context.Context, mcpgen, pharos, state string, rounds int, only string, stdout io.Writer) error {
	var goals []goal
	measure := func(part string, f func() ([]goal, error)) error {
		if only != "" && only != part {
			return nil
		}
		found, err := f()
		goals = append(goals, found...)
		return err
	}
	if only == "" || only == "generator" || only == "tools" {
		modules, err := install(ctx, ".ci/bench", state)
		if err != nil {
			return err
		}
		p, err := prepare(ctx, mcpgen, filepath.Join(modules, filepath.FromSlash(largest)))
		if err != nil {
			return err
		}
		defer p.close()
		if err := measure("generator", func() ([]goal, error) { return generator(ctx, p, rounds, stdout) }); err != nil {
			return err
		}
		if err := measure("tools", func() ([]goal, error) { return tools(ctx, p, stdout) }); err != nil {
			return err
		}
	}
	if err := measure("calls", func() ([]goal, error) { return calls(ctx, stdout) }); err != nil {
		return err
	}
	if err := measure("platform", func() ([]goal, error) { return platformPart(ctx, stdout) }); err != nil {
		return err
	}
	if err := measure("play", func() ([]goal, error) { return playPart(ctx, pharos, stdout) }); err != nil {
		return err
	}
	if err := measure("authority", func() ([]goal, error) { return authority(ctx, stdout) }); err != nil {
		return err
	}
	if err := measure("world", func() ([]goal, error) { return worldPart(ctx, stdout) }); err != nil {
		return err
	}
	if err := measure("camera", func() ([]goal, error) { return cameraPart(ctx, stdout) }); err != nil {
		return err
	}
	if err := measure("builder", func() ([]goal, error) { return builderPart(ctx, stdout) }); err != nil {
		return err
	}
	if err := measure("simulator", func() ([]goal, error) { return simulatorPart(ctx, stdout) }); err != nil {
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
