package run

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ExecutorConfig bounds an executor. Zero values take the defaults.
type ExecutorConfig struct {
	Name  string        // "": the host and the process
	Slots int           // how many runs go on at once, 1 … 64; 0: 4; less: none, this process executes nothing
	Lease time.Duration // how long an executor is believed alive without a sign; 0: 30 s
	Beat  time.Duration // how often it gives one; 0: a sixth of Lease
	Poll  time.Duration // how often the queue is looked at though nobody said so; 0: 2 s
}

// withDefaults fills in what is zero.
func (c ExecutorConfig) withDefaults() ExecutorConfig {
	if c.Name == "" {
		host, _ := os.Hostname()
		c.Name = fmt.Sprintf("%.180s/%d", host, os.Getpid())
	}
	if c.Slots == 0 {
		c.Slots = 4
	}
	c.Slots = min(c.Slots, 64)
	if c.Lease <= 0 {
		c.Lease = 30 * time.Second
	}
	if c.Beat <= 0 {
		c.Beat = c.Lease / 6
	}
	if c.Poll <= 0 {
		c.Poll = 2 * time.Second
	}
	return c
}

// executor executes runs in this process.
type executor struct {
	ExecutorConfig
	id    uuid.UUID
	pool  *pgxpool.Pool
	log   *slog.Logger
	clock clock

	started time.Time
	ready   chan struct{} // there may be a run to take up, or a slot for one
	jobs    sync.WaitGroup

	mu    sync.Mutex
	held  map[uuid.UUID]*job // by lease, from before a run is taken up until after it is let go
	alive time.Time          // until when others believe this executor alive
}

func newExecutor(pool *pgxpool.Pool, log *slog.Logger, c clock, config ExecutorConfig) *executor {
	config = config.withDefaults()
	return &executor{
		ExecutorConfig: config, id: uuid.New(), pool: pool, log: log.With("executor", config.Name), clock: c,
		ready: make(chan struct{}, 1), held: map[uuid.UUID]*job{},
	}
}

// run executes runs until ctx ends, then gives back what has not ended.
func (e *executor) run(ctx context.Context) {
	if e.Slots < 0 {
		<-ctx.Done()
		return
	}
	e.started = e.clock.time()
	beats := make(chan struct{})
	life, die := context.WithCancel(context.WithoutCancel(ctx)) // beats go on while runs are given back
	go func() {
		defer close(beats)
		e.keepAlive(life)
	}()
	e.takeUp(ctx)
	e.stopAll()
	e.jobs.Wait()
	die()
	<-beats
	e.leave()
}

// takeUp takes up runs while there are slots, until ctx ends.
func (e *executor) takeUp(ctx context.Context) {
	poll := time.NewTicker(e.Poll)
	defer poll.Stop()
	for {
		for ctx.Err() == nil && e.free() {
			taken, err := e.take(ctx)
			if err != nil && ctx.Err() == nil {
				e.log.WarnContext(ctx, "taking up a run", "error", err)
			}
			if err != nil || !taken {
				break
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-e.ready:
		case <-poll.C:
		}
	}
}

// wake lets the executor look at the queue.
func (e *executor) wake() {
	select {
	case e.ready <- struct{}{}:
	default:
	}
}

// free reports whether one run more can go on.
func (e *executor) free() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.held) < e.Slots
}

// cancel tells the run with that identifier, where it is held here, that it is
// to be cancelled.
func (e *executor) cancel(id uuid.UUID) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, j := range e.held {
		if j.run == id {
			j.stop(errCancelled)
		}
	}
}

// stopAll tells all runs that the executor stops.
func (e *executor) stopAll() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, j := range e.held {
		j.stop(errStopping)
	}
}

// keep holds a job under its lease; drop lets it go.
func (e *executor) keep(lease uuid.UUID, j *job) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.held[lease] = j
}

func (e *executor) drop(lease uuid.UUID) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.held, lease)
}
