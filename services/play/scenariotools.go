package play

import (
	"context"

	"github.com/pharos-mcp/pharos/generated/author"
	"github.com/pharos-mcp/pharos/generated/authortoolsapi"
	"github.com/pharos-mcp/pharos/services/play/scenario"
)

// scenarioTools are an author's tools for scenarios and their versions.
type scenarioTools struct{ service *Service }

// ListScenarios implements author.Handler.
func (t scenarioTools) ListScenarios(
	ctx context.Context, in *author.ListScenariosInput,
) (m authortoolsapi.ScenarioPageModel, err error) {
	owner, err := ownerOf(ctx)
	if err != nil {
		return m, err
	}
	offset := or(in.Offset, 0)
	total, page, err := t.service.scenarios.List(ctx, owner, int(offset), int(or(in.Limit, listLimit)))
	if err != nil {
		return m, err
	}
	return authortoolsapi.ScenarioPageModel{
		Total: int64(total), Offset: offset, Scenarios: each(page, scenarioItemTo),
	}, nil
}

// GetScenario implements author.Handler.
func (t scenarioTools) GetScenario(
	ctx context.Context, in *author.GetScenarioInput,
) (m authortoolsapi.ScenarioModel, err error) {
	owner, id, err := ownScenario(ctx, in.ScenarioID)
	if err != nil {
		return m, err
	}
	return scenarioTo(t.service.scenarios.Get(ctx, owner, id))
}

// CreateScenario implements author.Handler.
func (t scenarioTools) CreateScenario(
	ctx context.Context, in *author.CreateScenarioInput,
) (m authortoolsapi.ScenarioModel, err error) {
	owner, err := ownerOf(ctx)
	if err != nil {
		return m, err
	}
	id, err := identifier("id", in.Body.ID)
	if err != nil {
		return m, err
	}
	return scenarioTo(t.service.scenarios.Create(ctx, owner, scenario.NewScenario{
		ID: id, Title: in.Body.Title, Summary: or(in.Body.Summary, ""), Language: in.Body.Language,
	}))
}

// CreateScenarioVersion implements author.Handler.
func (t scenarioTools) CreateScenarioVersion(
	ctx context.Context, in *author.CreateScenarioVersionInput,
) (m authortoolsapi.ScenarioModel, err error) {
	owner, id, err := ownScenario(ctx, in.Body.ScenarioID)
	if err != nil {
		return m, err
	}
	return scenarioTo(t.service.scenarios.NewVersion(ctx, owner, id, in.Body.ExpectedLatest))
}

// PublishScenarioVersion implements author.Handler.
func (t scenarioTools) PublishScenarioVersion(
	ctx context.Context, in *author.PublishScenarioVersionInput,
) (m authortoolsapi.ScenarioModel, err error) {
	owner, id, err := ownScenario(ctx, in.Body.ScenarioID)
	if err != nil {
		return m, err
	}
	return scenarioTo(t.service.scenarios.Publish(ctx, owner, id, in.Body.Version, in.Body.ExpectedRevision))
}

// scenarioTo writes a scenario with all its versions.
func scenarioTo(s scenario.Scenario, err error) (authortoolsapi.ScenarioModel, error) {
	if err != nil {
		return authortoolsapi.ScenarioModel{}, err
	}
	item := scenarioItemTo(s)
	return authortoolsapi.ScenarioModel{
		ID: item.ID, Title: item.Title, Summary: item.Summary, Language: item.Language,
		LatestVersion: item.LatestVersion, LatestStatus: item.LatestStatus,
		CreatedAt: item.CreatedAt, UpdatedAt: item.UpdatedAt,
		Versions: each(s.Versions, func(v scenario.Version) authortoolsapi.VersionModel {
			return authortoolsapi.VersionModel{
				Version: v.Number, Status: v.Status, Revision: v.Revision,
				CreatedAt: when(v.CreatedAt), PublishedAt: whenever(v.PublishedAt),
			}
		}),
	}, nil
}

// scenarioItemTo writes a scenario of a list. The last of its versions is the
// latest, whether all are there or that one alone.
func scenarioItemTo(s scenario.Scenario) authortoolsapi.ScenarioItemModel {
	m := authortoolsapi.ScenarioItemModel{
		ID: s.ID.String(), Title: s.Title, Summary: s.Summary, Language: s.Language, LatestVersion: s.Latest,
		CreatedAt: when(s.CreatedAt), UpdatedAt: when(s.UpdatedAt),
	}
	if n := len(s.Versions); n > 0 {
		m.LatestStatus = s.Versions[n-1].Status
	}
	return m
}
