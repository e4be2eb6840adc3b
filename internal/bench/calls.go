package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// The goals of a call.
const (
	proxyRateGoal = 0.6 // of the proxy's calls in a second
	proxyCPUGoal  = 2   // times the proxy's processor time a call
	sdkRateGoal   = 2.5 // times the calls in a second of a tool written for the SDK
	allocatedGoal = 24  // kB a call
)

// sdkRate is the goal that one more hop may be too slow for.
const sdkRate = "edge-rate-to-sdk"

// How often, and for how long, each kind of call is measured: often rather than
// long, so that what else the machine does for a moment falls into few rounds.
const (
	callRounds = 15
	callTime   = 80 * time.Millisecond
)

// cell is one operation at one level of one target.
type cell struct {
	target, operation string
	level             int
}

// calls measures calls of the API: direct, through a proxy, by tools written
// for the SDK, and through the edge.
func calls(ctx context.Context, stdout io.Writer) ([]goal, error) {
	work, err := os.MkdirTemp("", "bench-calls-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(work) }()
	targets, end, err := callTargets(ctx, work)
	defer end()
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(stdout, "calls: %d rounds, %v each; the edge knows its callers by a token and logs to a file\n", callRounds, callTime)
	cells, err := interleave(ctx, targets, operations, callRounds, callTime)
	if err != nil {
		return nil, err
	}
	describeCalls(stdout, targets, cells)
	return callGoals(stdout, cells), nil
}

// callTargets starts everything that is called.
func callTargets(ctx context.Context, work string) (targets []*target, end func(), err error) {
	var ends []func()
	end = func() {
		for _, f := range ends {
			f()
		}
	}
	token := filepath.Join(work, "token")
	secret := rand.Text()
	if err := os.WriteFile(token, []byte(secret), 0o600); err != nil {
		return nil, end, err
	}
	upstream, err := launch(ctx, role{Kind: kindUpstream})
	if err != nil {
		return nil, end, err
	}
	ends = append(ends, upstream.end)
	processes := map[string]*process{kindUpstream: upstream}
	for _, t := range []struct {
		name, kind string
		caller     caller
	}{
		{"direct", kindUpstream, caller{}},
		{"proxy", kindProxy, caller{}},
		{"sdk stateful", kindStateful, caller{era: withHandshake, session: true}},
		{"sdk stateless", kindStateless, caller{era: withHandshake}},
		{"edge 2025", kindEdge, caller{era: withHandshake, token: secret}},
		{"edge 2026", kindEdge, caller{era: withoutHandshake, token: secret}},
	} {
		p := processes[t.kind]
		if p == nil {
			p, err = launch(ctx, role{
				Kind: t.kind, Upstream: "http://" + upstream.Address, Token: token, Log: filepath.Join(work, "log"),
			})
			if err != nil {
				return nil, end, err
			}
			ends = append(ends, p.end)
			processes[t.kind] = p
		}
		exchanges := plain
		if t.caller.era != "" {
			exchanges = t.caller.exchangesAt(p.Address)
		}
		aimed, err := aim(t.name, p, exchanges)
		if err != nil {
			return nil, end, err
		}
		ends = append(ends, aimed.close)
		targets = append(targets, aimed)
	}
	return targets, end, nil
}

// interleave measures every operation at every level of all targets in turn,
// round after round, the other way round in every second.
func interleave(
	ctx context.Context, targets []*target, operations []string, rounds int, length time.Duration,
) (map[cell]samples, error) {
	cells := map[cell]samples{}
	for round := range rounds {
		for i, operation := range operations {
			for _, level := range levels {
				for n := range targets {
					if err := ctx.Err(); err != nil {
						return nil, err
					}
					t := targets[n]
					if round%2 == 1 {
						t = targets[len(targets)-1-n]
					}
					s, err := t.sample(i, level, length)
					if err != nil {
						return nil, err
					}
					at := cell{t.name, operation, level}
					cells[at] = append(cells[at], s)
				}
			}
		}
	}
	return cells, nil
}

// describeCalls prints the medians of everything.
func describeCalls(stdout io.Writer, targets []*target, cells map[cell]samples) {
	fmt.Fprintf(stdout, "%-5s %2s  %-14s %8s %7s %7s %8s %8s %8s %9s\n",
		"", "c", "", "calls/s", "×proxy", "×sdk", "p50 ms", "p99 ms", "cpu µs", "bytes")
	for _, operation := range operations {
		for _, level := range levels {
			of := func(name string) samples { return cells[cell{name, operation, level}] }
			proxy, sdk := of("proxy"), faster(of("sdk stateful"), of("sdk stateless"))
			for _, t := range targets {
				s := of(t.name)
				fmt.Fprintf(stdout, "%-5s %2d  %-14s %8.0f %7.2f %7.2f %8.2f %8.2f %8.0f %9.0f\n",
					operation, level, t.name, s.median(rate), s.ratio(proxy, rate), s.ratio(sdk, rate),
					milliseconds(s.latency(0.5)), milliseconds(s.latency(0.99)), s.median(cpu), s.median(allocated))
			}
		}
	}
}

func milliseconds(d time.Duration) float64 { return d.Seconds() * 1e3 }

// callGoals holds the worst operation, level and era against the goals. The
// tool written for the SDK counts in the mode that was faster.
func callGoals(stdout io.Writer, cells map[cell]samples) []goal {
	worst := []goal{
		{name: "edge-rate-to-proxy", bound: proxyRateGoal, unit: "x", least: true},
		{name: "edge-cpu-to-proxy", bound: proxyCPUGoal, unit: "x"},
		{name: sdkRate, bound: sdkRateGoal, unit: "x", least: true},
		{name: "edge-bytes-a-call", bound: allocatedGoal, unit: "kB"},
	}
	where := make([]cell, len(worst))
	for _, operation := range operations {
		for _, level := range levels {
			of := func(name string) samples { return cells[cell{name, operation, level}] }
			proxy, sdk := of("proxy"), faster(of("sdk stateful"), of("sdk stateless"))
			for _, name := range []string{"edge 2025", "edge 2026"} {
				edge := of(name)
				for i, measured := range []float64{
					edge.ratio(proxy, rate), edge.ratio(proxy, cpu), edge.ratio(sdk, rate), edge.median(allocated) / 1000,
				} {
					if where[i].level == 0 || worst[i].worse(measured) {
						worst[i].measured, where[i] = measured, cell{name, operation, level}
					}
				}
			}
		}
	}
	for i, g := range worst {
		at := where[i]
		fmt.Fprintf(stdout, "%s is worst with %s, %s, %d at a time\n", g.name, at.target, at.operation, at.level)
		if g.name == sdkRate {
			of := func(name string) samples { return cells[cell{name, at.operation, at.level}] }
			reached := of("proxy").ratio(faster(of("sdk stateful"), of("sdk stateless")), rate)
			fmt.Fprintf(stdout, "%s: the plain proxy, with no MCP at all, reaches %.4gx there\n", g.name, reached)
		}
	}
	return worst
}

// faster is the one of two with more calls in a second.
func faster(a, b samples) samples {
	if b.median(rate) > a.median(rate) {
		return b
	}
	return a
}
