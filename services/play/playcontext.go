package play

import (
	"github.com/pharos-mcp/pharos/generated/playtoolsapi"
	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/chronicle"
)

// The kinds of entries of the journal.
const (
	kindTurn   = "turn"
	kindFinish = "finish"
)

// contextTo writes a context.
func contextTo(c chronicle.Context) playtoolsapi.ContextModel {
	a := c.Assignment
	return playtoolsapi.ContextModel{
		Assignment: playtoolsapi.AssignmentModel{
			SessionID: a.ID.String(), Status: a.Status, Mode: a.Mode, Language: a.Language,
			ScenarioTitle: a.ScenarioTitle, SourceVersion: a.SourceVersion, Gm: a.GM, Player: a.Player,
			Character: a.Character, Brief: a.Brief, Instructions: a.Instructions, Boundaries: a.Boundaries,
			ReturnCondition: a.ReturnCondition, AutoApprove: append([]playtoolsapi.CategoryModel{}, a.AutoApprove...),
			CurrentScene: a.CurrentScene, CreatedAt: when(a.CreatedAt), UpdatedAt: when(a.UpdatedAt),
		},
		AgentContract: c.AgentContract,
		Materials: each(c.Materials, func(m chronicle.Material) playtoolsapi.MaterialModel {
			return playtoolsapi.MaterialModel{ID: m.ID, Kind: m.Kind, Title: m.Title, Body: m.Body}
		}),
		MemoryMarkdown: c.Memory, Version: c.Version, Recap: c.Recap,
		Events: each(c.Events, entryTo), Consequences: each(c.Consequences, consequenceTo),
	}
}

// entryTo writes an entry of the journal, with the texts that its kind has.
func entryTo(e chronicle.Entry) playtoolsapi.EntryModel {
	m := playtoolsapi.EntryModel{Version: e.Version, Kind: e.Kind, Scene: e.Scene, CreatedAt: when(e.At)}
	switch e.Kind {
	case kindTurn:
		m.Action, m.Narration = &e.Action, &e.Narration
	case kindFinish:
		m.Summary = &e.Summary
	}
	return m
}

// consequenceTo writes a consequence as it is now.
func consequenceTo(c assignment.Consequence) playtoolsapi.ConsequenceModel {
	return playtoolsapi.ConsequenceModel{
		ID: c.ID.String(), Version: c.Version, Status: c.Status, Category: c.Category,
		Description: c.Description, Note: c.Note, DecidedAt: whenever(c.DecidedAt),
	}
}
