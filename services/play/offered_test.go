package play_test

import (
	"encoding/json"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/tool"
	"github.com/pharos-mcp/pharos/generated/author"
	"github.com/pharos-mcp/pharos/generated/play"
)

// TestOffered holds what there is to call, and every name in what may be sent,
// against a list: nothing on it is a path of a file, code, SQL, dice or the main
// campaign, nor says whose session or scenario is meant but by its own
// identifier. Whoever adds a name to it decides that this stays so.
//
// clause: P-03, P-51, P-52
func TestOffered(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		catalog          tool.Catalog
		tools, arguments string
	}{
		"play": {
			play.Catalog(nil),
			"commit_play_turn finish_play_session get_play_context read_play_journal search_play_memory",
			`category consequences current_scene description expected_version limit memory_markdown narration offset
				operation_id player_action query summary`,
		},
		"author": {
			author.Catalog(nil),
			`create_scenario create_scenario_node create_scenario_version create_wiki_page delete_scenario_node
				delete_wiki_page get_scenario get_scenario_node list_scenario_nodes list_scenarios list_wiki_pages
				publish_scenario_version read_wiki_page search_wiki update_scenario_node update_wiki_page`,
			`body expected_latest expected_revision gm_notes id kind language limit node_id offset position query
				scenario_id summary title version`,
		},
	} {
		var tools []string
		arguments := map[string]bool{}
		for _, o := range test.catalog.Operations {
			tools = append(tools, o.Tool)
			text, err := fs.ReadFile(test.catalog.Schemas, "schemas/"+o.Tool+".json")
			if err != nil {
				t.Fatal(err)
			}
			var schema struct{ InputSchema any }
			if err := json.Unmarshal(text, &schema); err != nil {
				t.Fatal(err)
			}
			properties(schema.InputSchema, arguments)
			if name == "play" && strings.Contains(strings.ToLower(string(text)), "wiki") {
				t.Errorf("%s speaks of a wiki", o.Tool)
			}
		}
		if diff := cmp.Diff(strings.Fields(test.tools), slices.Sorted(slices.Values(tools))); diff != "" {
			t.Errorf("tools of %s (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(strings.Fields(test.arguments), slices.Sorted(maps.Keys(arguments))); diff != "" {
			t.Errorf("arguments of %s (-want +got):\n%s", name, diff)
		}
	}
}

// TestOfferedByREST is TestOffered for the REST interface.
//
// clause: P-51, P-52
func TestOfferedByREST(t *testing.T) {
	t.Parallel()
	text, err := fs.ReadFile(play.Served(), "play.openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths      map[string]map[string]json.RawMessage
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	var routes []string
	for path, methods := range document.Paths {
		for method := range methods {
			if slices.Contains([]string{"get", "post", "put", "patch", "delete"}, method) {
				routes = append(routes, strings.ToUpper(method)+" "+path)
			}
		}
	}
	want := []string{
		"DELETE /api/plays/{id}/access/", "DELETE /api/session/", "GET /api/plays/", "GET /api/plays/{id}/",
		"GET /api/plays/{id}/consequences/", "GET /api/plays/{id}/journal/", "GET /api/plays/{id}/report/",
		"GET /api/session/", "POST /api/plays/", "POST /api/plays/{id}/access/", "POST /api/plays/{id}/review/",
		"POST /api/session/",
	}
	slices.Sort(routes)
	if diff := cmp.Diff(want, routes); diff != "" {
		t.Errorf("routes (-want +got):\n%s", diff)
	}
	if strings.Contains(strings.ToLower(string(text)), "wiki") {
		t.Error("the document speaks of a wiki")
	}
}

// properties collects the names of the properties of a schema, at any depth.
func properties(schema any, into map[string]bool) {
	switch s := schema.(type) {
	case []any:
		for _, e := range s {
			properties(e, into)
		}
	case map[string]any:
		for key, value := range s {
			if named, ok := value.(map[string]any); ok && key == "properties" {
				for name := range named {
					into[name] = true
				}
			}
			properties(value, into)
		}
	}
}
