// Command soak keeps the edge under full load for a long time, with faults on
// both sides, and says what it held.
//
// It runs the real program, pharos, as a process of its own in front of an API
// that breaks replies in a dozen ways, and calls it as fast as it answers. Each
// call has a number of its own: every reply must be the one to that number, and
// each number must arrive at the API once. The program's resident size must be
// flat over the second half of the run, and no connection may be left after it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var o options
	flag.StringVar(&o.program, "pharos", "bin/pharos", "the program to load")
	flag.DurationVar(&o.time, "for", 30*time.Minute, "how long")
	flag.IntVar(&o.workers, "workers", 32, "how many calls at a time")
	flag.Parse()
	if flag.NArg() > 0 || o.time <= 0 || o.workers <= 0 {
		flag.Usage()
		os.Exit(2)
	}
	report, err := run(ctx, o)
	if report != "" {
		fmt.Println(report)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "edge-soak: %v\n", err)
		os.Exit(1)
	}
}

// options are what the flags say.
type options struct {
	program string
	time    time.Duration
	workers int
}

// The bounds of a run beside its load.
const (
	// judged is the shortest run whose growth is judged: memory takes its time to
	// become what it stays.
	judged = 5 * time.Minute
	// growth is how much larger the program may be at the end than in the middle.
	growth = 0.05
	// rest is how long after the load connections may still be open: the edge
	// keeps idle ones for four seconds.
	rest = 10 * time.Second
)

// run does it all and returns the closing line. Its error is whatever did not
// hold, or could not be tried.
func run(ctx context.Context, o options) (string, error) {
	api, err := newAPI()
	if err != nil {
		return "", err
	}
	defer api.close()
	p, err := start(o.program, api.url())
	if err != nil {
		return "", err
	}
	defer p.kill()
	before, err := p.sockets()
	if err != nil {
		return "", err
	}

	loading, done := context.WithTimeout(ctx, o.time)
	defer done()
	l := &load{address: p.address, path: p.path, api: api}
	var wait sync.WaitGroup
	for range o.workers {
		wait.Go(func() { l.work(loading) })
	}
	sizes, err := p.watch(loading, o.time/400)
	done()
	wait.Wait()
	if err := errors.Join(err, ctx.Err()); err != nil {
		return "", err
	}

	left, err := p.settle(before, rest)
	if err != nil {
		return "", err
	}
	faults := append(l.faults(), p.stop()...)
	repeated := api.repeated.Load()
	if repeated > 0 {
		faults = append(faults, errors.New("calls arrived twice"))
	}
	if left > 0 {
		faults = append(faults, errors.New("connections are left"))
	}
	middle, end := halves(sizes)
	grown, verdict := float64(end-middle)/float64(middle), ""
	switch {
	case o.time < judged:
		verdict = ", too short to judge"
	case grown >= growth:
		faults = append(faults, errors.New("the resident size is not flat"))
	}
	result := "ok"
	if len(faults) > 0 {
		result = "failed"
		for _, reason := range p.log.reasons() {
			fmt.Fprintf(os.Stderr, "edge-soak: %s\n", reason)
		}
	}
	return fmt.Sprintf("edge-soak: %v, %d calls (%.0f/s), %d of them with faults, %d given up; %d lost or swapped, %d twice; "+
		"resident %.1f to %.1f MiB (%+.1f %%%s); %d connections left: %s",
		o.time, l.calls.Load(), float64(l.calls.Load())/o.time.Seconds(), l.faulty.Load(), l.left.Load(), l.wrong, repeated,
		mib(middle), mib(end), 100*grown, verdict, left, result), errors.Join(faults...)
}

func mib(bytes int64) float64 { return float64(bytes) / (1 << 20) }
