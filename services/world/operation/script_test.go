package operation_test

import (
	"runtime"

	"pgregory.net/rapid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// event is something that happens in the middle of an operation.
type event struct {
	at    moment
	nth   int
	what  string
	where int
	state string
}

const (
	edits    = "edit"
	aba      = "aba"
	cancels  = "cancel"
	pauses   = "pause"
	kills    = "kill"
	loses    = "lose a reply"
	forbids  = "forbid"
	diskFull = "disk full"
)

// What happens, and when; more often what matters more.
var (
	moments    = []moment{beforeIntent, afterIntent, afterIntent, beforeFlush, beforeConfirm, afterConfirm, beforeFinish}
	happenings = []string{edits, edits, edits, aba, aba, cancels, cancels, pauses, kills, kills, loses, forbids, diskFull}
)

// script draws what happens in the middle of an operation, mostly where it is at work.
func script(t *rapid.T, k journal.Plan) (all []event) {
	where := []int{0, universe / 2, universe - 1}
	for _, c := range k.Changes {
		where = append(where, int(c.X))
	}
	for range one(t, []int{0, 1, 2, 3}, "events") {
		all = append(all, event{
			at:    one(t, moments, "at"),
			nth:   one(t, []int{1, 1, 2}, "nth"),
			what:  one(t, happenings, "what"),
			where: one(t, where, "where"),
			state: one(t, states, "state"),
		})
	}
	return all
}

// play has a script happen. It runs on the goroutine that works at the
// operation; a kill ends that.
func (p *property) play(all []event) {
	passed := map[moment]int{}
	full := 0
	pass := func(m moment) error {
		passed[m]++
		var err error
		for _, e := range all {
			if e.at != m || e.nth != passed[m] {
				continue
			}
			switch e.what {
			case edits:
				p.edit(e.where, e.state)
			case aba:
				p.aba(e.where, e.state)
			case cancels:
				p.count(cancels)
				p.cancelled = true
				_, _ = p.w.engine.Cancel(p.w.t.Context(), project, p.m.active.id) // it may have ended by now
			case pauses:
				if err := p.w.engine.Pause(p.w.t.Context(), project); err != nil {
					p.w.t.Error(err)
				}
				p.setPaused(true)
				p.stopped <- struct{}{}
			case kills:
				p.killed = true
				runtime.Goexit()
			case loses:
				if m != beforeFlush {
					err = lostReply
				}
			case forbids:
				p.w.forbid(fault.New(journal.PermissionDenied, "it was taken away"))
			case diskFull:
				if m == beforeFlush {
					full = 3
				}
			}
		}
		if m == beforeFlush && full > 0 {
			full--
			return errFull
		}
		return err
	}
	p.w.host.on(func(m moment) error {
		if m == beforeFlush {
			return pass(m)
		}
		return nil
	})
	p.w.journal.on(func(m moment) error {
		if m == afterIntent {
			p.reached(p.w.status(p.m.active.id).Status)
		}
		return pass(m)
	})
}
