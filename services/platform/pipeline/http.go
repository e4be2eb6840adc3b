package pipeline

import (
	"context"

	"github.com/pharos-mcp/pharos/generated/platformapi"
	"github.com/pharos-mcp/pharos/services/platform/command"
	"github.com/pharos-mcp/pharos/services/platform/page"
)

// ListPipelines gives a page of the pipelines of the caller's projects.
func (s *Pipelines) ListPipelines(
	ctx context.Context, r platformapi.ListPipelinesRequestObject,
) (platformapi.ListPipelinesResponseObject, error) {
	f := Filter{State: (*State)(r.Params.State)}
	if r.Params.Project != nil {
		id, err := command.ID("project", *r.Params.Project)
		if err != nil {
			return nil, err
		}
		f.Project = &id
	}
	kind := page.Kind("pipelines", textOf(r.Params.Project), textOf(r.Params.State))
	p, err := page.Of(r.Params.Limit, r.Params.Cursor, kind)
	if err != nil {
		return nil, err
	}
	pipelines, next, err := s.List(ctx, f, p)
	return platformapi.ListPipelines200JSONResponse(pipelinesTo(pipelines, next)), err
}

// GetPipeline gives a pipeline.
func (s *Pipelines) GetPipeline(
	ctx context.Context, r platformapi.GetPipelineRequestObject,
) (platformapi.GetPipelineResponseObject, error) {
	id, err := command.ID("id", r.ID)
	if err != nil {
		return nil, err
	}
	p, err := s.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	m, err := pipelineTo(p)
	return platformapi.GetPipeline200JSONResponse{
		Body: m, Headers: platformapi.GetPipeline200ResponseHeaders{ETag: command.ETag(p.Revision)},
	}, err
}

// CreatePipeline makes a pipeline.
func (s *Pipelines) CreatePipeline(
	ctx context.Context, r platformapi.CreatePipelineRequestObject,
) (platformapi.CreatePipelineResponseObject, error) {
	c, err := command.Of("createPipeline", r.ID, r.Params.IdempotencyKey, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	n := Content{Name: r.Body.Name, Description: textOf(r.Body.Description)}
	if n.Project, err = command.ID("project_id", r.Body.ProjectID); err != nil {
		return nil, err
	}
	if n.Definition, err = definitionFrom(r.Body.Definition); err != nil {
		return nil, err
	}
	made, refusal, err := s.Create(ctx, c, n)
	if err != nil {
		return nil, err
	}
	if made.Rejection != "" {
		return outcomeOf(made.Outcome, refusal), nil
	}
	body, err := pipelineTo(made.Value)
	return platformapi.CreatePipeline201JSONResponse{
		Body: body, Headers: platformapi.CreatePipeline201ResponseHeaders{ETag: command.ETag(made.Version)},
	}, err
}

// RevisePipeline changes a pipeline.
func (s *Pipelines) RevisePipeline(
	ctx context.Context, r platformapi.RevisePipelineRequestObject,
) (platformapi.RevisePipelineResponseObject, error) {
	c, err := command.Of("revisePipeline", r.ID, r.Params.IdempotencyKey, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	change := Change{Name: r.Body.Name, Description: r.Body.Description}
	if r.Body.Definition != nil {
		d, err := definitionFrom(*r.Body.Definition)
		if err != nil {
			return nil, err
		}
		change.Definition = &d
	}
	o, refusal, err := s.Revise(ctx, c, change)
	return outcomeOf(o, refusal), err
}

// PublishPipeline publishes a pipeline's newest version.
func (s *Pipelines) PublishPipeline(
	ctx context.Context, r platformapi.PublishPipelineRequestObject,
) (platformapi.PublishPipelineResponseObject, error) {
	c, err := command.Of("publishPipeline", r.ID, r.Params.IdempotencyKey, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	o, err := s.Publish(ctx, c)
	return outcome{Outcome: o}, err
}

// RetirePipeline takes a pipeline out of use.
func (s *Pipelines) RetirePipeline(
	ctx context.Context, r platformapi.RetirePipelineRequestObject,
) (platformapi.RetirePipelineResponseObject, error) {
	c, err := command.Of("retirePipeline", r.ID, r.Params.IdempotencyKey, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	o, err := s.Retire(ctx, c)
	return outcome{Outcome: o}, err
}

// DeletePipeline deletes a draft.
func (s *Pipelines) DeletePipeline(
	ctx context.Context, r platformapi.DeletePipelineRequestObject,
) (platformapi.DeletePipelineResponseObject, error) {
	c, err := command.Of("deletePipeline", r.ID, r.Params.IdempotencyKey, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	o, err := s.Delete(ctx, c)
	return outcome{Outcome: o}, err
}

// ListPipelineVersions gives a page of a pipeline's versions.
func (s *Pipelines) ListPipelineVersions(
	ctx context.Context, r platformapi.ListPipelineVersionsRequestObject,
) (platformapi.ListPipelineVersionsResponseObject, error) {
	id, err := command.ID("id", r.ID)
	if err != nil {
		return nil, err
	}
	p, err := page.Of(r.Params.Limit, r.Params.Cursor, page.Kind("pipeline versions", r.ID))
	if err != nil {
		return nil, err
	}
	versions, next, err := s.Versions(ctx, id, p)
	if err != nil {
		return nil, err
	}
	m, err := versionsTo(versions, next)
	return platformapi.ListPipelineVersions200JSONResponse(m), err
}

// textOf is "" for nil.
func textOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
