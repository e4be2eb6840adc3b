package pipeline

import (
	"encoding/json"
	"net/http"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/generated/platformapi"
	"github.com/pharos-mcp/pharos/services/platform/command"
)

// definitionFrom reads a definition. Its steps are one of several types each,
// which have the members of Step in common.
func definitionFrom(m platformapi.DefinitionModel) (Definition, error) {
	d := Definition{Parameters: make([]Parameter, len(m.Parameters)), Steps: make([]Step, len(m.Steps))}
	for i, p := range m.Parameters {
		d.Parameters[i] = Parameter{Name: p.Name, Default: p.Default}
	}
	for i, s := range m.Steps {
		text, err := s.MarshalJSON()
		if err == nil {
			err = json.Unmarshal(text, &d.Steps[i])
		}
		if err != nil {
			return Definition{}, fault.Newf(fault.Invalid, "steps[%d] is no step", i)
		}
	}
	return d, nil
}

func definitionTo(d Definition) (platformapi.DefinitionModel, error) {
	m := platformapi.DefinitionModel{
		Parameters: make([]platformapi.PipelineParameterModel, len(d.Parameters)),
		Steps:      make([]platformapi.StepModel, len(d.Steps)),
	}
	for i, p := range d.Parameters {
		m.Parameters[i] = platformapi.PipelineParameterModel{Name: p.Name, Default: p.Default}
	}
	for i, s := range d.Steps {
		if err := stepTo(s, &m.Steps[i]); err != nil {
			return platformapi.DefinitionModel{}, err
		}
	}
	return m, nil
}

func stepTo(s Step, m *platformapi.StepModel) error {
	switch s.Kind {
	case Echo:
		return m.FromEchoStepModel(platformapi.EchoStepModel{Kind: string(Echo), Name: s.Name, Text: s.Text})
	case Hash:
		return m.FromHashStepModel(platformapi.HashStepModel{Kind: string(Hash), Name: s.Name, Text: s.Text, Rounds: s.Rounds})
	case Wait:
		return m.FromWaitStepModel(platformapi.WaitStepModel{Kind: string(Wait), Name: s.Name, Milliseconds: s.Milliseconds})
	default:
		return m.FromFailStepModel(platformapi.FailStepModel{Kind: string(Fail), Name: s.Name, Message: s.Message})
	}
}

func pipelineTo(p Pipeline) (platformapi.PipelineModel, error) {
	definition, err := definitionTo(p.Definition)
	return platformapi.PipelineModel{
		ID: p.ID.String(), ProjectID: p.Project.String(), Name: p.Name, Description: p.Description,
		State: platformapi.PipelineStateModel(p.State), Version: p.Latest, PublishedVersion: published(p),
		Definition: definition,
		Revision:   p.Revision, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}, err
}

func pipelinesTo(pipelines []Pipeline, next *string) platformapi.PipelinePageModel {
	m := platformapi.PipelinePageModel{Items: make([]platformapi.PipelineSummaryModel, len(pipelines)), NextCursor: next}
	for i, p := range pipelines {
		m.Items[i] = platformapi.PipelineSummaryModel{
			ID: p.ID.String(), ProjectID: p.Project.String(), Name: p.Name, Description: p.Description,
			State: platformapi.PipelineStateModel(p.State), Version: p.Latest, PublishedVersion: published(p),
			Revision: p.Revision, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
		}
	}
	return m
}

func versionsTo(versions []Version, next *string) (platformapi.PipelineVersionPageModel, error) {
	m := platformapi.PipelineVersionPageModel{
		Items: make([]platformapi.PipelineVersionModel, len(versions)), NextCursor: next,
	}
	for i, v := range versions {
		definition, err := definitionTo(v.Definition)
		if err != nil {
			return platformapi.PipelineVersionPageModel{}, err
		}
		m.Items[i] = platformapi.PipelineVersionModel{
			Version: v.Number, Published: v.PublishedAt != nil, Definition: definition,
			CreatedAt: v.CreatedAt, PublishedAt: v.PublishedAt,
		}
	}
	return m, nil
}

// published is 0 for a draft.
func published(p Pipeline) int64 {
	if p.Published == nil {
		return 0
	}
	return *p.Published
}

// outcome is the reply to a command that tells what became of it, and why.
type outcome struct {
	command.Outcome
	detail string
}

// outcomeOf tells the detail of a refusal where the command was rejected for
// it.
func outcomeOf(o command.Outcome, r Refusal) outcome {
	if r.Reason != "" && o.Rejection == r.Reason {
		return outcome{o, r.Detail}
	}
	return outcome{Outcome: o}
}

func (o outcome) write(w http.ResponseWriter) error { return o.Write(w, o.detail) }

// VisitCreatePipelineResponse implements platformapi.CreatePipelineResponseObject.
func (o outcome) VisitCreatePipelineResponse(w http.ResponseWriter) error { return o.write(w) }

// VisitRevisePipelineResponse implements platformapi.RevisePipelineResponseObject.
func (o outcome) VisitRevisePipelineResponse(w http.ResponseWriter) error { return o.write(w) }

// VisitPublishPipelineResponse implements platformapi.PublishPipelineResponseObject.
func (o outcome) VisitPublishPipelineResponse(w http.ResponseWriter) error { return o.write(w) }

// VisitRetirePipelineResponse implements platformapi.RetirePipelineResponseObject.
func (o outcome) VisitRetirePipelineResponse(w http.ResponseWriter) error { return o.write(w) }

// VisitDeletePipelineResponse implements platformapi.DeletePipelineResponseObject.
func (o outcome) VisitDeletePipelineResponse(w http.ResponseWriter) error { return o.write(w) }
