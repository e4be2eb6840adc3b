package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/pharos-mcp/pharos/internal/ballast"
)

// The goals of authority.
const (
	authorityGoal     = 1.3 // times the signatures of a call
	authorityRateGoal = 0.5 // of the calls in a second of an edge with one token
)

// How often what authority takes is measured, and how many calls at a time.
const (
	authorityRounds = 41
	authorityCalls  = 60
)

// authority measures what it takes that a call carries its caller's authority:
// the tokens alone beside their signatures alone, and the edge with a broker's
// callers and assertions beside the edge with one token for everybody.
func authority(ctx context.Context, stdout io.Writer) ([]goal, error) {
	ballast.Load() // as the programs do that this is about
	p, err := newParties()
	if err != nil {
		return nil, err
	}
	g, err := p.measure(ctx, authorityRounds, authorityCalls, stdout)
	if err != nil {
		return nil, err
	}
	work, err := os.MkdirTemp("", "bench-authority-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(work) }()
	targets, end, err := authorityTargets(ctx, work, p)
	defer end()
	if err != nil {
		return nil, err
	}
	cells, err := interleave(ctx, targets, operations, callRounds, callTime)
	if err != nil {
		return nil, err
	}
	return []goal{g, describeAuthority(stdout, cells)}, nil
}

// measure times both in turn, round after round, by the processor time of this
// process, so that other work of the machine counts little.
func (p parties) measure(ctx context.Context, rounds, calls int, stdout io.Writer) (goal, error) {
	bare, err := p.signatures()
	if err != nil {
		return goal{}, err
	}
	took := [2][]float64{} // µs a call: ours, and the signatures
	var ratios []float64
	for round := range rounds + 1 { // the first does not count
		if err := ctx.Err(); err != nil {
			return goal{}, err
		}
		var one [2]float64
		for i := range one {
			which := (i + round) % 2
			call := []func() error{p.call, bare.call}[which]
			before := now()
			for range calls {
				if err := call(); err != nil {
					return goal{}, err
				}
			}
			one[which] = float64(now().CPU-before.CPU) / float64(time.Microsecond) / float64(calls)
		}
		if round == 0 {
			continue
		}
		took[0], took[1] = append(took[0], one[0]), append(took[1], one[1])
		ratios = append(ratios, one[0]/one[1])
	}
	fmt.Fprintf(stdout, "authority: %d rounds of %d calls; verify, mint and verify %.0f µs a call, their signatures alone %.0f µs\n",
		rounds, calls, median(took[0]), median(took[1]))
	return goal{name: "authority-to-signatures", measured: median(ratios), bound: authorityGoal, unit: "x"}, nil
}

// The targets: the edge without, and with, callers of their own.
const (
	withoutAuthority = "edge, one token"
	withAuthority    = "edge, authority"
)

func authorityTargets(ctx context.Context, work string, p parties) (targets []*target, end func(), err error) {
	var ends []func()
	end = func() {
		for _, f := range ends {
			f()
		}
	}
	secret := rand.Text()
	at := func(name string) string { return filepath.Join(work, name) }
	for name, text := range map[string][]byte{"token": []byte(secret), "broker-keys.json": p.brokerKeys, "gateway.json": p.gatewayKey} {
		if err := os.WriteFile(at(name), text, 0o600); err != nil {
			return nil, end, err
		}
	}
	upstream, err := launch(ctx, role{Kind: kindUpstream})
	if err != nil {
		return nil, end, err
	}
	ends = append(ends, upstream.end)
	for _, t := range []struct {
		name   string
		role   role
		caller caller
	}{
		{withoutAuthority, role{Token: at("token")}, caller{era: withoutHandshake, token: secret}},
		{withAuthority, role{BrokerKeys: at("broker-keys.json"), GatewayKey: at("gateway.json")}, caller{era: withoutHandshake, token: p.caller}},
	} {
		t.role.Kind, t.role.Upstream, t.role.Log = kindEdge, "http://"+upstream.Address, at("log")
		served, err := launch(ctx, t.role)
		if err != nil {
			return nil, end, err
		}
		ends = append(ends, served.end)
		aimed, err := aim(t.name, served, t.caller.exchangesAt(served.Address))
		if err != nil {
			return nil, end, err
		}
		ends = append(ends, aimed.close)
		targets = append(targets, aimed)
	}
	return targets, end, nil
}

// describeAuthority prints the medians of both, and holds the worst operation and
// level against the goal. Callers show the same token again, as they do for ten
// minutes: what is left is above all the signature of each call's assertion.
func describeAuthority(stdout io.Writer, cells map[cell]samples) goal {
	worst := goal{name: "edge-rate-with-authority", measured: 1, bound: authorityRateGoal, unit: "x", least: true}
	fmt.Fprintf(stdout, "%-5s %2s  %12s %12s %7s  %12s %12s %7s\n",
		"", "c", "calls/s with", "without", "ratio", "cpu µs with", "without", "more µs")
	for _, operation := range operations {
		for _, level := range levels {
			with, without := cells[cell{withAuthority, operation, level}], cells[cell{withoutAuthority, operation, level}]
			fmt.Fprintf(stdout, "%-5s %2d  %12.0f %12.0f %7.2f  %12.0f %12.0f %7.0f\n", operation, level,
				with.median(rate), without.median(rate), with.ratio(without, rate),
				with.median(cpu), without.median(cpu), with.median(cpu)-without.median(cpu))
			worst.measured = min(worst.measured, with.ratio(without, rate))
		}
	}
	return worst
}
