package operation

import (
	"context"
	"iter"
	"log/slog"
	"sync"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/crashpoint"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/journal"
)

// Config is what an engine needs.
type Config struct {
	Host    host.Host
	Journal Journal
	// May tells whether a player may build in a project now: nil, or why not. It
	// is asked for each call and again before each slice (W-04).
	May func(ctx context.Context, project string, player uuid.UUID) error
	// Clock is nil for the computer's.
	Clock Clock
	// Unpaced works without regard to anybody else: no waiting for ticks, and no
	// bound on the time of an edit.
	Unpaced bool
	// Log gets what goes wrong beside calls; nil logs nothing.
	Log *slog.Logger

	blocks   int  // of a slice, where not SliceBlocks
	trusting bool // a slice is not looked at again: tests show that they notice
}

// Engine applies the plans of one world. It is safe for concurrent use. There
// is one for a world at a time.
type Engine struct {
	Config

	revoked *revocations
	stop    func()        // ends the observing
	gate    chan struct{} // full while a slice is being written
	decide  sync.Mutex    // one decision at a time
	record  sync.Mutex    // pauses and their ends reach the journal one by one
	pacing  pace          // of the worker alone

	closing context.Context // done when the engine closes
	cancel  context.CancelFunc
	done    chan struct{} // closed when the worker is gone

	mu       sync.Mutex
	changed  chan struct{}     // closed, and made anew, whenever something below or in the journal changes
	begun    []uuid.UUID       // what waits for the worker
	lost     bool              // an operation may have begun of which nobody was told
	paused   map[string]uint64 // projects, each with the number of its last Pause
	pauses   uint64
	stopping map[uuid.UUID]struct{} // operations that are to be cancelled
}

// Open takes over the journal of a world whose last process is gone: whatever
// that left unfinished waits for a decision from now on (W-20). Nothing else
// happens before that is durable.
func Open(ctx context.Context, c Config) (*Engine, error) {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Clock == nil {
		c.Clock = clock{}
	}
	if c.blocks == 0 {
		c.blocks = SliceBlocks
	}
	unfinished, err := c.Journal.MarkUnfinished(ctx,
		"the server stopped while this was being built; look at it with recovery_review, then decide with recovery_abandon")
	if err != nil {
		return nil, err
	}
	crashpoint.At(crashpoint.StartupMarked)
	for _, o := range unfinished {
		c.Log.Warn("an operation waits for a decision, nothing is written until then", "operation", o.ID, "reason", o.Reason)
	}
	e := &Engine{
		Config: c, revoked: newRevocations(mostDetailed, mostSections), gate: make(chan struct{}, 1),
		done: make(chan struct{}), changed: make(chan struct{}),
		paused: map[string]uint64{}, stopping: map[uuid.UUID]struct{}{},
	}
	e.closing, e.cancel = context.WithCancel(context.Background())
	e.stop = c.Host.Observe(e.revoked)
	go e.work()
	return e, nil
}

// Close ends the work after the slice that is being written, and waits for
// that. What has not ended by then waits for a decision after the next start.
func (e *Engine) Close() {
	e.cancel()
	<-e.done
	e.stop()
}

// Journal is what the engine asks of a *journal.Store.
type Journal interface {
	Plan(ctx context.Context, id uuid.UUID) (journal.Plan, error)
	Begin(ctx context.Context, r journal.Request) (o journal.Operation, created bool, err error)
	Intent(ctx context.Context, slice journal.Slice) (journal.Operation, error)
	Confirm(ctx context.Context, slice journal.Slice, sample []journal.Conflict) (journal.Operation, error)
	Finish(ctx context.Context, id uuid.UUID, status journal.Status, reason string) (journal.Operation, error)
	RequireRecovery(ctx context.Context, id uuid.UUID, reason string) (journal.Operation, error)
	Cancel(ctx context.Context, id uuid.UUID) (journal.Operation, error)
	PauseProject(ctx context.Context, project string, paused bool) error
	ProjectPaused(ctx context.Context, project string) (bool, error)
	MarkUnfinished(ctx context.Context, reason string) ([]journal.Operation, error)
	Unfinished(ctx context.Context) ([]journal.Operation, error)
	Abandon(ctx context.Context, id uuid.UUID, digest, reason string) (journal.Operation, error)
	Operation(ctx context.Context, id uuid.UUID) (journal.Operation, error)
	Slices(ctx context.Context, id uuid.UUID) ([]journal.Slice, error)
	LaterWriters(ctx context.Context, box geom.Box, after uuid.UUID) iter.Seq2[journal.Writer, error]
}

var _ Journal = (*journal.Store)(nil)
