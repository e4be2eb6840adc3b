package run

import (
	"time"

	"github.com/google/uuid"
)

// The bounds of a run.
const (
	maxAttempts = 20 // retries included
	maxTaken    = 3  // executors that may die of one attempt
	maxReason   = 500
)

// Run is one execution of a pipeline's version.
type Run struct {
	ID          uuid.UUID
	Project     uuid.UUID
	Pipeline    uuid.UUID
	Version     int64
	Queue       string
	Parameters  map[string]string
	State       State
	Reason      string // why it failed, or ""
	Revision    int64  // the number of commands on it: what its execution does leaves it
	Attempt     int64  // raised by each retry
	Steps       int64
	StepsDone   int64 // of this attempt
	SubmittedBy uuid.UUID
	CreatedAt   time.Time
	QueuedAt    time.Time
	StartedAt   *time.Time // of this attempt
	FinishedAt  *time.Time // of this attempt

	taken int64 // executors that took this attempt up and kept it
	held  *hold // nil unless it is running or cancelling
}

// hold says which executor has a run, and under which lease.
type hold struct{ executor, lease uuid.UUID }

// heldUnder reports whether an executor has the run under a lease.
func (r *Run) heldUnder(lease uuid.UUID) bool { return r.held != nil && r.held.lease == lease }
