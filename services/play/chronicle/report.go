package chronicle

import (
	"context"
	"iter"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/internal/pg"
	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/report"
)

// reported is how many events of a report are read at a time.
const reported = 50

// ReportData gives what a report for somebody in a role is made of, or NotFound.
// Only the game master's has his notes.
//
// The journal is read as it is taken, a few events at a time and for as long as
// ctx lives. It is that of the version of the rest nevertheless: events never
// change, and what was decided later counts as not decided yet.
func (s *Service) ReportData(ctx context.Context, id uuid.UUID, role assignment.Role) (report.Data, error) {
	var d report.Data
	reader := ctx // the snapshot's own ends with it
	err := pg.Read(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		from, err := find(ctx, tx, id)
		if err != nil {
			return err
		}
		scenes, err := titles(ctx, tx, id)
		if err != nil {
			return err
		}
		notes, pending, err := findNotes(ctx, tx, id)
		if err != nil {
			return err
		}
		d = from.report(scenes)
		d.Pending = pending
		if role == assignment.GM {
			d.GMNotes = &notes
		}
		d.Journal = s.events(reader, from, scenes)
		return nil
	})
	if err != nil {
		return report.Data{}, err
	}
	return d, nil
}

// report begins a report with what the assignment itself says.
func (s session) report(scenes map[string]string) report.Data {
	return report.Data{
		Title: s.ScenarioTitle, SourceVersion: s.SourceVersion, GM: s.GM, Player: s.Player, Mode: s.Mode, Status: s.Status,
		Version: s.version, Scene: scenes[s.CurrentScene], CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt,
		Character: s.Character, Brief: s.Brief, Instructions: s.Instructions, Boundaries: s.Boundaries,
		ReturnCondition: s.ReturnCondition, Memory: s.memory, Summary: s.summary,
	}
}

// events reads the journal of a session as it was, with the consequences of each
// turn.
func (s *Service) events(ctx context.Context, of session, scenes map[string]string) iter.Seq2[report.Entry, error] {
	return func(yield func(report.Entry, error) bool) {
		for after := int64(0); after < of.total; after += reported {
			page, err := s.eventPage(ctx, of, scenes, after)
			if err != nil {
				yield(report.Entry{}, err)
				return
			}
			for _, e := range page {
				if !yield(e, nil) {
					return
				}
			}
		}
	}
}

// eventPage reads some events after a number.
func (s *Service) eventPage(
	ctx context.Context, of session, scenes map[string]string, after int64,
) (page []report.Entry, err error) {
	err = pg.Read(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		events, err := entries(ctx, tx, of.ID, after, of.total, reported)
		if err != nil || len(events) == 0 {
			return err
		}
		effects, err := effectsOf(ctx, tx, of.ID, events[0].Version, events[len(events)-1].Version, of.version)
		if err != nil {
			return err
		}
		page = make([]report.Entry, len(events))
		for i, e := range events {
			page[i] = report.Entry{
				Version: e.Version, Kind: e.Kind, Action: e.Action, Narration: e.Narration, Summary: e.Summary,
				Scene: scenes[e.Scene], At: e.At, Consequences: effects[e.Version],
			}
		}
		return nil
	})
	return page, err
}
