package run

import (
	"fmt"
	"time"

	"github.com/pharos-mcp/pharos/services/platform/command"
)

// State is the state of a run.
type State string

// The states. The last three are final, but for a retry.
const (
	Queued     State = "queued"
	Running    State = "running"
	Cancelling State = "cancelling"
	Succeeded  State = "succeeded"
	Failed     State = "failed"
	Cancelled  State = "cancelled"
)

// Finished reports whether a run in the state has ended.
func (s State) Finished() bool { return s == Succeeded || s == Failed || s == Cancelled }

// The rejections of commands that a run's state does not allow.
const (
	isFinished   command.Rejection = "run_finished"
	isCancelling command.Rejection = "run_cancelling"
	isUnfinished command.Rejection = "run_unfinished"
	hasSucceeded command.Rejection = "run_succeeded"
	attemptLimit command.Rejection = "attempt_limit"
)

// The transitions. Each changes the run and says what happened, or changes
// nothing.

// cancel is asked for by a command. A run that nobody executes ends at once.
func (r *Run) cancel(now time.Time) (command.Rejection, happening) {
	switch r.State {
	case Queued:
		return "", r.end(Cancelled, "", now)
	case Running:
		r.State = Cancelling
		return "", happening{kind: CancelRequested}
	case Cancelling:
		return isCancelling, happening{}
	default:
		return isFinished, happening{}
	}
}

// retry begins a new attempt, by a command.
func (r *Run) retry(now time.Time) (command.Rejection, happening) {
	switch {
	case r.State == Succeeded:
		return hasSucceeded, happening{}
	case !r.State.Finished():
		return isUnfinished, happening{}
	case r.Attempt >= maxAttempts:
		return attemptLimit, happening{}
	}
	r.State, r.Reason, r.StepsDone, r.taken = Queued, "", 0, 0
	r.Attempt++
	r.QueuedAt, r.StartedAt, r.FinishedAt = now, nil, nil
	return "", happening{kind: Retried}
}

// discard says whether a command may delete the run.
func (r *Run) discard() command.Rejection {
	if !r.State.Finished() {
		return isUnfinished
	}
	return ""
}

// take gives a queued run to an executor.
func (r *Run) take(h hold, now time.Time) happening {
	r.State, r.held = Running, &h
	r.taken++
	if r.StartedAt == nil {
		r.StartedAt = &now
	}
	return happening{kind: Started}
}

// done counts a step as executed, and ends the run where that was the last one,
// where it failed, or where the run is to be cancelled.
func (r *Run) done(s step, now time.Time) []happening {
	r.StepsDone++
	ended := happening{kind: StepSucceeded, step: &s.Number, name: s.Name, message: s.Output}
	if s.Failed {
		ended.kind = StepFailed
	}
	all := []happening{ended}
	switch {
	case r.State == Cancelling:
		return append(all, r.end(Cancelled, "", now))
	case s.Failed:
		return append(all, r.end(Failed, fmt.Sprintf("step %s: %s", s.Name, s.Output), now))
	case r.StepsDone == r.Steps:
		return append(all, r.end(Succeeded, "", now))
	}
	return all
}

// expire ends a run that takes longer than its queue allows.
func (r *Run) expire(limit time.Duration, now time.Time) happening {
	if r.State == Cancelling {
		return r.end(Cancelled, "", now)
	}
	return r.end(Failed, fmt.Sprintf("it took longer than the %s that its queue allows", limit), now)
}

// release takes a run from its executor, which stops or stopped before the run
// ended. It is queued again, with its old place in the queue, unless it is to
// be cancelled. A dead executor counts, and too many end the attempt.
func (r *Run) release(dead bool, now time.Time) happening {
	switch {
	case r.State == Cancelling:
		return r.end(Cancelled, "", now)
	case dead && r.taken >= maxTaken:
		return r.end(Failed, fmt.Sprintf("%d executors stopped while they had it", r.taken), now)
	}
	r.State, r.held = Queued, nil
	if !dead {
		r.taken--
		return happening{kind: Requeued, message: "its executor stops"}
	}
	return happening{kind: Requeued, message: "its executor is gone"}
}

// end ends the attempt.
func (r *Run) end(as State, reason string, now time.Time) happening {
	r.State, r.Reason, r.held = as, shorten(reason, maxReason), nil
	r.FinishedAt = &now
	return happening{kind: Kind(as), message: r.Reason}
}
