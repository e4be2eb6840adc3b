package edge

import (
	"context"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pharos-mcp/pharos/internal/admission"
)

// Gate holds the bounds that an Admission describes. A server has one of its
// own, or shares one with others of its process (Options.Gate): then a caller
// known by the same subject to several, and all callers together, have these
// bounds once and not once for each server.
type Gate struct {
	bounds  Admission
	timeout time.Duration // the longest call that a place is kept for

	arrived   atomic.Int64        // requests in this process
	addresses admission.Admission // requests of one client address; nil without a bound
	callers   admission.Admission // requests of one caller, and of all
	streams   admission.Admission // open streams of this process
	replies   replies             // memory for replies
	checks    checks              // memory for reading answers
	shared    *admission.Redis    // callers, where it is shared with other processes; else nil
}

// NewGate makes a gate for servers whose calls take up to the timeout; zero is
// the default of Config.Timeout. It connects to nothing. Its error is Problems.
func NewGate(a Admission, timeout time.Duration) (*Gate, error) {
	if timeout == 0 {
		timeout = defaultTimeout
	}
	a = a.withDefaults()
	var ps Problems
	a.check(&ps)
	if timeout < 0 || timeout > time.Duration(maxTime) {
		ps.addf("timeout: a time is at most 24h, not %v", timeout)
	}
	if len(ps) > 0 {
		return nil, ps
	}
	g := newGate(a, timeout, &ps)
	if len(ps) > 0 {
		return nil, ps
	}
	return g, nil
}

// newGate makes the gate for an admission that has its defaults and was
// checked. What is wrong with the server that it names becomes a problem.
func newGate(a Admission, timeout time.Duration, ps *Problems) *Gate {
	limits := admission.Limits{
		Rate: a.CallsPerMinute, Key: a.CallerConcurrency, All: a.Concurrency,
		Lease: timeout + patience + leaseMargin,
	}
	g := &Gate{
		bounds: a, timeout: timeout,
		callers: admission.NewMemory(limits, nil),
		// A stream that lives is never taken for one whose process is gone; and half
		// of the requests that are taken in are left for others.
		streams: admission.NewMemory(admission.Limits{
			Key: a.CallerConcurrency, All: max(1, a.Requests/2), Lease: 1 << 62,
		}, nil),
		replies: replies{limit: int64(a.ReplyBytes)},
		checks:  newChecks(max(1, int64(a.ReplyBytes)/4)),
	}
	if a.AddressPerMinute > 0 {
		g.addresses = admission.NewMemory(admission.Limits{Rate: a.AddressPerMinute}, nil)
	}
	url, place := a.RedisURL, "redis_url"
	if a.RedisFile != "" && !strings.Contains(a.RedisFile, "://") { // which is a problem already
		var err error
		if url, err = readSecret(a.RedisFile); err != nil {
			ps.addf("admission.redis_file: %v", err)
			return g
		}
		place = "redis_file"
	}
	if url == "" {
		return g
	}
	shared, err := admission.NewRedis(url, limits, nil)
	if err != nil {
		ps.addf("admission.%s: %v", place, err)
		return g
	}
	g.callers, g.shared = shared, shared
	return g
}

// Check says whether the gate can decide: whether the server that it shares its
// bounds over is there. A server with the gate asks it for /readyz.
func (g *Gate) Check(ctx context.Context) error {
	if g.shared == nil {
		return nil
	}
	return g.shared.Check(ctx)
}

// Close closes the connections of a gate, after its servers have ended.
func (g *Gate) Close() error {
	if g.shared == nil {
		return nil
	}
	return g.shared.Close()
}
