package runindex

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/pharos-mcp/pharos/services/simulator/runlog"
)

// Keeper brings an index up to date while runs begin and end. Nobody waits for
// it: what the database cannot take now it takes later.
type Keeper struct {
	index *Index
	log   *slog.Logger

	mu      sync.Mutex
	changed map[string]bool
	wake    chan struct{}
}

// NewKeeper makes the keeper of an index.
func NewKeeper(x *Index) *Keeper {
	return &Keeper{index: x, log: x.log, changed: map[string]bool{}, wake: make(chan struct{}, 1)}
}

// Changed tells that the log of a run has begun or ended. It returns at once.
func (k *Keeper) Changed(run string) {
	k.mu.Lock()
	k.changed[run] = true
	k.mu.Unlock()
	select {
	case k.wake <- struct{}{}:
	default: // it is awake
	}
}

// The times of a keeper.
const (
	again = 10 * time.Second // after the database could not
	last  = 5 * time.Second  // for what has changed at the end
)

// Run works until ctx ends, and then once more. It begins with all logs that are
// there: of other processes, too.
func (k *Keeper) Run(ctx context.Context) {
	ids, err := runlog.Runs(k.index.folder)
	if err != nil {
		k.log.Error("run index", "error", err)
	}
	for _, id := range ids {
		k.Changed(id)
	}
	for ctx.Err() == nil {
		wait := k.wake
		var timer <-chan time.Time
		if !k.put(ctx) {
			wait, timer = nil, time.After(again)
		}
		select {
		case <-wait:
		case <-timer:
		case <-ctx.Done():
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), last)
	defer cancel()
	k.put(ctx)
}

// put writes what has changed; what cannot be written has still changed.
func (k *Keeper) put(ctx context.Context) bool {
	k.mu.Lock()
	runs := slices.Sorted(maps.Keys(k.changed))
	k.changed = map[string]bool{}
	k.mu.Unlock()
	if len(runs) == 0 {
		return true
	}
	_, err := k.index.Put(ctx, runs)
	if err == nil {
		return true
	}
	k.log.Error("run index", "runs", len(runs), "error", err)
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, id := range runs {
		k.changed[id] = true
	}
	return false
}
