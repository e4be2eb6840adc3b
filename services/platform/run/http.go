package run

import (
	"context"
	"net/http"
	"strconv"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/generated/platformapi"
	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/page"
)

// ListRuns gives a page of the runs of the caller's projects.
func (s *Runs) ListRuns(
	ctx context.Context, r platformapi.ListRunsRequestObject,
) (platformapi.ListRunsResponseObject, error) {
	var f Filter
	var err error
	if f.Project, err = optional("project", r.Params.Project); err != nil {
		return nil, err
	}
	if f.Pipeline, err = optional("pipeline", r.Params.Pipeline); err != nil {
		return nil, err
	}
	f.State = (*State)(r.Params.State)
	kind := page.Kind("runs", textOf(r.Params.Project), textOf(r.Params.Pipeline), textOf(r.Params.State))
	p, err := page.Of(r.Params.Limit, r.Params.Cursor, kind)
	if err != nil {
		return nil, err
	}
	runs, next, err := s.List(ctx, f, p)
	return platformapi.ListRuns200JSONResponse(runsTo(runs, next)), err
}

// GetRun gives a run.
func (s *Runs) GetRun(ctx context.Context, r platformapi.GetRunRequestObject) (platformapi.GetRunResponseObject, error) {
	id, err := command.ID("id", r.ID)
	if err != nil {
		return nil, err
	}
	run, err := s.Get(ctx, id)
	return platformapi.GetRun200JSONResponse{
		Body: runTo(run), Headers: platformapi.GetRun200ResponseHeaders{ETag: command.ETag(run.Revision)},
	}, err
}

// SubmitRun queues a run.
func (s *Runs) SubmitRun(
	ctx context.Context, r platformapi.SubmitRunRequestObject,
) (platformapi.SubmitRunResponseObject, error) {
	c, err := command.Of("submitRun", r.ID, r.Params.IdempotencyKey, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	m := Submission{Version: r.Body.Version, Queue: r.Body.Queue}
	if m.Pipeline, err = command.ID("pipeline_id", r.Body.PipelineID); err != nil {
		return nil, err
	}
	if r.Body.Parameters != nil {
		m.Parameters = *r.Body.Parameters
	}
	o, detail, err := s.Submit(ctx, c, m)
	return outcome{o, detail}, err
}

// CancelRun asks a run to stop.
func (s *Runs) CancelRun(
	ctx context.Context, r platformapi.CancelRunRequestObject,
) (platformapi.CancelRunResponseObject, error) {
	c, err := command.Of("cancelRun", r.ID, r.Params.IdempotencyKey, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	o, err := s.Cancel(ctx, c)
	return outcome{Outcome: o}, err
}

// RetryRun queues a run again.
func (s *Runs) RetryRun(
	ctx context.Context, r platformapi.RetryRunRequestObject,
) (platformapi.RetryRunResponseObject, error) {
	c, err := command.Of("retryRun", r.ID, r.Params.IdempotencyKey, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	o, err := s.Retry(ctx, c)
	return outcome{Outcome: o}, err
}

// DeleteRun deletes a run that has ended.
func (s *Runs) DeleteRun(
	ctx context.Context, r platformapi.DeleteRunRequestObject,
) (platformapi.DeleteRunResponseObject, error) {
	c, err := command.Of("deleteRun", r.ID, r.Params.IdempotencyKey, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	o, err := s.Delete(ctx, c)
	return outcome{Outcome: o}, err
}

// ListRunEvents gives a page of what happened to a run.
func (s *Runs) ListRunEvents(
	ctx context.Context, r platformapi.ListRunEventsRequestObject,
) (platformapi.ListRunEventsResponseObject, error) {
	id, err := command.ID("id", r.ID)
	if err != nil {
		return nil, err
	}
	p, err := page.Of(r.Params.Limit, r.Params.Cursor, page.Kind("run events", r.ID))
	if err != nil {
		return nil, err
	}
	events, next, err := s.Events(ctx, id, p)
	return platformapi.ListRunEvents200JSONResponse(eventsTo(events, next)), err
}

// GetRunLog gives the log of a run.
func (s *Runs) GetRunLog(
	ctx context.Context, r platformapi.GetRunLogRequestObject,
) (platformapi.GetRunLogResponseObject, error) {
	id, err := command.ID("id", r.ID)
	if err != nil {
		return nil, err
	}
	text, err := s.Log(ctx, id)
	return platformapi.GetRunLog200TextResponse(text), err
}

// ListExecutors gives the executors that live.
func (s *Runs) ListExecutors(
	ctx context.Context, _ platformapi.ListExecutorsRequestObject,
) (platformapi.ListExecutorsResponseObject, error) {
	live, queued, err := s.Executors(ctx)
	return platformapi.ListExecutors200JSONResponse(executorsTo(live, queued)), err
}

// StreamEvents follows what happens to the caller's runs.
func (s *Runs) StreamEvents(
	ctx context.Context, r platformapi.StreamEventsRequestObject,
) (platformapi.StreamEventsResponseObject, error) {
	var after *int64
	if r.Params.LastEventID != nil {
		n, err := strconv.ParseInt(*r.Params.LastEventID, 10, 64)
		if err != nil || n < 1 || strconv.FormatInt(n, 10) != *r.Params.LastEventID {
			return nil, fault.New(fault.Invalid, "Last-Event-ID must be the id of an event")
		}
		after = &n
	}
	stream, err := s.Follow(ctx, after)
	if err != nil {
		return nil, err
	}
	return following{ctx, stream}, nil
}

// following is the reply that a stream is.
type following struct {
	ctx    context.Context
	stream *Stream
}

// VisitStreamEventsResponse implements platformapi.StreamEventsResponseObject.
// What ends a reply that has begun can only be its end.
func (f following) VisitStreamEventsResponse(w http.ResponseWriter) error {
	if err := f.stream.Serve(f.ctx, w); err != nil && f.ctx.Err() == nil {
		f.stream.runs.log.InfoContext(f.ctx, "a stream of events ended", "error", err)
	}
	return nil
}

// optional reads an identifier that need not be given.
func optional(name string, text *string) (*uuid.UUID, error) {
	if text == nil {
		return nil, nil
	}
	id, err := command.ID(name, *text)
	return &id, err
}

// textOf is "" for nil.
func textOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
