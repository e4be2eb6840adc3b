package simtest

import (
	"testing"
	"time"
)

const begin = `{"scenario_id":"stage1-basic@londone","seed":7}`

// TestLeases: whoever ends a session, is idle too long, or is gone after a
// stream broke, gives the lease back, and the run is over.
//
// clause: S-04
func TestLeases(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		members map[string]any
		leave   func(c *client)
	}{
		"DELETE":      {nil, func(c *client) { c.leave(t) }},
		"idle":        {map[string]any{"idle": "1s"}, func(*client) {}},
		"lost stream": {map[string]any{"grace": "100ms"}, func(c *client) { c.listen(t)() }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := serve(t, configure(t, c.members))
			first := opened(t, p.url)
			run := first.must(t, "start_episode", begin).read(t).RunID
			c.leave(first)
			eventually(t, "the end of the run", func() bool { return ended(p.runs, run) != "" })
			if got := ended(p.runs, run); got != "aborted" {
				t.Errorf("the run ended %q", got)
			}
			got, err := first.post(t.Context(), `{"jsonrpc":"2.0","id":3,"method":"ping"}`)
			if err != nil || got.status != 404 {
				t.Errorf("the session that is over answers %d, %v", got.status, err)
			}
			if c.members["idle"] != nil {
				return // the next one would be idle before it has spoken
			}
			next := opened(t, p.url)
			if o := next.must(t, "status", `{}`).read(t); o.Lifecycle != "lobby" || o.RunID != "" {
				t.Errorf("the next one finds %+v", o)
			}
		})
	}
}

// TestStays: a client without a stream, and one that listens again in time, keep
// the lease.
//
// clause: S-04
func TestStays(t *testing.T) {
	t.Parallel()
	const grace = 300 * time.Millisecond
	p := serve(t, configure(t, map[string]any{"grace": grace.String()}))
	c := opened(t, p.url)
	run := c.must(t, "start_episode", begin).read(t).RunID
	time.Sleep(2 * grace) // without a stream there is nothing to lose
	stop := c.listen(t)
	stop()
	time.Sleep(grace / 3) // gone, but not for long
	c.listen(t)
	time.Sleep(2 * grace)
	if o := c.must(t, "status", `{}`).read(t); o.RunID != run || o.Lifecycle != "running" {
		t.Errorf("%+v, want %s", o, run)
	}
}

// TestStop: a process that is asked to end archives the run.
//
// clause: S-04
func TestStop(t *testing.T) {
	t.Parallel()
	p := serve(t, configure(t, nil))
	c := opened(t, p.url)
	c.listen(t)
	run := c.must(t, "start_episode", begin).read(t).RunID
	p.stop(t)
	if got := ends(t, p.runs)[run]; got != "aborted" {
		t.Errorf("the run ended %q", got)
	}
}

// TestReplaced: whoever starts again ends the run before.
//
// clause: S-21
func TestReplaced(t *testing.T) {
	t.Parallel()
	p := serve(t, configure(t, nil))
	c := opened(t, p.url)
	first := c.must(t, "start_episode", begin).read(t)
	c.must(t, "next_tick", `{"expected_tick":0}`)
	second := c.must(t, "start_episode", begin).read(t)
	if first.RunID == second.RunID || second.Tick != 0 {
		t.Errorf("%s, then %s at tick %d", first.RunID, second.RunID, second.Tick)
	}
	if got := ended(p.runs, first.RunID); got != "aborted:replaced" {
		t.Errorf("the first run ended %q", got)
	}
}
