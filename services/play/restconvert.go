package play

import (
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/generated/playapi"
	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/chronicle"
)

// newPlayFrom reads a new assignment.
func newPlayFrom(m playapi.NewPlayModel) (n assignment.NewAssignment, err error) {
	n = assignment.NewAssignment{
		SourceVersion: m.SourceVersion, PlayerUsername: m.PlayerUsername,
		Mode: string(m.Mode), Language: string(m.Language), Character: m.Character, Brief: m.Brief,
		Instructions: or(m.Instructions, ""), Boundaries: m.Boundaries, ReturnCondition: m.ReturnCondition,
		GMNotes: or(m.GmNotes, ""), PublishedNodeIDs: m.PublishedNodeIds,
		AutoApprove: each(m.AutoApprove, func(c playapi.CategoryModel) string { return string(c) }),
	}
	if n.ID, err = identifier("id", m.ID); err != nil {
		return n, err
	}
	n.ScenarioID, err = identifier("scenario_id", m.ScenarioID)
	return n, err
}

// playTo writes an assignment for somebody in a role. The notes of the game
// master are for him alone, whatever is given.
func playTo(a assignment.Assignment, role assignment.Role) playapi.PlayModel {
	m := playapi.PlayModel{
		ID: a.ID.String(), Role: playapi.RoleModel(role), ScenarioID: a.ScenarioID.String(),
		ScenarioTitle: a.ScenarioTitle, SourceVersion: a.SourceVersion, Gm: personTo(a.GM), Player: personTo(a.Player),
		Mode: playapi.ModeModel(a.Mode), Language: playapi.LanguageModel(a.Language),
		Status: playapi.PlayStatusModel(a.Status), Version: a.Version, Character: a.Character, Brief: a.Brief,
		Instructions: a.Instructions, Boundaries: a.Boundaries, ReturnCondition: a.ReturnCondition,
		PublishedNodeIds: append([]playapi.SlugModel{}, a.PublishedNodeIDs...),
		AutoApprove:      each(a.AutoApprove, func(c string) playapi.CategoryModel { return playapi.CategoryModel(c) }),
		MemoryMarkdown:   a.Memory, CurrentScene: a.CurrentScene, Summary: a.Summary, PendingConsequences: a.Pending,
		CreatedAt: a.CreatedAt.UTC(), UpdatedAt: a.UpdatedAt.UTC(),
	}
	if role == assignment.GM {
		m.GmNotes = &a.GMNotes
	}
	if a.Token != nil {
		m.Access = &playapi.AccessInfoModel{CreatedAt: a.Token.CreatedAt.UTC(), ExpiresAt: a.Token.ExpiresAt.UTC()}
	}
	return m
}

// playItemTo writes an assignment of the viewer's list.
func playItemTo(a assignment.Assignment, viewer uuid.UUID) playapi.PlayItemModel {
	role := playapi.RoleModelPlayer
	if a.GM.ID == viewer {
		role = playapi.RoleModelGm
	}
	return playapi.PlayItemModel{
		ID: a.ID.String(), Role: role, ScenarioID: a.ScenarioID.String(), ScenarioTitle: a.ScenarioTitle,
		Character:     a.Character,
		SourceVersion: a.SourceVersion, Gm: personTo(a.GM), Player: personTo(a.Player),
		Mode: playapi.ModeModel(a.Mode), Language: playapi.LanguageModel(a.Language),
		Status: playapi.PlayStatusModel(a.Status), Version: a.Version, CurrentScene: a.CurrentScene,
		PendingConsequences: a.Pending, CreatedAt: a.CreatedAt.UTC(), UpdatedAt: a.UpdatedAt.UTC(),
	}
}

func personTo(p assignment.Person) playapi.PersonModel {
	return playapi.PersonModel{Username: p.Username, DisplayName: p.DisplayName}
}

// restEntryTo writes an entry of the journal, with the texts that its kind has.
func restEntryTo(e chronicle.Entry) playapi.EntryModel {
	m := playapi.EntryModel{
		Version: e.Version, Kind: playapi.EventKindModel(e.Kind), Scene: e.Scene, CreatedAt: e.At.UTC(),
	}
	switch m.Kind {
	case playapi.EventKindModelTurn:
		m.Action, m.Narration = &e.Action, &e.Narration
	case playapi.EventKindModelFinish:
		m.Summary = &e.Summary
	}
	return m
}

// restConsequenceTo writes a consequence as it is now.
func restConsequenceTo(c assignment.Consequence) playapi.ConsequenceModel {
	return playapi.ConsequenceModel{
		ID: c.ID.String(), Version: c.Version, Category: playapi.CategoryModel(c.Category), Description: c.Description,
		Status: playapi.ConsequenceStatusModel(c.Status), Note: c.Note, DecidedAt: inUTC(c.DecidedAt),
		CreatedAt: c.CreatedAt.UTC(),
	}
}

func inUTC(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	utc := t.UTC()
	return &utc
}
