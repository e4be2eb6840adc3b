package run

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/project"
)

// at is a run in a state, as the database can have it.
func at(s State) Run {
	r := Run{State: s, Attempt: 1, Steps: 2, StepsDone: 1, QueuedAt: noon}
	switch s {
	case Running, Cancelling:
		started := noon
		r.StartedAt, r.taken, r.held = &started, 1, &hold{uuid.New(), uuid.New()}
	case Succeeded, Failed, Cancelled:
		ended := noon
		r.FinishedAt, r.StepsDone = &ended, 2
	}
	if s == Failed {
		r.Reason = "step one: no"
	}
	return r
}

var later = noon.Add(time.Minute)

// Every command in every state.
//
// clause: E-40
func TestCommandStates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		state                   State
		cancel, retry, discard  command.Rejection
		cancelled               State
		cancelHappens, retryHas Kind
	}{
		{Queued, "", isUnfinished, isUnfinished, Cancelled, WasCancelled, ""},
		{Running, "", isUnfinished, isUnfinished, Cancelling, CancelRequested, ""},
		{Cancelling, isCancelling, isUnfinished, isUnfinished, Cancelling, "", ""},
		{Succeeded, isFinished, hasSucceeded, "", Succeeded, "", ""},
		{Failed, isFinished, "", "", Failed, "", Retried},
		{Cancelled, isFinished, "", "", Cancelled, "", Retried},
	} {
		r := at(c.state)
		if reason, h := r.cancel(later); reason != c.cancel || r.State != c.cancelled || h.kind != c.cancelHappens {
			t.Errorf("cancel when %s: %q, %s, %s", c.state, reason, r.State, h.kind)
		}
		r = at(c.state)
		reason, h := r.retry(later)
		if reason != c.retry || h.kind != c.retryHas {
			t.Errorf("retry when %s: %q, %s", c.state, reason, h.kind)
		}
		want := at(c.state)
		if c.retry == "" {
			want = Run{State: Queued, Attempt: 2, Steps: 2, QueuedAt: later}
		}
		if d := cmp.Diff(want, r, cmp.AllowUnexported(Run{}, hold{}), cmp.Comparer(sameHold)); d != "" {
			t.Errorf("after retry when %s (-want +got):\n%s", c.state, d)
		}
		r = at(c.state)
		if reason := r.discard(); reason != c.discard {
			t.Errorf("discard when %s: %q", c.state, reason)
		}
	}
	r := at(Failed)
	r.Attempt = maxAttempts - 1
	if reason, _ := r.retry(later); reason != "" || r.Attempt != maxAttempts {
		t.Errorf("the last retry: %q, attempt %d", reason, r.Attempt)
	}
	r.State = Failed
	if reason, _ := r.retry(later); reason != attemptLimit {
		t.Errorf("one retry too many: %q", reason)
	}
}

func sameHold(a, b *hold) bool { return (a == nil) == (b == nil) }

// What an executor does, in the states in which it has a run.
func TestExecutorStates(t *testing.T) {
	t.Parallel()
	type change func(*Run) []happening
	step := func(failed bool) change {
		return func(r *Run) []happening {
			return r.done(step{Number: 2, Name: "two", Failed: failed, Output: "out"}, later)
		}
	}
	release := func(dead bool) change { return func(r *Run) []happening { return []happening{r.release(dead, later)} } }
	worn := func(c change) change { return func(r *Run) []happening { r.taken = maxTaken; return c(r) } }
	more := func(c change) change { return func(r *Run) []happening { r.Steps = 3; return c(r) } }
	expire := func(r *Run) []happening { return []happening{r.expire(time.Second, later)} }
	for name, c := range map[string]struct {
		from   State
		change change
		to     State
		reason string
		kinds  []Kind
		taken  int64
	}{
		"the last step":                     {Running, step(false), Succeeded, "", []Kind{StepSucceeded, HasEnded}, 1},
		"a step before the last":            {Running, more(step(false)), Running, "", []Kind{StepSucceeded}, 1},
		"a step that fails":                 {Running, more(step(true)), Failed, "step two: out", []Kind{StepFailed, HasFailed}, 1},
		"a step, to be cancelled":           {Cancelling, more(step(false)), Cancelled, "", []Kind{StepSucceeded, WasCancelled}, 1},
		"the last step, to be cancelled":    {Cancelling, step(false), Cancelled, "", []Kind{StepSucceeded, WasCancelled}, 1},
		"a step that fails, to be canceled": {Cancelling, step(true), Cancelled, "", []Kind{StepFailed, WasCancelled}, 1},
		"given back":                        {Running, release(false), Queued, "", []Kind{Requeued}, 0},
		"given back, often taken":           {Running, worn(release(false)), Queued, "", []Kind{Requeued}, maxTaken - 1},
		"given back, to be cancelled":       {Cancelling, release(false), Cancelled, "", []Kind{WasCancelled}, 1},
		"taken from the dead":               {Running, release(true), Queued, "", []Kind{Requeued}, 1},
		"taken from the dead, once too often": {
			Running, worn(release(true)), Failed, "3 executors stopped while they had it", []Kind{HasFailed}, maxTaken,
		},
		"taken from the dead, to be cancelled": {Cancelling, release(true), Cancelled, "", []Kind{WasCancelled}, 1},
		"out of time":                          {Running, expire, Failed, "it took longer than the 1s that its queue allows", []Kind{HasFailed}, 1},
		"out of time, to be cancelled":         {Cancelling, expire, Cancelled, "", []Kind{WasCancelled}, 1},
	} {
		r := at(c.from)
		var kinds []Kind
		for _, h := range c.change(&r) {
			kinds = append(kinds, h.kind)
		}
		if r.State != c.to || r.Reason != c.reason || r.taken != c.taken {
			t.Errorf("%s: %s (%q), taken %d; want %s (%q), %d", name, r.State, r.Reason, r.taken, c.to, c.reason, c.taken)
		}
		if d := cmp.Diff(c.kinds, kinds); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
		if (r.held != nil) != (r.State == Running) || (r.FinishedAt != nil) != r.State.Finished() {
			t.Errorf("%s: held %v, finished %v", name, r.held, r.FinishedAt)
		}
	}
	r := at(Queued)
	r.take(hold{}, later)
	if r.State != Running || r.held == nil || r.taken != 1 || !r.StartedAt.Equal(later) {
		t.Errorf("taken up: %+v", r)
	}
	r = at(Queued)
	r.StartedAt = &noon
	if r.take(hold{}, later); !r.StartedAt.Equal(noon) {
		t.Errorf("taken up again, it has started at %s", r.StartedAt)
	}
}

// What transitions add to the usage of a project.
func TestUse(t *testing.T) {
	t.Parallel()
	started := noon
	ended := func(s State) Run { return Run{State: s, StartedAt: &started, FinishedAt: &later} }
	for name, c := range map[string]struct {
		was  State
		run  Run
		want project.Use
	}{
		"submitted":            {unborn, Run{State: Queued}, project.Use{Started: 1}},
		"retried":              {Failed, Run{State: Queued}, project.Use{Started: 1}},
		"requeued":             {Running, Run{State: Queued}, project.Use{}},
		"taken up":             {Queued, Run{State: Running}, project.Use{}},
		"succeeded":            {Running, ended(Succeeded), project.Use{Succeeded: 1, Took: time.Minute}},
		"failed":               {Running, ended(Failed), project.Use{Failed: 1, Took: time.Minute}},
		"cancelled":            {Cancelling, ended(Cancelled), project.Use{Cancelled: 1, Took: time.Minute}},
		"cancelled in a queue": {Queued, Run{State: Cancelled, FinishedAt: &later}, project.Use{Cancelled: 1}},
	} {
		if d := cmp.Diff(c.want, useOf(c.was, c.run)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}
