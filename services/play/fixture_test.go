package play_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/internal/pg/pgtest"
	"github.com/pharos-mcp/pharos/internal/validate"
	"github.com/pharos-mcp/pharos/services/play"
	"github.com/pharos-mcp/pharos/services/play/account"
	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/scenario"
)

// password is everybody's.
const password = "correct horse battery staple"

// languages are what people read.
var languages = map[string]string{"greta": "en", "adam": "pl", "sten": "en"}

// canary stands in every text that no player may ever see.
const canary = "c4n4ry"

// world is a service with its people: greta, who owns a published scenario,
// adam, who plays, and sten, who has to do with neither.
type world struct {
	pool              *pgxpool.Pool
	service           *play.Service
	greta, adam, sten account.Account
	scenario          uuid.UUID
}

func newWorld(t *testing.T) world {
	t.Helper()
	pool := pgtest.Database(t, "play")
	w := world{
		pool: pool, service: play.New(play.Config{Pool: pool, Origin: "http://127.0.0.1"}), scenario: uuid.New(),
	}
	accounts := account.New(account.Config{Pool: pool})
	for name, a := range map[string]*account.Account{"greta": &w.greta, "adam": &w.adam, "sten": &w.sten} {
		var err error
		*a, err = accounts.Create(t.Context(), account.NewAccount{
			Username: name, DisplayName: name, Language: languages[name], Password: password,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	scenarios := scenario.New(scenario.Config{Pool: pool})
	_, err := scenarios.Create(t.Context(), w.greta.ID, scenario.NewScenario{
		ID: w.scenario, Title: "The lighthouse", Summary: canary, Language: "en",
	})
	for _, n := range []scenario.NewNode{
		{ID: "harbor", Kind: scenario.Scene, Title: "The harbor", Body: "A cold pier.", GMNotes: canary},
		{ID: "mira", Kind: scenario.NPC, Title: "Mira", Body: "Keeps the boats.", GMNotes: canary},
		{ID: "cellar", Kind: scenario.Scene, Title: canary, Body: canary, GMNotes: canary},
	} {
		if err == nil {
			_, err = scenarios.CreateNode(t.Context(), w.greta.ID, w.scenario, 1, n)
		}
	}
	if err == nil {
		_, err = scenarios.Publish(t.Context(), w.greta.ID, w.scenario, 1, 4)
	}
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// assign gives adam a part of the scenario.
func (w world) assign(t *testing.T) assignment.Seat {
	t.Helper()
	a, _, err := assignment.New(assignment.Config{Pool: w.pool, Now: time.Now}).Create(t.Context(), w.greta.ID, assignment.NewAssignment{
		ID: uuid.New(), ScenarioID: w.scenario, SourceVersion: 1, PlayerUsername: "adam", Mode: assignment.Absence,
		Language: "en", Character: "Arin", Brief: "The party sails.", Boundaries: "No deaths.", ReturnCondition: "Dawn.",
		GMNotes: canary, PublishedNodeIDs: []string{"harbor", "mira"}, AutoApprove: []string{assignment.Narrative},
	})
	if err != nil {
		t.Fatal(err)
	}
	return assignment.Seat{AssignmentID: a.ID, PlayerID: w.adam.ID, Language: "en"}
}

// tools calls the tools of a catalog as the edge does: what does not fit their
// schemas does not pass, in either direction.
type tools struct {
	catalog tool.Catalog
	set     *validate.Set
	ctx     context.Context // of who calls
}

func newTools(ctx context.Context, c tool.Catalog) tools { return tools{c, validate.New(c), ctx} }

// call gives a tool's result.
func (x tools) call(t *testing.T, name string, arguments any) (result map[string]any, err error) {
	t.Helper()
	for i := range x.catalog.Operations {
		op := &x.catalog.Operations[i]
		if op.Tool != name {
			continue
		}
		text, err := json.Marshal(arguments)
		if err != nil {
			t.Fatal(err)
		}
		if err := x.set.Arguments(op, text); err != nil {
			return nil, err
		}
		reply, err := x.catalog.Dispatch(x.ctx, nil, op, text)
		if err != nil || len(reply.Body) == 0 {
			return nil, err
		}
		whole, dropped, err := x.set.Reply(op, 200, reply.Body)
		if err != nil || dropped > 0 {
			t.Fatalf("%s breaks its schema: %d members dropped, %v\n%s", name, dropped, err, reply.Body)
		}
		if err := json.Unmarshal(whole, &result); err != nil {
			t.Fatal(err)
		}
		return result, nil
	}
	t.Fatalf("there is no tool %s", name)
	return nil, nil
}

// must is call for what must be right.
func (x tools) must(t *testing.T, name string, arguments any) map[string]any {
	t.Helper()
	result, err := x.call(t, name, arguments)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return result
}

type object = map[string]any
