package simtest

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"
)

// held is one session of a fight: when it connected, and when its calls were
// answered as a controller's.
type held struct {
	asked, connected time.Time
	calls            [][2]time.Time // that succeeded: begin and end
	run              string         // that it began; "" where it was displaced before
}

// fight connects again whenever it is displaced, so many times.
func fight(ctx context.Context, url string, rounds int) (all []held, err error) {
	for range rounds {
		h := held{asked: time.Now()}
		c, err := open(ctx, url)
		if ctx.Err() != nil {
			return all, nil // the other one is done, and nobody displaces this one
		}
		if err != nil {
			return all, err
		}
		h.connected = time.Now()
		for tick, displaced := int64(-1), false; !displaced; {
			tool, arguments := "next_tick", fmt.Sprintf(`{"expected_tick":%d}`, tick)
			switch {
			case tick < 0:
				tool, arguments = "start_episode", `{"scenario_id":"stage1-basic@oldtown"}`
			case tick > 3: // or the other one would wait for the disk
				tool, arguments = "status", `{}`
			}
			begun := time.Now()
			r, err := c.call(ctx, tool, arguments)
			switch {
			case ctx.Err() != nil:
				return append(all, h), nil
			case err != nil:
				return all, err
			case r.code == "CONTROLLER_DISPLACED":
				displaced = true
				continue
			case r.code != "":
				return all, fmt.Errorf("%s: %s", tool, r.text)
			}
			h.calls = append(h.calls, [2]time.Time{begun, time.Now()})
			if tick < 0 {
				h.run = runOf(r.text)
			}
			tick++
		}
		all = append(all, h)
	}
	return all, nil
}

// TestFight: two clients take the lease from each other. No two sessions are
// ever controllers at once, nobody is refused, and every run that was displaced
// says so in its log, once.
//
// clause: S-02, S-03
func TestFight(t *testing.T) {
	t.Parallel()
	rounds := 50
	if *long {
		rounds = 1000
	}
	p := serve(t, configure(t, nil))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var sides [2][]held
	var failed [2]error
	var both sync.WaitGroup
	for i := range sides {
		both.Go(func() {
			defer cancel() // who has nobody to fight with would wait for ever
			sides[i], failed[i] = fight(ctx, p.url, rounds/2+1)
		})
	}
	both.Wait()
	for _, err := range failed {
		if err != nil {
			t.Error(err)
		}
	}
	all := append(sides[0], sides[1]...)
	if len(all) < rounds {
		t.Errorf("%d rounds, want %d", len(all), rounds)
	}
	holders(t, all)
	p.stop(t)
	reasons := ends(t, p.runs)
	displaced, over := 0, 0
	for id, reason := range reasons {
		switch reason {
		case "aborted:displaced":
			displaced++
		case "aborted": // of the one that nobody displaced
			over++
		default:
			t.Errorf("%s: %q", id, reason)
		}
	}
	began := 0
	for _, h := range all {
		if h.run != "" {
			began++
			if reasons[h.run] == "" {
				t.Errorf("%s has no log with an end", h.run)
			}
		}
	}
	if over > 1 || displaced < began-1 {
		t.Errorf("of %d runs %d were displaced and %d aborted", began, displaced, over)
	}
	t.Logf("%d rounds, %d runs displaced", len(all), displaced)
}

// holders finds two controllers at once.
func holders(t *testing.T, all []held) {
	t.Helper()
	after := func(h held, at time.Time) bool {
		for _, call := range h.calls {
			if call[0].After(at) {
				return true
			}
		}
		return false
	}
	for i, one := range all {
		for _, other := range all[i+1:] {
			from := one.connected
			if other.connected.After(from) {
				from = other.connected
			}
			switch {
			case after(one, from) && after(other, from):
				t.Errorf("two controllers at once: %s and %s", one.run, other.run)
			case one.connected.Before(other.asked) && after(one, other.connected),
				other.connected.Before(one.asked) && after(other, one.connected):
				t.Errorf("a controller that was displaced still is one: %s or %s", one.run, other.run)
			}
		}
	}
}

// TestManyControllers: however many connect and stay, listening, nobody is
// refused; the latest of them are told that they were displaced, and the first
// ones that their session is over.
//
// clause: S-02, S-03
func TestManyControllers(t *testing.T) {
	t.Parallel()
	p := serve(t, configure(t, nil))
	const many = 300 // more than sessions are kept
	var all []*client
	for range many {
		c := opened(t, p.url)
		c.listen(t)
		all = append(all, c)
	}
	all[many-1].must(t, "start_episode", begin)
	for _, c := range all[many-20 : many-1] {
		c.refused(t, "CONTROLLER_DISPLACED", "status", `{}`)
	}
	eventually(t, "the end of the first session", func() bool {
		got, err := all[0].post(t.Context(), `{"jsonrpc":"2.0","id":3,"method":"ping"}`)
		ok(t, err)
		return got.status == 404
	})
	all[many-1].must(t, "next_tick", `{"expected_tick":0}`)
}
