// Command corpus takes every OpenAPI document of a folder the whole way: from
// `mcpgen init --project` over generation, build and vet to a served catalog
// whose tools a client that is not ours lists.
//
// Each document becomes a module of its own, outside of this one, that
// requires this checkout through a module proxy in a folder. A document that
// cannot be carried for a true reason (missing files, no operations, a version
// that nobody supports) is counted apart from the others.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/pharos-mcp/pharos/internal/modproxy"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// options are the command line.
type options struct {
	mcpgen string
	table  string
	keep   string
	only   string
	dir    string
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("corpus", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.mcpgen, "mcpgen", "bin/mcpgen", "the generator")
	flags.StringVar(&o.table, "table", "", "write the results as a Markdown table into this `file`")
	flags.StringVar(&o.keep, "keep", "", "keep the projects in this `folder`")
	flags.StringVar(&o.only, "only", "", "take only the document of this `name`")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() != 1 {
		return o, errors.New("usage: corpus [flags] DIR")
	}
	o.dir = flags.Arg(0)
	return o, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	if err != nil {
		fmt.Fprintf(stderr, "corpus: %v\n", err)
		return 2
	}
	results, err := all(ctx, o, stdout)
	if err != nil {
		fmt.Fprintf(stderr, "corpus: %v\n", err)
		return 1
	}
	if o.table != "" {
		if err := os.WriteFile(o.table, table(results), 0o644); err != nil {
			fmt.Fprintf(stderr, "corpus: %v\n", err)
			return 1
		}
	}
	total := sum(results)
	fmt.Fprint(stdout, total)
	if total.failed() {
		return 1
	}
	return 0
}

// all carries the documents one after the other and prints each as it ends.
func all(ctx context.Context, o options, stdout io.Writer) ([]result, error) {
	documents, err := find(o.dir, o.only)
	if err != nil {
		return nil, err
	}
	mcpgen, err := filepath.Abs(o.mcpgen)
	if err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp("", "corpus-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	proxy, err := modproxy.Open(".")
	if err != nil {
		return nil, err
	}
	defer proxy.Close()
	projects := work
	if o.keep != "" {
		projects = o.keep
	}
	var results []result
	for _, d := range documents {
		p := project{
			document: d, dir: filepath.Join(projects, d.name), mcpgen: mcpgen, library: proxy.Module,
			env: slices.Concat(os.Environ(), proxy.Env),
		}
		start := time.Now()
		r := p.carry(ctx)
		r.total = time.Since(start)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		fmt.Fprint(stdout, r)
		results = append(results, r)
		if o.keep == "" {
			os.RemoveAll(p.dir)
		}
	}
	return results, nil
}
