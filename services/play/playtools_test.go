package play_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/internal/validate"
	"github.com/pharos-mcp/pharos/services/play/assignment"
)

// players are the tools of a seat.
func (w world) players(t *testing.T, seat assignment.Seat) tools {
	return newTools(assignment.WithSeat(t.Context(), seat), w.service.PlayCatalog())
}

// turn is the arguments of a turn.
func turn(version int) object {
	return object{
		"operation_id": uuid.NewString(), "expected_version": version, "player_action": "I search the pier.",
		"narration": "You find a torn page.", "memory_markdown": "# Current state\nThe page is found: Żółw.",
		"current_scene": "harbor", "consequences": []object{
			{"category": "relationship", "description": "Mira is a contact."},
			{"category": "narrative", "description": "The keeper is gone."},
		},
	}
}

// TestPlayTools goes through a session.
//
// clause: P-10, P-11, P-12, P-13, P-15, P-18, P-21
func TestPlayTools(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	seat := w.assign(t)
	x := w.players(t, seat)

	begun := x.must(t, "get_play_context", object{})
	about := begun["assignment"].(object)
	got := []any{begun["version"], begun["recap"], begun["events"], about["session_id"], about["gm"], about["current_scene"]}
	if diff := cmp.Diff([]any{1., nil, []any{}, seat.AssignmentID.String(), "greta", "harbor"}, got); diff != "" {
		t.Errorf("the context begins otherwise (-want +got):\n%s", diff)
	}

	arguments := turn(1)
	receipt := x.must(t, "commit_play_turn", arguments)
	recorded := receipt["consequences"].([]any)
	ids := []any{recorded[0].(object)["id"], recorded[1].(object)["id"]}
	want := object{
		"session_id": seat.AssignmentID.String(), "version": 2., "replayed": false, "consequences": []any{
			object{"id": ids[0], "status": "pending", "category": "relationship", "description": "Mira is a contact."},
			object{"id": ids[1], "status": "approved", "category": "narrative", "description": "The keeper is gone."},
		},
	}
	if diff := cmp.Diff(want, receipt); diff != "" {
		t.Errorf("the receipt (-want +got):\n%s", diff)
	}
	want["replayed"] = true
	if diff := cmp.Diff(want, x.must(t, "commit_play_turn", arguments)); diff != "" {
		t.Errorf("the receipt again (-want +got):\n%s", diff)
	}

	finish := object{"operation_id": uuid.NewString(), "expected_version": 2, "summary": "Arin is back."}
	done := x.must(t, "finish_play_session", finish)
	if diff := cmp.Diff(object{"status": "completed", "version": 3., "pending_consequences": 1., "replayed": false}, done); diff != "" {
		t.Errorf("the end (-want +got):\n%s", diff)
	}

	journal := x.must(t, "read_play_journal", object{})
	entries := journal["entries"].([]any)
	for _, e := range entries {
		delete(e.(object), "created_at")
	}
	if diff := cmp.Diff(object{"total": 2., "offset": 0., "entries": []any{
		object{"version": 2., "kind": "turn", "action": "I search the pier.", "narration": "You find a torn page.", "scene": "harbor"},
		object{"version": 3., "kind": "finish", "summary": "Arin is back.", "scene": "harbor"},
	}}, journal); diff != "" {
		t.Errorf("the journal (-want +got):\n%s", diff)
	}
	page := x.must(t, "read_play_journal", object{"offset": 1, "limit": 1})
	if got := len(page["entries"].([]any)); got != 1 || page["total"] != 2. || page["offset"] != 1. {
		t.Errorf("a page of the journal: %v", page)
	}

	found := x.must(t, "search_play_memory", object{"query": "zolw"})
	if memory := found["memory"].([]any); len(memory) != 1 || found["version"] != 3. {
		t.Errorf("found %v", found)
	}
	found = x.must(t, "search_play_memory", object{"query": "torn page"})
	if got := fmt.Sprint(found["journal"]); !strings.Contains(got, "torn page") {
		t.Errorf("found %v", found)
	}

	ended := x.must(t, "get_play_context", object{})
	consequences := ended["consequences"].([]any)
	if ended["recap"] != "Arin is back." || len(ended["events"].([]any)) != 2 || len(consequences) != 2 {
		t.Errorf("the context at the end: %v", ended)
	}
}

// TestPlayToolsRefusals: a failure has its code, and its tool's schema admits
// nothing that is not declared.
//
// clause: P-14, P-17, P-22, P-23
func TestPlayToolsRefusals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	x := w.players(t, w.assign(t))
	used := turn(1)
	x.must(t, "commit_play_turn", used)
	changed := func(base object, name string, value any) object {
		out := object{}
		for k, v := range base {
			out[k] = v
		}
		out[name] = value
		return out
	}
	effect := func(e object) []object { return []object{e} }
	for name, c := range map[string]struct {
		tool      string
		arguments object
		code      fault.Code // "" is a mismatch with the schema
	}{
		"a stale version":         {"commit_play_turn", turn(1), fault.Conflict},
		"a future version":        {"commit_play_turn", turn(3), fault.Conflict},
		"an operation used again": {"commit_play_turn", changed(used, "narration", "Other."), fault.Conflict},
		"another kind": {"finish_play_session",
			object{"operation_id": used["operation_id"], "expected_version": 2, "summary": "x"}, fault.Conflict},
		"an NPC as the scene":  {"commit_play_turn", changed(turn(2), "current_scene", "mira"), fault.Unprocessable},
		"an unpublished scene": {"commit_play_turn", changed(turn(2), "current_scene", "cellar"), fault.Unprocessable},
		"an unknown scene":     {"commit_play_turn", changed(turn(2), "current_scene", "moon"), fault.Unprocessable},
		"a blank summary":      {"finish_play_session", object{"operation_id": uuid.NewString(), "expected_version": 2, "summary": "\u00a0"}, fault.Unprocessable},
		"a blank query":        {"search_play_memory", object{"query": "  "}, fault.Unprocessable},
		"a blank description":  {"commit_play_turn", changed(turn(2), "consequences", effect(object{"category": "resource", "description": " \n"})), fault.Unprocessable},
		"a status of a consequence": {"commit_play_turn", changed(turn(2), "consequences",
			effect(object{"category": "resource", "description": "x", "status": "approved"})), ""},
		"an unknown category": {"commit_play_turn", changed(turn(2), "consequences",
			effect(object{"category": "secret", "description": "x"})), ""},
		"an unknown member":         {"commit_play_turn", changed(turn(2), "session_id", uuid.NewString()), ""},
		"a session":                 {"get_play_context", object{"session_id": uuid.NewString()}, ""},
		"a page that is too large":  {"read_play_journal", object{"limit": 21}, ""},
		"an empty page":             {"read_play_journal", object{"limit": 0}, ""},
		"a negative offset":         {"read_play_journal", object{"offset": -1}, ""},
		"no query":                  {"search_play_memory", object{}, ""},
		"an empty query":            {"search_play_memory", object{"query": ""}, ""},
		"an operation that is none": {"commit_play_turn", changed(turn(2), "operation_id", "1"), ""},
	} {
		_, err := x.call(t, c.tool, c.arguments)
		if c.code == "" {
			if _, ok := errors.AsType[*validate.Mismatch](err); !ok {
				t.Errorf("%s: error %v, want a mismatch", name, err)
			}
		} else if got := fault.CodeOf(err); err == nil || got != c.code {
			t.Errorf("%s: error %v, want %s", name, err, c.code)
		}
	}
	if got := x.must(t, "get_play_context", object{})["version"]; got != 2. {
		t.Errorf("after the refusals the version is %v, want 2", got)
	}
}

// TestPlayToolsLengths holds the texts to their bounds on both sides, counted in
// code points.
//
// clause: P-12, P-13
func TestPlayToolsLengths(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	x := w.players(t, w.assign(t))
	version := 1
	for _, c := range []struct {
		member string
		most   int
	}{{"player_action", 4000}, {"narration", 6000}, {"memory_markdown", 16000}, {"description", 1500}} {
		for _, text := range []string{"x", "ż", "🜁"} {
			for over := range 2 {
				arguments := turn(version)
				value := strings.Repeat(text, c.most+over)
				if c.member == "description" {
					arguments["consequences"] = []object{{"category": "resource", "description": value}}
				} else {
					arguments[c.member] = value
				}
				_, err := x.call(t, "commit_play_turn", arguments)
				if (err == nil) != (over == 0) {
					t.Errorf("%s with %d times %q: %v", c.member, c.most+over, text, err)
				}
				if err == nil {
					version++
				}
			}
		}
	}
	for count, want := range map[int]bool{0: true, 10: true, 11: false} {
		arguments := turn(version)
		arguments["consequences"] = slices.Repeat([]object{{"category": "resource", "description": "x"}}, count)
		if _, err := x.call(t, "commit_play_turn", arguments); (err == nil) != want {
			t.Errorf("%d consequences: %v", count, err)
		} else if err == nil {
			version++
		}
	}
	for length, want := range map[int]bool{200: true, 201: false} {
		if _, err := x.call(t, "search_play_memory", object{"query": strings.Repeat("ż", length)}); (err == nil) != want {
			t.Errorf("a query of %d characters: %v", length, err)
		}
	}
	for length, want := range map[int]bool{4001: false, 4000: true} {
		_, err := x.call(t, "finish_play_session", object{
			"operation_id": uuid.NewString(), "expected_version": version, "summary": strings.Repeat("ż", length),
		})
		if (err == nil) != want {
			t.Errorf("a summary of %d characters: %v", length, err)
		}
		if err == nil {
			version++
		}
	}
}

// TestPlayToolsWithoutSeat: no tool works for nobody.
//
// clause: P-03
func TestPlayToolsWithoutSeat(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, x := range []tools{newTools(t.Context(), w.service.PlayCatalog()), w.players(t, assignment.Seat{})} {
		for _, op := range x.catalog.Operations {
			arguments := object{
				"commit_play_turn": turn(1), "search_play_memory": object{"query": "x"},
				"finish_play_session": object{"operation_id": uuid.NewString(), "expected_version": 1, "summary": "x"},
			}[op.Tool]
			if arguments == nil {
				arguments = object{}
			}
			if _, err := x.call(t, op.Tool, arguments); err == nil || fault.CodeOf(err) != fault.Internal {
				t.Errorf("%s: error %v", op.Tool, err)
			}
		}
	}
}
