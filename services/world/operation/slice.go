package operation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pharos-mcp/pharos/services/world/crashpoint"
	"github.com/pharos-mcp/pharos/services/world/disk"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// slice does the next slice: look, intent, look again and write, flush, confirm.
// Its errors leave the operation in doubt.
func (j *job) slice() error {
	picked, box := j.pick()
	seen, err := j.check(picked, box)
	if err != nil {
		j.fail("the world cannot be read there", err)
		return nil
	}
	crashpoint.At(crashpoint.SliceChecked)

	s := journal.Slice{Operation: j.op.ID, Index: j.next, Intent: seen.good}
	o, err := settle(j.Engine, "intent", func(ctx context.Context) (journal.Operation, error) {
		return j.Journal.Intent(ctx, s)
	})
	if errors.Is(err, journal.ErrStop) {
		return j.stopped(o)
	}
	if err != nil {
		return fmt.Errorf("intent: %w", err)
	}
	crashpoint.At(crashpoint.IntentDurable)

	done, err := j.edit(box, seen.good)
	if err != nil { // nothing of it was written
		j.fail("the world cannot be changed there", err)
	}
	crashpoint.At(crashpoint.EditDone)
	if err := j.flush(done.good); err != nil {
		return err
	}
	crashpoint.At(crashpoint.FlushDone)
	return j.confirm(s, seen, done)
}

func (j *job) fail(what string, err error) {
	j.end = &ending{journal.Failed, what + ", what is written stays: " + disk.Plain(err)}
}

// check tells which of the blocks are as planned, before their intent.
func (j *job) check(picked []int, box geom.Box) (seen outcome, err error) {
	depended, err := j.depend()
	if err != nil || depended.changed != nil {
		return outcome{changed: depended.changed}, err
	}
	err = j.Host.View(context.WithoutCancel(j.closing), box, func(r host.Reader) error {
		for _, i := range picked {
			if c, ok := j.mismatch(r, i); ok {
				seen.conflict(i, c)
			} else {
				seen.good = append(seen.good, i)
			}
		}
		return nil
	})
	return seen, err
}

// confirm makes durable what came of a slice, and takes it off what is left.
func (j *job) confirm(s journal.Slice, seen, done outcome) error {
	s.Written = done.good
	s.Conflicts = append(seen.conflicts, done.conflicts...)
	sample := append(seen.sample, done.sample...)
	if changed := cmp.Or(seen.changed, done.changed); changed != nil {
		s.Written, s.Conflicts, sample = nil, nil, []journal.Conflict{*changed} // the rest counts at the end
		j.end = &ending{journal.Conflicted, fmt.Sprintf("the plan depends on %s at %s, where %s is now; "+
			"the rest was not written; inspect and plan again", changed.Expected, changed.Pos, changed.Actual)}
	}
	slices.Sort(s.Conflicts)
	o, err := settle(j.Engine, "confirm", func(ctx context.Context) (journal.Operation, error) {
		return j.Journal.Confirm(ctx, s, sample[:min(len(sample), journal.MaxSample)])
	})
	if err != nil {
		return fmt.Errorf("confirm: %w", err)
	}
	crashpoint.At(crashpoint.SliceConfirmed)
	j.op = o
	j.next++
	j.left = slices.DeleteFunc(j.left, func(i int) bool {
		_, written := slices.BinarySearch(s.Written, i)
		_, conflict := slices.BinarySearch(s.Conflicts, i)
		return written || conflict
	})
	return nil
}

// stopped deals with an intent that the journal did not take.
func (j *job) stopped(o journal.Operation) error {
	switch {
	case !o.Status.Active():
		return fmt.Errorf("it is %s already", o.Status)
	case o.CancelRequested:
		j.op = o // and ends before its next slice
		return nil
	default: // a pause of which this process may not know
		if j.Clock.Sleep(j.closing, firstPause) != nil {
			return errClosing
		}
		return nil
	}
}
