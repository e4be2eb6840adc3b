package play_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/internal/validate"
	"github.com/pharos-mcp/pharos/services/play"
	"github.com/pharos-mcp/pharos/services/play/account"
)

// authors are the tools of an author.
func (w world) authors(t *testing.T, a account.Account) tools {
	return newTools(play.WithAuthor(t.Context(), a), w.service.AuthorCatalog())
}

// untimed takes the times out of a result.
func untimed(result object) object {
	for name, value := range result {
		switch value := value.(type) {
		case object:
			untimed(value)
		case []any:
			for _, one := range value {
				if one, ok := one.(object); ok {
					untimed(one)
				}
			}
		case string:
			if strings.HasSuffix(name, "_at") && value != "" {
				delete(result, name)
			}
		}
	}
	return result
}

// step is a call and its result; nil is a tool without one.
type step struct {
	tool      string
	arguments object
	want      object
}

func (x tools) through(t *testing.T, steps []step) {
	t.Helper()
	for _, s := range steps {
		if diff := cmp.Diff(s.want, untimed(x.must(t, s.tool, s.arguments))); diff != "" {
			t.Errorf("%s %v (-want +got):\n%s", s.tool, s.arguments, diff)
		}
	}
}

// TestScenarioTools writes a scenario, publishes it and begins the next version.
//
// clause: P-50
func TestScenarioTools(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := uuid.NewString()
	version := func(n int, status string, revision int) object {
		return object{"version": float64(n), "status": status, "revision": float64(revision)}
	}
	scenario := func(latest int, status string, versions ...any) object {
		return object{
			"id": id, "title": "Żar", "summary": "", "language": "pl", "latest_version": float64(latest),
			"latest_status": status, "versions": versions,
		}
	}
	node := func(title string, revision int) object {
		return object{
			"id": "port", "kind": "scene", "title": title, "body": "", "gm_notes": "ciii", "position": 7., "revision": float64(revision),
		}
	}
	item := object{"id": "port", "kind": "scene", "title": "Stary port", "position": 7., "revision": 2.}
	change := object{
		"scenario_id": id, "version": 1, "node_id": "port", "expected_revision": 1, "kind": "scene", "title": "Stary port",
		"body": "", "gm_notes": "ciii",
	}
	w.authors(t, w.sten).through(t, []step{
		{"list_scenarios", object{}, object{"total": 0., "offset": 0., "scenarios": []any{}}},
		{"create_scenario", object{"id": id, "title": "Żar", "language": "pl"}, scenario(1, "draft", version(1, "draft", 1))},
		{"create_scenario", object{"id": id, "title": "Żar", "language": "pl"}, scenario(1, "draft", version(1, "draft", 1))},
		{"create_scenario_node", object{
			"scenario_id": id, "version": 1, "id": "port", "kind": "scene", "title": "Port", "gm_notes": "ciii", "position": 7,
		}, node("Port", 1)},
		{"update_scenario_node", change, node("Stary port", 2)},
		{"get_scenario_node", object{"scenario_id": id, "version": 1, "node_id": "port"}, node("Stary port", 2)},
		{"list_scenario_nodes", object{"scenario_id": id, "version": 1}, object{"total": 1., "offset": 0., "nodes": []any{item}}},
		{"list_scenario_nodes", object{"scenario_id": id, "version": 1, "kind": "npc", "offset": 3, "limit": 1},
			object{"total": 0., "offset": 3., "nodes": []any{}}},
		{"publish_scenario_version", object{"scenario_id": id, "version": 1, "expected_revision": 3},
			scenario(1, "published", version(1, "published", 3))},
		{"create_scenario_version", object{"scenario_id": id, "expected_latest": 1},
			scenario(2, "draft", version(1, "published", 3), version(2, "draft", 1))},
		{"get_scenario", object{"scenario_id": id}, scenario(2, "draft", version(1, "published", 3), version(2, "draft", 1))},
		{"delete_scenario_node", object{"scenario_id": id, "version": 2, "node_id": "port", "expected_revision": 1}, nil},
		{"list_scenario_nodes", object{"scenario_id": id, "version": 2}, object{"total": 0., "offset": 0., "nodes": []any{}}},
		{"list_scenarios", object{"limit": 1}, object{"total": 1., "offset": 0., "scenarios": []any{object{
			"id": id, "title": "Żar", "summary": "", "language": "pl", "latest_version": 2., "latest_status": "draft",
		}}}},
	})
}

// TestWikiTools keeps a private wiki.
//
// clause: P-50
func TestWikiTools(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	page := func(body string, revision int) object {
		return object{"id": "zolw", "title": "Żółw", "body": body, "revision": float64(revision)}
	}
	w.authors(t, w.greta).through(t, []step{
		{"create_wiki_page", object{"id": "zolw", "title": "Żółw", "body": "Śpi."}, page("Śpi.", 1)},
		{"update_wiki_page", object{"id": "zolw", "expected_revision": 1, "title": "Żółw", "body": "Nie śpi."}, page("Nie śpi.", 2)},
		{"read_wiki_page", object{"id": "zolw"}, page("Nie śpi.", 2)},
		{"search_wiki", object{"query": "NIE SPI"}, object{"hits": []any{
			object{"id": "zolw", "title": "Żółw", "excerpt": "Nie śpi."},
		}}},
		{"list_wiki_pages", object{}, object{"total": 1., "offset": 0., "pages": []any{
			object{"id": "zolw", "title": "Żółw", "revision": 2.},
		}}},
		{"delete_wiki_page", object{"id": "zolw", "expected_revision": 2}, nil},
		{"list_wiki_pages", object{"offset": 1, "limit": 100}, object{"total": 0., "offset": 1., "pages": []any{}}},
	})
}

// TestAuthorToolsRefusals: what is another's is not there, and what does not fit
// its schema does not pass.
//
// clause: P-50
func TestAuthorToolsRefusals(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	greta, sten := w.authors(t, w.greta), w.authors(t, w.sten)
	greta.must(t, "create_wiki_page", object{"id": "mine", "title": "Mine", "body": ""})
	id := w.scenario.String()
	node := object{"scenario_id": id, "version": 1, "id": "new", "kind": "scene", "title": "New"}
	for name, c := range map[string]struct {
		caller    tools
		tool      string
		arguments object
		code      fault.Code // "" is a mismatch with the schema
	}{
		"another's scenario":   {sten, "get_scenario", object{"scenario_id": id}, fault.NotFound},
		"another's nodes":      {sten, "list_scenario_nodes", object{"scenario_id": id, "version": 1}, fault.NotFound},
		"another's node":       {sten, "get_scenario_node", object{"scenario_id": id, "version": 1, "node_id": "harbor"}, fault.NotFound},
		"another's new node":   {sten, "create_scenario_node", node, fault.NotFound},
		"another's version":    {sten, "create_scenario_version", object{"scenario_id": id, "expected_latest": 1}, fault.NotFound},
		"another's page":       {sten, "read_wiki_page", object{"id": "mine"}, fault.NotFound},
		"a published version":  {greta, "create_scenario_node", node, fault.Conflict},
		"a taken page":         {greta, "create_wiki_page", object{"id": "mine", "title": "Other", "body": ""}, fault.Exists},
		"a stale page":         {greta, "update_wiki_page", object{"id": "mine", "expected_revision": 9, "title": "x", "body": ""}, fault.Conflict},
		"a blank title":        {greta, "create_wiki_page", object{"id": "x", "title": " ", "body": ""}, fault.Unprocessable},
		"a path as an id":      {greta, "read_wiki_page", object{"id": "../mine"}, ""},
		"an owner":             {greta, "list_scenarios", object{"owner_id": w.sten.ID.String()}, ""},
		"too large a page":     {greta, "list_scenarios", object{"limit": 101}, ""},
		"an unknown kind":      {greta, "list_scenario_nodes", object{"scenario_id": id, "version": 1, "kind": "dice"}, ""},
		"a long title":         {greta, "create_wiki_page", object{"id": "x", "title": strings.Repeat("ż", 201), "body": ""}, ""},
		"a position below all": {greta, "create_scenario_node", object{"scenario_id": id, "version": 1, "id": "n", "kind": "scene", "title": "n", "position": -1}, ""},
	} {
		_, err := c.caller.call(t, c.tool, c.arguments)
		if c.code == "" {
			if _, ok := errors.AsType[*validate.Mismatch](err); !ok {
				t.Errorf("%s: error %v, want a mismatch", name, err)
			}
		} else if got := fault.CodeOf(err); err == nil || got != c.code {
			t.Errorf("%s: error %v, want %s", name, err, c.code)
		}
	}
}

// TestAuthorToolsWithoutAuthor: no tool works for nobody.
func TestAuthorToolsWithoutAuthor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := uuid.NewString()
	members := object{
		"scenario_id": id, "version": 1, "node_id": "n", "id": "n", "expected_revision": 1, "expected_latest": 1, "query": "x",
		"kind": "scene", "title": "x", "body": "", "gm_notes": "", "language": "en",
	}
	for _, x := range []tools{newTools(t.Context(), w.service.AuthorCatalog()), w.authors(t, account.Account{})} {
		for _, op := range x.catalog.Operations {
			arguments := object{}
			for _, name := range x.requires(t, &op) {
				arguments[name] = members[name]
			}
			if op.Tool == "create_scenario" {
				arguments["id"] = id
			}
			if _, err := x.call(t, op.Tool, arguments); err == nil || fault.CodeOf(err) != fault.Internal {
				t.Errorf("%s: error %v", op.Tool, err)
			}
		}
	}
}

// requires are the members that a tool must have.
func (x tools) requires(t *testing.T, op *tool.Operation) []string {
	t.Helper()
	described, err := x.set.Tool(op)
	if err != nil {
		t.Fatal(err)
	}
	var input struct{ Required []string }
	if err := json.Unmarshal(described.Input, &input); err != nil {
		t.Fatal(err)
	}
	return input.Required
}
