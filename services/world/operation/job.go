package operation

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// ending is how an operation ends.
type ending struct {
	status journal.Status
	reason string
}

// job is the operation that is being worked at.
type job struct {
	*Engine
	op     journal.Operation // as the journal had it last
	plan   journal.Plan
	mine   map[geom.Pos]struct{}      // of an undo, what the operation that it takes back still has by the journal
	chunks map[host.ChunkPos]struct{} // that the plan changes
	left   []int                      // places in the plan's changes that no slice has dealt with, in their order
	next   int                        // slice
	end    *ending                    // set where nothing more may be done
}

// job reads what is needed for an operation. It is nil for one that has been
// dealt with. One that is under way is an error: only the run that began it
// goes on with it.
func (e *Engine) job(id uuid.UUID) (*job, error) {
	e.mu.Lock()
	clear(e.stopping) // a later Cancel is durable before it is noted here
	e.mu.Unlock()
	o, err := settle(e, "read the operation", func(ctx context.Context) (journal.Operation, error) {
		return e.Journal.Operation(ctx, id)
	})
	switch {
	case err != nil:
		return nil, err
	case !o.Status.Active():
		return nil, nil
	case o.Status != journal.Queued:
		return nil, errors.New("nobody works at it any more")
	}
	j := &job{Engine: e, op: o}
	j.plan, err = settle(e, "read the plan", func(ctx context.Context) (journal.Plan, error) {
		return e.Journal.Plan(ctx, o.Plan)
	})
	if err != nil {
		return nil, err
	}
	if j.plan.Undoes != nil {
		j.mine, err = settle(e, "read whose the blocks are", func(ctx context.Context) (map[geom.Pos]struct{}, error) {
			return e.mine(ctx, *j.plan.Undoes, id)
		})
		if err != nil {
			return nil, err
		}
	}
	j.left, j.chunks = order(j.plan.Changes), map[host.ChunkPos]struct{}{}
	for _, c := range j.plan.Changes {
		j.chunks[chunkOf(c.Pos)] = struct{}{}
	}
	return j, nil
}

// build writes slice after slice. Its errors leave the operation in doubt.
func (j *job) build() (ending, error) {
	for len(j.left) > 0 && j.end == nil {
		ready, err := j.ready()
		if err != nil {
			return ending{}, err
		}
		if ready {
			if err := j.slice(); err != nil {
				return ending{}, err
			}
		}
	}
	switch {
	case j.end != nil:
		return *j.end, nil
	case j.op.Conflicts > 0:
		return ending{journal.Conflicted, fmt.Sprintf("%d of %d blocks were not as the plan saw them, or no longer its own, "+
			"and were left alone; inspect the region and plan again", j.op.Conflicts, j.op.Total)}, nil
	default:
		return ending{status: journal.Applied}, nil
	}
}

// ready waits for the next slice's turn, and tells whether there is one: the
// operation may have to end, which it notes.
func (j *job) ready() (bool, error) {
	if err := j.tick(j.closing); err != nil {
		return false, errClosing
	}
	for {
		changed := j.watch()
		if j.mustStop() {
			j.end = &ending{status: journal.Cancelled, reason: "it was cancelled; what is written stays"}
			return false, nil
		}
		if !j.isPaused(j.op.Project) {
			break
		}
		select {
		case <-changed:
		case <-j.closing.Done():
			return false, errClosing
		}
	}
	if err := j.May(context.WithoutCancel(j.closing), j.op.Project, j.op.Player); err != nil {
		j.fail("it may not go on", err)
		return false, nil
	}
	return true, nil
}

// mustStop tells that the operation is to be cancelled.
func (j *job) mustStop() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	_, stopping := j.stopping[j.op.ID]
	return stopping || j.op.CancelRequested
}
