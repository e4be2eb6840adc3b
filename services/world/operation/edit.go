package operation

import (
	"context"
	"errors"
	"fmt"

	"github.com/pharos-mcp/pharos/services/world/crashpoint"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// outcome is what came of the blocks of a slice. What is in neither list is left
// to a later slice.
type outcome struct {
	good      []int // as planned; after the edit: written
	conflicts []int
	sample    []journal.Conflict
	changed   *journal.Conflict // a dependency that is not as it was; nothing is written then
}

func (o *outcome) conflict(i int, c journal.Conflict) {
	o.conflicts = append(o.conflicts, i)
	if len(o.sample) < journal.MaxSample {
		o.sample = append(o.sample, c)
	}
}

// errMoved takes back an edit that began after something else had changed.
var errMoved = errors.New("the world has moved on")

// moves is how often an edit is tried when others change the world meanwhile.
// After that it is left to the next slice.
const moves = 5

// edit looks at everything again and writes what is still as planned, and reads
// it back. It may not reach all of it. An error means that nothing is changed.
// Pause waits for its end.
func (j *job) edit(box geom.Box, intent []int) (done outcome, err error) {
	if len(intent) == 0 {
		return outcome{}, nil
	}
	j.gate <- struct{}{}
	defer func() { <-j.gate }()
	for range moves {
		if j.isPaused(j.op.Project) {
			return outcome{}, nil
		}
		seen, err := j.depend()
		if j.trusting {
			seen = depended{}
		}
		if err != nil || seen.changed != nil {
			return outcome{changed: seen.changed}, err
		}
		done, err = j.write(box, intent, seen)
		if !errors.Is(err, errMoved) {
			return done, err
		}
	}
	return outcome{}, nil
}

// depended is what was seen of the plan's dependencies.
type depended struct {
	changed  *journal.Conflict // the first that is not as it was
	any      bool              // there are some
	steady   bool              // all were seen at one revision of the world
	revision uint64            // this one
}

// depend reads the dependencies. They may be far from what is written and are
// not under its lock: the world's revision tells that they still stand.
func (j *job) depend() (depended, error) {
	if len(j.plan.Dependencies) == 0 {
		return depended{}, nil
	}
	positions := make([]geom.Pos, len(j.plan.Dependencies))
	for i, d := range j.plan.Dependencies {
		positions[i] = d.Pos
	}
	states, revision, steady, err := j.look(context.WithoutCancel(j.closing), positions)
	if err != nil {
		return depended{}, err
	}
	seen := depended{any: true, steady: steady, revision: revision}
	for i, d := range j.plan.Dependencies {
		if states[i] != d.State {
			seen.changed = &journal.Conflict{Pos: d.Pos, Expected: d.State, Actual: states[i]}
			return seen, nil
		}
	}
	return seen, nil
}

// write is one edit.
func (j *job) write(box geom.Box, intent []int, seen depended) (done outcome, err error) {
	cause := host.Cause{Kind: host.ByOperation, Operation: j.op.ID}
	_, err = j.Host.Edit(context.WithoutCancel(j.closing), cause, box, func(w host.Writer) error {
		if seen.any && (!seen.steady || w.Revision() != seen.revision) {
			return errMoved
		}
		start := j.Clock.Now()
		for n, i := range intent {
			if j.late(start, n) {
				return nil
			}
			if n == (len(intent)+1)/2 {
				crashpoint.At(crashpoint.EditHalf)
			}
			if c, ok := j.mismatch(w, i); ok && !j.trusting {
				done.conflict(i, c)
				continue
			}
			if err := j.set(w, i); err != nil {
				return err
			}
			done.good = append(done.good, i)
		}
		return nil
	})
	if err != nil {
		return outcome{}, err
	}
	return done, nil
}

// mismatch tells that a block must not be written: it is not as the plan saw it,
// or no longer what the operation that is taken back has.
func (j *job) mismatch(r host.Reader, i int) (journal.Conflict, bool) {
	c := j.plan.Changes[i]
	found := journal.Conflict{Pos: c.Pos, Expected: c.Before, Actual: standing(r, c.Pos)}
	if j.plan.Undoes != nil {
		if _, mine := j.mine[c.Pos]; !mine || j.revoked.has(c.Pos) {
			return found, true
		}
	}
	return found, found.Actual != c.Before
}

// set writes one block and looks whether it is there (W-17).
func (j *job) set(w host.Writer, i int) error {
	c := j.plan.Changes[i]
	if err := w.Set(c.Pos, c.After); err != nil {
		return fmt.Errorf("at %s: %w", c.Pos, err)
	}
	if now := w.At(c.Pos); now != c.After {
		return fmt.Errorf("at %s: it is %s after %s was written", c.Pos, now, c.After)
	}
	return nil
}
