package edge

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/internal/ballast"
	"github.com/pharos-mcp/pharos/internal/observe"
)

// Main is a whole program that serves one catalog: it reads flags and a
// configuration, prints where it serves and what to paste into a client, and
// stops in good order on SIGINT or SIGTERM. With -stdio it serves the client
// that started it, over standard input and output. It returns the exit status: 0, 1
// where it failed and 2 where it was called wrongly.
//
//	func main() { os.Exit(edge.Main(os.Args[1:], os.Stdout, os.Stderr, petstore.Catalog())) }
func Main(args []string, stdout, stderr io.Writer, c tool.Catalog) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends it at once
	return run(ctx, args, os.Stdin, stdout, stderr, c)
}

// run is Main with a context in place of signals.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, c tool.Catalog) int {
	config, stdio, err := parseFlags(args, stderr, c)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if usage, ok := errors.AsType[usageError](err); ok {
		report(stderr, c.Name, usage)
		return 2
	}
	switch {
	case err != nil:
	case stdio:
		err = serveStdio(ctx, stdin, stdout, stderr, config, c)
	default:
		err = serve(ctx, stdout, stderr, config, c)
	}
	if err != nil {
		report(stderr, c.Name, err)
		return 1
	}
	return 0
}

func serve(ctx context.Context, stdout, stderr io.Writer, config Config, c tool.Catalog) error {
	ballast.Load()
	s, err := New(config, c, Options{Log: observe.ProgramLog(stderr)})
	if err != nil {
		return err
	}
	l, err := s.Listen()
	if err != nil {
		return err
	}
	if err := s.Announce(stdout, l.Addr()); err != nil {
		_ = l.Close()
		return err
	}
	return s.Serve(ctx, l)
}

func serveStdio(
	ctx context.Context, stdin io.Reader, stdout, stderr io.Writer, config Config, c tool.Catalog,
) error {
	s, err := New(config.ForStdio(), c, Options{Log: observe.ProgramLog(stderr)})
	if err != nil {
		return err
	}
	return s.ServeStdio(ctx, stdin, stdout)
}

// usageError is a mistake in the flags.
type usageError string

func (e usageError) Error() string { return string(e) }

// parseFlags reads the flags over the configuration file that they name.
func parseFlags(args []string, stderr io.Writer, c tool.Catalog) (config Config, stdio bool, err error) {
	flags := flag.NewFlagSet(c.Name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	file := flags.String("config", "", "read the configuration from `FILE` (JSON)")
	listen := flags.String("listen", "", "listen on `HOST:PORT` instead of "+defaultListen)
	flags.BoolVar(&stdio, "stdio", false, "serve the client that started this program, on standard input and output")
	urls := map[string]string{}
	flags.Func("upstream", "call the API of a document at a URL: `DOCUMENT=URL`, once for each", func(value string) error {
		document, url, ok := strings.Cut(value, "=")
		if !ok || document == "" || url == "" {
			return errors.New("write it as DOCUMENT=URL")
		}
		urls[document] = url
		return nil
	})
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			_, _ = fmt.Fprintf(stderr, "usage: %s [flags]\n", c.Name)
			flags.SetOutput(stderr)
			flags.PrintDefaults()
			return Config{}, false, err
		}
		return Config{}, false, usageError(err.Error())
	}
	if flags.NArg() > 0 {
		return Config{}, false, usageError(fmt.Sprintf("unexpected argument %q", flags.Arg(0)))
	}
	if *file != "" {
		if config, err = LoadConfig(*file); err != nil {
			return Config{}, false, err
		}
	}
	if *listen != "" {
		config.Listen = *listen
	}
	config.Upstreams = override(config.Upstreams, urls)
	return config, stdio, nil
}

// override puts URLs given by flags in place of those in the file.
func override(upstreams map[string]Upstream, urls map[string]string) map[string]Upstream {
	merged := maps.Clone(upstreams)
	if merged == nil {
		merged = map[string]Upstream{}
	}
	for document, url := range urls {
		u := merged[document]
		u.URL = url
		merged[document] = u
	}
	return merged
}

// report prints every problem on a line of its own.
func report(w io.Writer, program string, err error) {
	for line := range strings.SplitSeq(err.Error(), "\n") {
		_, _ = fmt.Fprintf(w, "%s: %s\n", program, line)
	}
}
