package chronicle_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/chronicle"
	"github.com/pharos-mcp/pharos/services/play/facilitator"
)

// clause: P-10, P-45
func TestContext(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.scenario(0, "The harbour",
		node{"harbor", "scene", "Harbour", "Boats.", "a secret"},
		node{"cellar", "scene", "Cellar", "Nobody may know.", "a secret"},
		node{"mira", "npc", "Mira", "A keeper.", "a secret"})
	id := s.assign(0, []string{"harbor", "mira"}, "language = 'pl', mode = 'absence', auto_approve = '{resource}', memory = 'She waits.', gm_notes = 'a secret'")

	want := chronicle.Context{
		Assignment: chronicle.Assignment{
			ID: id, Status: "active", Mode: "absence", Language: "pl", ScenarioTitle: "The harbour", SourceVersion: 1,
			GM: "The gm", Player: "The player", Character: "Arin", Brief: "Find Mira", Instructions: "Be brief",
			Boundaries: "No gore", ReturnCondition: "Dawn", AutoApprove: []string{"resource"}, CurrentScene: "harbor",
			CreatedAt: start, UpdatedAt: start,
		},
		AgentContract: facilitator.Contract("pl", "absence"),
		Materials:     []chronicle.Material{{"harbor", "scene", "Harbour", "Boats."}, {"mira", "npc", "Mira", "A keeper."}},
		Memory:        "She waits.",
		Version:       1,
		Events:        []chronicle.Entry{},
		Consequences:  []assignment.Consequence{},
	}
	got, err := s.Context(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("at the beginning (-want +got):\n%s", diff)
	}

	// Versions 2 to 12: eight turns, two reviews and the end.
	s.happen(id, turn("2"), turn("3"), review, turn("5"), turn("6"), turn("7"), turn("8"), review, turn("10"), turn("11"), finish("12"))
	s.exec("UPDATE play.assignment SET status = 'completed', summary = '12' WHERE id = $1", id)
	for v := 2; v <= 3; v++ {
		for position := 1; position <= 10; position++ {
			s.propose(id, effect{version: v, position: position, status: "pending", description: fmt.Sprint(v, " ", position)})
		}
	}
	decided := effect{version: 11, position: 1, status: "rejected", note: "No.", decided: 9, description: "newest"}
	approved := effect{version: 11, position: 2, status: "approved", description: "beforehand"}
	s.propose(id, decided, approved)

	want.Version, want.Assignment.Status = 12, "completed"
	recap := "12"
	want.Recap = &recap
	for _, v := range []int64{7, 8, 10, 11} {
		want.Events = append(want.Events, chronicle.Entry{
			Version: v, Kind: "turn", Action: "I do it.", Narration: fmt.Sprint(v), Scene: "harbor", At: at(int(v)),
		})
	}
	want.Events = append(want.Events, chronicle.Entry{
		Version: 12, Kind: "finish", Summary: "12", Scene: "harbor", At: at(12),
	})
	want.Consequences = append(want.Consequences,
		assignment.Consequence{
			ID: effectID(decided), Version: 11, Position: 1, Category: "discovery", Description: "newest", Status: "rejected", Note: "No.",
			DecidedAt: new(at(9)), CreatedAt: start,
		},
		assignment.Consequence{
			ID: effectID(approved), Version: 11, Position: 2, Category: "discovery", Description: "beforehand", Status: "approved", CreatedAt: start,
		})
	for _, v := range []int{3, 2} { // twenty in all
		for position := 1; position <= 10 && len(want.Consequences) < 20; position++ {
			want.Consequences = append(want.Consequences, assignment.Consequence{
				ID: effectID(effect{version: v, position: position}), Version: int64(v), Position: int32(position), Category: "discovery",
				Description: fmt.Sprint(v, " ", position), Status: "pending", CreatedAt: start,
			})
		}
	}
	if got, err = s.Context(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("at the end (-want +got):\n%s", diff)
	}
}

func TestUnknown(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := uuid.New()
	_, inContext := s.Context(t.Context(), id)
	_, _, inJournal := s.Journal(t.Context(), id, 0, 10)
	_, inSearch := s.Search(t.Context(), id, "x")
	_, inReport := s.ReportData(t.Context(), id, assignment.GM)
	for name, err := range map[string]error{"context": inContext, "journal": inJournal, "search": inSearch, "report": inReport} {
		if fault.CodeOf(err) != fault.NotFound {
			t.Errorf("%s: %v, want that it is not found", name, err)
		}
	}
}

// TestSnapshot reads contexts while turns are written: version, memory, events
// and consequences are of one moment.
//
// clause: P-10
func TestSnapshot(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	id := s.harbor(0)
	ctx, cancel := context.WithCancel(t.Context())
	var writing sync.WaitGroup
	defer writing.Wait()
	defer cancel()
	written := make(chan struct{}, 1)
	writing.Go(func() {
		for v := 2; ctx.Err() == nil; v++ {
			err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
				for _, sql := range []string{
					`UPDATE play.assignment SET version = $2, memory = ($2::bigint)::text WHERE id = $1`,
					`INSERT INTO play.event VALUES ($1, $2, 'turn', 'a', ($2::bigint)::text, '', 'harbor', now())`,
					`INSERT INTO play.event_text VALUES ($1, $2, ($2::bigint) - 1, 'a', '{1}')`,
					`INSERT INTO play.consequence VALUES (gen_random_uuid(), $1, $2, 1, 'resource', ($2::bigint)::text, 'pending', '', NULL, NULL, now())`,
				} {
					if _, err := tx.Exec(ctx, sql, id, v); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil && !errors.Is(err, context.Canceled) && ctx.Err() == nil {
				t.Error(err)
				return
			}
			select {
			case written <- struct{}{}:
			default:
			}
		}
	})
	<-written
	versions := map[int64]bool{}
	for len(versions) < 30 {
		c, err := s.Context(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		now := fmt.Sprint(c.Version)
		if c.Memory != now || c.Events[len(c.Events)-1].Narration != now || c.Consequences[0].Description != now {
			t.Fatalf("at version %s: memory %s, last event %s, last consequence %s",
				now, c.Memory, c.Events[len(c.Events)-1].Narration, c.Consequences[0].Description)
		}
		versions[c.Version] = true
	}
}
