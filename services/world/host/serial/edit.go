package serial

import (
	"context"
	"fmt"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
)

// Edit calls f alone and takes back what it set should it fail or panic.
func (w *World) Edit(ctx context.Context, cause host.Cause, box geom.Box, f func(host.Writer) error) (uint64, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.ready(ctx); err != nil {
		return w.revision, err
	}
	if why := w.readOnly(); why != "" {
		return w.revision, fmt.Errorf("%w: %s", host.ErrReadOnly, why)
	}
	area, err := w.load(box)
	if err != nil {
		return w.revision, err
	}
	e := &edit{view: view{world: w, box: box, area: area}, before: map[geom.Pos]string{}}
	if err := e.run(f); err != nil {
		return w.revision, err
	}
	changes := e.changes(cause, w.revision+1)
	if len(changes) == 0 {
		return w.revision, nil
	}
	w.revision++
	area.Keep(changes)
	w.tell(func(o host.Observer) { o.OnBlocks(changes) })
	return w.revision, nil
}

// edit is a Writer that remembers what it changed.
type edit struct {
	view
	before map[geom.Pos]string
	order  []geom.Pos // of before, by the first Set
}

func (e *edit) run(f func(host.Writer) error) (err error) {
	done := false
	defer func() { // a panic goes on after this
		e.ended = true
		if !done || err != nil {
			e.takeBack()
		}
	}()
	err = f(e)
	done = true
	return err
}

// takeBack puts what stood before. A store that had a state takes it again, and
// if it does not, no memory of this process can be trusted any more.
func (e *edit) takeBack() {
	for i := len(e.order) - 1; i >= 0; i-- {
		p := e.order[i]
		if err := e.area.Set(p, e.before[p]); err != nil {
			panic(fmt.Sprintf("an edit cannot be taken back at %s: %v", p, err))
		}
	}
}

// Set implements host.Writer.
func (e *edit) Set(p geom.Pos, state string) error {
	e.check(p)
	switch {
	case !e.world.inHeight(p):
		return fmt.Errorf("no block can be set at %s: %w", p, errOutsideHeight)
	case !e.world.pack.Known(state):
		return fmt.Errorf("version %s has no block state %q", e.world.pack.Version(), state)
	}
	if id := e.area.Occupied(p); id != "" {
		return fmt.Errorf("no block can be set at %s: the block entity %s is there", p, id)
	}
	now := e.area.At(p)
	if now == state {
		return nil
	}
	if !e.world.pack.Known(now) { // nor could it be put back
		return fmt.Errorf("no block can be set at %s: version %s does not know what is there, %s", p, e.world.pack.Version(), now)
	}
	if err := e.area.Set(p, state); err != nil {
		return err
	}
	if _, known := e.before[p]; !known {
		e.before[p] = now
		e.order = append(e.order, p)
	}
	return nil
}

// changes are the positions that differ from before, one change each, however
// often they were set.
func (e *edit) changes(cause host.Cause, revision uint64) []host.Change {
	changes := make([]host.Change, 0, len(e.order))
	for _, p := range e.order {
		if now := e.area.At(p); now != e.before[p] {
			changes = append(changes, host.Change{Pos: p, Before: e.before[p], After: now, Cause: cause, Revision: revision})
		}
	}
	return changes
}
