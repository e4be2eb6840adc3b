package apidoc

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

// inputs are the members that each tool of a catalog takes, beside its effect
// and scope; "!" marks those that it must have. Every tool is closed.
func inputs(t *testing.T, c tool.Catalog) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, op := range c.Operations {
		text, err := fs.ReadFile(c.Schemas, "schemas/"+op.Tool+".json")
		if err != nil {
			t.Fatal(err)
		}
		var f struct {
			InputSchema struct {
				Properties           map[string]any
				Required             []string
				AdditionalProperties any
			}
		}
		if err := json.Unmarshal(text, &f); err != nil {
			t.Fatal(err)
		}
		if f.InputSchema.AdditionalProperties != false {
			t.Errorf("%s takes members that it does not declare", op.Tool)
		}
		words := []string{string(op.Effect), op.Scope}
		for _, name := range slices.Sorted(maps.Keys(f.InputSchema.Properties)) {
			if slices.Contains(f.InputSchema.Required, name) {
				name = "!" + name
			}
			words = append(words, name)
		}
		all[op.Tool] = strings.Join(words, " ")
		if !op.Idempotent {
			t.Errorf("%s: repeating it is not said to be harmless", op.Tool)
		}
	}
	return all
}

// TestPlayTools: what the tools of a play token are and take. None takes a
// session, a person, an owner or a path: the token says which.
//
// clause: P-03, P-13, P-51, P-52
func TestPlayTools(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"get_play_context":   "read play:read",
		"read_play_journal":  "read play:read limit offset",
		"search_play_memory": "read play:read !query",
		"commit_play_turn": "write play:write consequences !current_scene !expected_version !memory_markdown !narration " +
			"!operation_id !player_action",
		"finish_play_session": "write play:write !expected_version !operation_id !summary",
	}
	if diff := cmp.Diff(want, inputs(t, play.Catalog(nil))); diff != "" {
		t.Errorf("the play tools (-want +got):\n%s", diff)
	}
}

// TestAuthorTools: what the tools of an author's token are and take.
//
// clause: P-50, P-52
func TestAuthorTools(t *testing.T) {
	t.Parallel()
	const node = "!scenario_id !version"
	want := map[string]string{
		"list_scenarios":           "read scenarios:read limit offset",
		"get_scenario":             "read scenarios:read !scenario_id",
		"create_scenario":          "write scenarios:write !id !language summary !title",
		"create_scenario_version":  "write scenarios:write !expected_latest !scenario_id",
		"publish_scenario_version": "write scenarios:write !expected_revision " + node,
		"list_scenario_nodes":      "read scenarios:read kind limit offset " + node,
		"get_scenario_node":        "read scenarios:read !node_id " + node,
		"create_scenario_node":     "write scenarios:write body gm_notes !id !kind position !scenario_id !title !version",
		"update_scenario_node": "write scenarios:write !body !expected_revision !gm_notes !kind !node_id position " +
			"!scenario_id !title !version",
		"delete_scenario_node": "delete scenarios:write !expected_revision !node_id " + node,
		"list_wiki_pages":      "read wiki:read limit offset",
		"read_wiki_page":       "read wiki:read !id",
		"search_wiki":          "read wiki:read !query",
		"create_wiki_page":     "write wiki:write !body !id !title",
		"update_wiki_page":     "write wiki:write !body !expected_revision !id !title",
		"delete_wiki_page":     "delete wiki:write !expected_revision !id",
	}
	if diff := cmp.Diff(want, inputs(t, author.Catalog(nil))); diff != "" {
		t.Errorf("the author's tools (-want +got):\n%s", diff)
	}
}
