package play_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pharos-mcp/pharos/generated/play"
	"github.com/pharos-mcp/pharos/services/play/account"
	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/check"
	"github.com/pharos-mcp/pharos/services/play/chronicle"
	"github.com/pharos-mcp/pharos/services/play/facilitator"
	"github.com/pharos-mcp/pharos/services/play/scenario"
	"github.com/pharos-mcp/pharos/services/play/wiki"
)

// schemasOf are the schemas of a bundled document.
func schemasOf(t *testing.T, files fs.FS, name string) map[string]any {
	t.Helper()
	text, err := fs.ReadFile(files, name)
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths      map[string]any
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	all := document.Components.Schemas
	all["paths"] = document.Paths
	return all
}

// at follows a path of member names, and references on the way. A list is
// searched for the parameter of the name.
func at(t *testing.T, schemas map[string]any, where string) map[string]any {
	t.Helper()
	var node any = schemas
	for step := range strings.SplitSeq(where, " ") {
		switch value := node.(type) {
		case map[string]any:
			node = value[step]
		case []any:
			i := slices.IndexFunc(value, func(p any) bool { return p.(map[string]any)["name"] == step })
			if i < 0 {
				t.Fatalf("%s: there is no parameter %s", where, step)
			}
			node = value[i]
		}
		if value, ok := node.(map[string]any); ok {
			if ref, ok := value["$ref"].(string); ok {
				node = schemas[path.Base(ref)]
			}
		}
	}
	found, ok := node.(map[string]any)
	if !ok {
		t.Fatalf("there is nothing at %s", where)
	}
	return found
}

// TestBounds: what the documents say of lengths and counts are the bounds that
// the services keep.
//
// clause: P-13, P-42, P-43
func TestBounds(t *testing.T) {
	t.Parallel()
	generated := os.DirFS("../../generated")
	rest := schemasOf(t, play.Served(), "play.openapi.json")
	players := schemasOf(t, generated, "play/playtools.openapi.json")
	authors := schemasOf(t, generated, "author/openapi.json")
	type bounds map[string]int
	for _, c := range []struct {
		document string
		schemas  map[string]any
		of       map[string]bounds
	}{
		{"play-tools", players, map[string]bounds{
			"Turn properties player_action":                         {"maxLength": assignment.MaxAction},
			"Turn properties narration":                             {"maxLength": assignment.MaxNarration},
			"Turn properties memory_markdown":                       {"maxLength": assignment.MaxMemory},
			"Turn properties consequences":                          {"maxItems": assignment.MaxConsequences},
			"Effect properties description":                         {"minLength": 1, "maxLength": assignment.MaxDescription},
			"Ending properties summary":                             {"minLength": 1, "maxLength": assignment.MaxSummary},
			"Query":                                                 {"minLength": 1, "maxLength": chronicle.MaxQuery},
			"paths /read_play_journal get parameters limit schema":  {"minimum": 1, "maximum": chronicle.MaxPage},
			"paths /read_play_journal get parameters offset schema": {"minimum": 0, "maximum": check.MaxOffset},
			"Found properties memory":                               {"maxItems": chronicle.MaxOfMemory},
			"Found properties journal":                              {"maxItems": chronicle.MaxMatches},
			"Context properties materials":                          {"maxItems": assignment.MaxPublished},
			"Context properties memory_markdown":                    {"maxLength": assignment.MaxMemory},
			"Context properties recap":                              {"maxLength": assignment.MaxSummary},
			"Assignment properties brief":                           {"minLength": 1, "maxLength": assignment.MaxText},
			"Assignment properties instructions":                    {"maxLength": assignment.MaxText},
			"Material properties body":                              {"maxLength": scenario.MaxBody},
			"Material properties title":                             {"maxLength": scenario.MaxNodeTitle},
			"Consequence properties note":                           {"maxLength": assignment.MaxNote},
			"Assignment properties player":                          {"maxLength": account.MaxDisplayName},
			"paths /search_play_memory get parameters query schema": {"minLength": 1, "maxLength": chronicle.MaxQuery},
			"paths /read_play_journal get responses 200 content application/json schema properties entries": {"maxItems": chronicle.MaxPage},
		}},
		{"play", rest, map[string]bounds{
			"NewPlay properties character":                                     {"minLength": 1, "maxLength": assignment.MaxText},
			"NewPlay properties brief":                                         {"minLength": 1, "maxLength": assignment.MaxText},
			"NewPlay properties boundaries":                                    {"minLength": 1, "maxLength": assignment.MaxText},
			"NewPlay properties return_condition":                              {"minLength": 1, "maxLength": assignment.MaxText},
			"NewPlay properties instructions":                                  {"maxLength": assignment.MaxText},
			"NewPlay properties gm_notes":                                      {"maxLength": assignment.MaxText},
			"NewPlay properties published_node_ids":                            {"minItems": 1, "maxItems": assignment.MaxPublished},
			"NewPlay properties auto_approve":                                  {"maxItems": 4},
			"NewPlay properties source_version":                                {"minimum": 1, "maximum": scenario.MaxVersions},
			"Review properties decisions":                                      {"minItems": 1, "maxItems": assignment.MaxDecisions},
			"DecisionOnConsequence properties note":                            {"maxLength": assignment.MaxNote},
			"PlayList properties plays":                                        {"maxItems": assignment.MaxListed},
			"Reviewed properties consequences":                                 {"maxItems": assignment.MaxDecisions},
			"paths /api/plays/{id}/journal/ get parameters limit schema":       {"minimum": 1, "maximum": chronicle.MaxPage},
			"paths /api/plays/{id}/consequences/ get parameters limit schema":  {"minimum": 1, "maximum": assignment.MaxPage},
			"paths /api/plays/{id}/consequences/ get parameters offset schema": {"minimum": 0, "maximum": check.MaxOffset},
			"Entry properties action":                                          {"maxLength": assignment.MaxAction},
			"Entry properties narration":                                       {"maxLength": assignment.MaxNarration},
			"Entry properties summary":                                         {"maxLength": assignment.MaxSummary},
			"Consequence properties description":                               {"maxLength": assignment.MaxDescription},
			"Play properties memory_markdown":                                  {"maxLength": assignment.MaxMemory},
			"Play properties summary":                                          {"maxLength": assignment.MaxSummary},
			"Account properties display_name":                                  {"minLength": 1, "maxLength": account.MaxDisplayName},
		}},
		{"author-tools", authors, map[string]bounds{
			"NewScenario properties title":      {"minLength": 1, "maxLength": scenario.MaxTitle},
			"NewScenario properties summary":    {"maxLength": scenario.MaxSummary},
			"Number":                            {"minimum": 1, "maximum": scenario.MaxVersions},
			"NewNode properties title":          {"minLength": 1, "maxLength": scenario.MaxNodeTitle},
			"NewNode properties body":           {"maxLength": scenario.MaxBody},
			"NewNode properties gm_notes":       {"maxLength": scenario.MaxGMNotes},
			"NewNode properties position":       {"minimum": 0, "maximum": scenario.MaxPosition},
			"NodeChange properties title":       {"minLength": 1, "maxLength": scenario.MaxNodeTitle},
			"NodeChange properties body":        {"maxLength": scenario.MaxBody},
			"NodeChange properties gm_notes":    {"maxLength": scenario.MaxGMNotes},
			"NodeChange properties position":    {"minimum": 0, "maximum": scenario.MaxPosition},
			"NewPage properties title":          {"minLength": 1, "maxLength": wiki.MaxTitle},
			"NewPage properties body":           {"maxLength": wiki.MaxBody},
			"PageChange properties title":       {"minLength": 1, "maxLength": wiki.MaxTitle},
			"PageChange properties body":        {"maxLength": wiki.MaxBody},
			"Query":                             {"minLength": 1, "maxLength": wiki.MaxQuery},
			"Hits properties hits":              {"maxItems": wiki.MaxHits},
			"Scenario properties versions":      {"maxItems": scenario.MaxVersions},
			"ScenarioPage properties scenarios": {"maxItems": 100},
		}},
	} {
		for where, want := range c.of {
			found := at(t, c.schemas, where)
			for name, value := range want {
				if got := found[name]; got != float64(value) {
					t.Errorf("%s: %s has %s %v, want %d", c.document, where, name, got, value)
				}
			}
		}
	}
	most := at(t, players, "Context properties agent_contract")["maxLength"].(float64)
	for _, language := range []string{"en", "pl"} {
		for _, mode := range []string{assignment.Absence, assignment.Downtime, assignment.Solo} {
			if n := utf8.RuneCountInString(facilitator.Contract(language, mode)); float64(n) > most {
				t.Errorf("the contract %s %s has %d characters, more than %v", language, mode, n, most)
			}
		}
	}
	// An excerpt may have an ellipsis at each end.
	if got := at(t, players, "Excerpt")["maxLength"].(float64); got < chronicle.MaxExcerpt+2 {
		t.Errorf("an excerpt has up to %d characters, and the document admits %v", chronicle.MaxExcerpt+2, got)
	}
	if got := at(t, authors, "Hit properties excerpt")["maxLength"].(float64); got < wiki.MaxExcerpt+2 {
		t.Errorf("an excerpt of the wiki has up to %d characters, and the document admits %v", wiki.MaxExcerpt+2, got)
	}
}
