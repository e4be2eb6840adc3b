package run

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/generated/platformdb"
	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/platform/hpc"
	"github.com/pharos-mcp/pharos/services/platform/page"
	"github.com/pharos-mcp/pharos/services/platform/pipeline"
)

var queries = platformdb.New()

// origin is where a run comes from, which never changes.
type origin struct {
	project, pipeline, party uuid.UUID
	version                  int64
}

// originOf gives the origin of a run; false means that there is none.
func originOf(ctx context.Context, db platformdb.DBTX, id uuid.UUID) (origin, bool, error) {
	row, err := queries.FindRun(ctx, db, id)
	found, err := pg.Found(err)
	return origin{row.ProjectID, row.PipelineID, row.SubmittedBy, row.Version}, found, err
}

// insert adds a queued run; false means that the identifier is taken.
func insert(ctx context.Context, tx pgx.Tx, r Run) (bool, error) {
	parameters, err := json.Marshal(r.Parameters)
	if err != nil {
		return false, err
	}
	n, err := queries.InsertRun(ctx, tx, platformdb.InsertRunParams{
		ID: r.ID, ProjectID: r.Project, PipelineID: r.Pipeline, Version: r.Version, Queue: r.Queue, Parameters: parameters,
		Steps: r.Steps, SubmittedBy: r.SubmittedBy, CreatedAt: r.CreatedAt,
	})
	return n == 1, err
}

// lock gives a run for a change.
func lock(ctx context.Context, tx pgx.Tx, id uuid.UUID) (Run, bool, error) {
	return oneOf(queries.LockRun(ctx, tx, id))
}

// queuesWaiting gives the queues out of which a run may go on now.
func queuesWaiting(ctx context.Context, db platformdb.DBTX, most int32) ([]string, error) {
	return queries.ListQueuesWaiting(ctx, db, most)
}

// lockQueue holds off that others take runs out of a queue.
func lockQueue(ctx context.Context, tx pgx.Tx, name string) (queue, bool, error) {
	row, err := queries.LockQueue(ctx, tx, name)
	found, err := pg.Found(err)
	return queue{
		row.State == string(hpc.Closed), row.RunningRuns, time.Duration(row.RunSeconds) * time.Second,
	}, found, err
}

// countGoing counts the runs of a queue that executors have, up to a bound.
func countGoing(ctx context.Context, tx pgx.Tx, name string, most int64) (int64, error) {
	return queries.CountGoingOn(ctx, tx, platformdb.CountGoingOnParams{Queue: name, Most: most})
}

// lockQueued gives the run that is next in a queue.
func lockQueued(ctx context.Context, tx pgx.Tx, queue string) (Run, bool, error) {
	return oneOf(queries.LockQueuedRun(ctx, tx, queue))
}

// lockOrphaned gives a run whose executor lives no more.
func lockOrphaned(ctx context.Context, tx pgx.Tx, now time.Time) (Run, bool, error) {
	return oneOf(queries.LockOrphanedRun(ctx, tx, now))
}

// update writes a locked run.
func update(ctx context.Context, tx pgx.Tx, r Run) error {
	p := platformdb.UpdateRunParams{
		ID: r.ID, State: string(r.State), Reason: r.Reason, Revision: r.Revision, Attempt: r.Attempt, Taken: r.taken,
		StepsDone: r.StepsDone, QueuedAt: r.QueuedAt, StartedAt: r.StartedAt, FinishedAt: r.FinishedAt,
	}
	if r.held != nil {
		p.ExecutorID, p.Lease = &r.held.executor, &r.held.lease
	}
	return queries.UpdateRun(ctx, tx, p)
}

// remove deletes a locked run.
func remove(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	return queries.DeleteRun(ctx, tx, id)
}

// get gives a run to a member of its project.
func get(ctx context.Context, db platformdb.DBTX, id, party uuid.UUID) (Run, bool, error) {
	return oneOf(queries.GetRun(ctx, db, platformdb.GetRunParams{ID: id, PartyID: party}))
}

// list gives the runs of a filter to a member, by the index that fits it.
func list(ctx context.Context, db platformdb.DBTX, f Filter, party uuid.UUID, p page.Page) ([]Run, error) {
	var rows []platformdb.PlatformRun
	var err error
	at, id, size := p.Below().Time, p.Below().ID, p.Fetch()
	switch {
	case f.Pipeline != nil && f.State != nil:
		rows, err = queries.ListRunsOfPipelineInState(ctx, db, platformdb.ListRunsOfPipelineInStateParams{
			PartyID: party, PipelineID: *f.Pipeline, State: string(*f.State), ProjectID: f.Project,
			BeforeTime: at, BeforeID: id, PageSize: size,
		})
	case f.Pipeline != nil:
		rows, err = queries.ListRunsOfPipeline(ctx, db, platformdb.ListRunsOfPipelineParams{
			PartyID: party, PipelineID: *f.Pipeline, ProjectID: f.Project, BeforeTime: at, BeforeID: id, PageSize: size,
		})
	case f.State != nil:
		rows, err = queries.ListRunsInState(ctx, db, platformdb.ListRunsInStateParams{
			PartyID: party, State: string(*f.State), ProjectID: f.Project, BeforeTime: at, BeforeID: id, PageSize: size,
		})
	default:
		rows, err = queries.ListRuns(ctx, db, platformdb.ListRunsParams{
			PartyID: party, ProjectID: f.Project, BeforeTime: at, BeforeID: id, PageSize: size,
		})
	}
	if err != nil {
		return nil, err
	}
	runs := make([]Run, 0, len(rows))
	for _, row := range rows {
		r, err := runOf(row)
		if err != nil {
			return nil, err
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// insertStep records a step of a locked run.
func insertStep(ctx context.Context, tx pgx.Tx, run uuid.UUID, s step) error {
	return queries.InsertRunStep(ctx, tx, platformdb.InsertRunStepParams{
		RunID: run, Attempt: s.Attempt, Number: s.Number, Name: s.Name, Kind: string(s.Kind), Failed: s.Failed,
		Output:    s.Output,
		StartedAt: s.StartedAt, FinishedAt: s.FinishedAt,
	})
}

// stepsBefore gives steps of a run, the last one first.
func stepsBefore(
	ctx context.Context, db platformdb.DBTX, run uuid.UUID, attempt, number int64, most int32,
) ([]step, error) {
	rows, err := queries.ListRunSteps(ctx, db, platformdb.ListRunStepsParams{
		RunID: run, BeforeAttempt: attempt, BeforeNumber: number, PageSize: most,
	})
	if err != nil {
		return nil, err
	}
	steps := make([]step, 0, len(rows))
	for _, row := range rows {
		steps = append(steps, step{
			row.Attempt, row.Number, row.Name, pipeline.Kind(row.Kind), row.Failed, row.Output, row.StartedAt, row.FinishedAt,
		})
	}
	return steps, nil
}

// appendEvent records what happened to a locked run as it is now.
func appendEvent(ctx context.Context, tx pgx.Tx, r Run, h happening, now time.Time) error {
	return queries.AppendRunEvent(ctx, tx, platformdb.AppendRunEventParams{
		PartyID: r.SubmittedBy, RunID: r.ID, Attempt: r.Attempt, Kind: string(h.kind), State: string(r.State), Step: h.step,
		Name: h.name, Message: shorten(h.message, maxMessage), At: now,
	})
}

// notifyQueued tells executors that there is a run to take up.
func notifyQueued(ctx context.Context, tx pgx.Tx) error { return queries.NotifyRunQueued(ctx, tx) }

// notifyCancelled tells executors that a run is to be cancelled.
func notifyCancelled(ctx context.Context, tx pgx.Tx, id uuid.UUID) error {
	return queries.NotifyRunCancelled(ctx, tx, id)
}

// eventsOf gives what happened to a run after a number.
func eventsOf(ctx context.Context, db platformdb.DBTX, run uuid.UUID, after int64, most int32) ([]Event, error) {
	rows, err := queries.ListRunEvents(ctx, db, platformdb.ListRunEventsParams{RunID: run, After: after, PageSize: most})
	if err != nil {
		return nil, err
	}
	events := make([]Event, 0, len(rows))
	for _, row := range rows {
		events = append(events, eventOf(row))
	}
	return events, nil
}

// feedOf gives what happened to the runs of a party after a number.
func feedOf(ctx context.Context, db platformdb.DBTX, party uuid.UUID, after int64, most int32) ([]Event, error) {
	rows, err := queries.ListFeed(ctx, db, platformdb.ListFeedParams{PartyID: party, After: after, PageSize: most})
	if err != nil {
		return nil, err
	}
	events := make([]Event, 0, len(rows))
	for _, row := range rows {
		events = append(events, eventOf(platformdb.ListRunEventsRow(row)))
	}
	return events, nil
}

// feedEnd gives the last number of a party's feed.
func feedEnd(ctx context.Context, db platformdb.DBTX, party uuid.UUID) (int64, error) {
	return queries.GetFeedEnd(ctx, db, party)
}

func runOf(row platformdb.PlatformRun) (Run, error) {
	r := Run{
		ID: row.ID, Project: row.ProjectID, Pipeline: row.PipelineID, Version: row.Version, Queue: row.Queue,
		State: State(row.State), Reason: row.Reason, Revision: row.Revision, Attempt: row.Attempt, taken: row.Taken,
		Steps: row.Steps, StepsDone: row.StepsDone, SubmittedBy: row.SubmittedBy, CreatedAt: row.CreatedAt,
		QueuedAt: row.QueuedAt, StartedAt: row.StartedAt, FinishedAt: row.FinishedAt,
	}
	if row.ExecutorID != nil && row.Lease != nil {
		r.held = &hold{*row.ExecutorID, *row.Lease}
	}
	return r, json.Unmarshal(row.Parameters, &r.Parameters)
}

func eventOf(row platformdb.ListRunEventsRow) Event {
	return Event{
		row.Sequence, row.RunID, row.Attempt, Kind(row.Kind), State(row.State), row.Step, row.Name, row.Message, row.At,
	}
}

func oneOf(row platformdb.PlatformRun, err error) (Run, bool, error) {
	if found, err := pg.Found(err); err != nil || !found {
		return Run{}, false, err
	}
	r, err := runOf(row)
	return r, true, err
}

// beat makes an executor known, or keeps it alive.
func beat(ctx context.Context, db platformdb.DBTX, e Live) error {
	return queries.BeatExecutor(ctx, db, platformdb.BeatExecutorParams{
		ID: e.ID, Name: e.Name, Slots: e.Slots, StartedAt: e.StartedAt, AliveUntil: e.AliveUntil,
	})
}

// known tells whether an executor is known, which it then stays until the
// transaction ends.
func known(ctx context.Context, tx pgx.Tx, executor uuid.UUID) (bool, error) {
	_, err := queries.ShareExecutor(ctx, tx, executor)
	return pg.Found(err)
}

// heldBy gives what an executor holds.
func heldBy(ctx context.Context, db platformdb.DBTX, executor uuid.UUID, most int32) ([]Run, error) {
	rows, err := queries.ListHeldRuns(ctx, db, platformdb.ListHeldRunsParams{ExecutorID: executor, Most: most})
	if err != nil {
		return nil, err
	}
	runs := make([]Run, 0, len(rows))
	for _, row := range rows {
		runs = append(runs, Run{ID: row.ID, State: State(row.State), held: &hold{executor, *row.Lease}})
	}
	return runs, nil
}

// forget forgets an executor that holds nothing.
func forget(ctx context.Context, db platformdb.DBTX, executor uuid.UUID) error {
	_, err := queries.DeleteExecutor(ctx, db, executor)
	return err
}

// forgetDead forgets some executors that live no more and hold nothing.
func forgetDead(ctx context.Context, db platformdb.DBTX, now time.Time, most int32) error {
	_, err := queries.DeleteExecutors(ctx, db, platformdb.DeleteExecutorsParams{Now: now, Most: most})
	return err
}

// liveAt gives the executors that live.
func liveAt(ctx context.Context, db platformdb.DBTX, now time.Time) ([]Live, error) {
	rows, err := queries.ListLiveExecutors(ctx, db, platformdb.ListLiveExecutorsParams{Now: now, Most: maxExecutors})
	if err != nil {
		return nil, err
	}
	live := make([]Live, 0, len(rows))
	for _, row := range rows {
		live = append(live, Live{row.ID, row.Name, row.Slots, row.Running, row.StartedAt, row.AliveUntil})
	}
	return live, nil
}

// depth counts the queue.
func depth(ctx context.Context, db platformdb.DBTX) (int64, error) {
	return queries.CountQueuedRuns(ctx, db, maxDepth)
}
