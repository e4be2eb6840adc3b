package run

import (
	"net/http"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/generated/platformapi"
	"github.com/pharos-mcp/pharos/services/platform/command"
)

func runTo(r Run) platformapi.RunModel {
	return platformapi.RunModel{
		ID: r.ID.String(), ProjectID: r.Project.String(), PipelineID: r.Pipeline.String(), PipelineVersion: r.Version,
		Queue: r.Queue, Parameters: platformapi.RunParametersModel(r.Parameters), State: platformapi.RunStateModel(r.State),
		Failure: present(r.Reason), Revision: r.Revision, Attempt: r.Attempt, Steps: r.Steps, StepsDone: r.StepsDone,
		SubmittedBy: r.SubmittedBy.String(), SubmittedAt: r.CreatedAt, StartedAt: r.StartedAt, FinishedAt: r.FinishedAt,
	}
}

func runsTo(runs []Run, next *string) platformapi.RunPageModel {
	m := platformapi.RunPageModel{Items: make([]platformapi.RunModel, len(runs)), NextCursor: next}
	for i, r := range runs {
		m.Items[i] = runTo(r)
	}
	return m
}

func eventTo(e Event) platformapi.RunEventModel {
	return platformapi.RunEventModel{
		Number: e.Sequence, Kind: platformapi.RunEventKindModel(e.Kind), Attempt: e.Attempt,
		State: platformapi.RunStateModel(e.State), Step: e.Step, StepName: present(e.Name),
		Message: present(e.Message), At: e.At,
	}
}

func eventsTo(events []Event, next *string) platformapi.RunEventPageModel {
	m := platformapi.RunEventPageModel{Items: make([]platformapi.RunEventModel, len(events)), NextCursor: next}
	for i, e := range events {
		m.Items[i] = eventTo(e)
	}
	return m
}

// streamed is an event as a stream tells it, which is of many runs.
type streamed struct {
	RunID uuid.UUID `json:"run_id"`
	platformapi.RunEventModel
}

func streamedTo(e Event) streamed { return streamed{e.Run, eventTo(e)} }

func executorsTo(live []Live, queued int64) platformapi.ExecutorListModel {
	m := platformapi.ExecutorListModel{Items: make([]platformapi.ExecutorModel, len(live)), Queued: queued}
	for i, e := range live {
		m.Items[i] = platformapi.ExecutorModel{
			ID: e.ID.String(), Name: e.Name, Slots: e.Slots, Running: e.Running, StartedAt: e.StartedAt, AliveUntil: e.AliveUntil,
		}
	}
	return m
}

// outcome is the reply to a command that tells what became of it, and why.
type outcome struct {
	command.Outcome
	detail string
}

func (o outcome) write(w http.ResponseWriter) error { return o.Write(w, o.detail) }

// VisitSubmitRunResponse implements platformapi.SubmitRunResponseObject.
func (o outcome) VisitSubmitRunResponse(w http.ResponseWriter) error { return o.write(w) }

// VisitCancelRunResponse implements platformapi.CancelRunResponseObject.
func (o outcome) VisitCancelRunResponse(w http.ResponseWriter) error { return o.write(w) }

// VisitRetryRunResponse implements platformapi.RetryRunResponseObject.
func (o outcome) VisitRetryRunResponse(w http.ResponseWriter) error { return o.write(w) }

// VisitDeleteRunResponse implements platformapi.DeleteRunResponseObject.
func (o outcome) VisitDeleteRunResponse(w http.ResponseWriter) error { return o.write(w) }

// present is nil for "".
func present(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
