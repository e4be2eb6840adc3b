package world_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pharos-mcp/pharos/edge/fault"
)

// TestConversation goes from the first look to the undo, as an agent does.
//
// clause: W-10, W-11, W-12, W-15, W-17, W-19
func TestConversation(t *testing.T) {
	t.Parallel()
	s := open(t)
	c := s.call(t, "project_context", `{}`)
	for member, want := range map[string]any{
		"version": 1.0, "project_id": "default", "owner": owner.String(), "paused": false, "operations": []any{}, "recent": []any{},
		"limits": map[string]any{
			"max_inspect_positions": 4096.0, "max_plan_blocks": 4096.0, "max_dependencies": 512.0, "slice_blocks": 512.0, "plan_seconds": 600.0,
		},
		"area": map[string]any{
			"min": map[string]any{"x": -32.0, "y": -64.0, "z": -32.0}, "max": map[string]any{"x": 32.0, "y": 319.0, "z": 32.0},
		},
	} {
		if diff := cmp.Diff(want, c[member]); diff != "" {
			t.Errorf("%s: %s", member, diff)
		}
	}

	const box = `"min":{"x":3,"y":-60,"z":3},"max":{"x":0,"y":-61,"z":0}`
	before := s.call(t, "region_inspect", `{`+box+`,"detail":"blocks"}`)
	if layers, _ := before["layers"].([]any); len(layers) != 2 || before["positions"] != 32.0 {
		t.Errorf("a region of %v positions with %d layers", before["positions"], len(layers))
	}
	if s.call(t, "region_inspect", `{`+box+`,"detail":"summary"}`)["layers"] != nil {
		t.Error("a summary has layers")
	}

	plan := s.call(t, "build_prepare", `{"recipe":{"version":1,"operations":[
		{"type":"box","min":{"x":0,"y":-60,"z":0},"max":{"x":2,"y":-60,"z":2},"block":"oak_planks"}]},
		"dependencies":[{"x":0,"y":-61,"z":0}]}`)
	if diff := cmp.Diff([]string{"changed_blocks", "expires_at", "plan_hash", "plan_id", "region"}, slices.Sorted(maps.Keys(plan))); diff != "" {
		t.Error(diff)
	}
	built := s.apply(t, "first", plan)
	if built["status"] != "applied" || built["total"] != 9.0 || built["written"] != 9.0 || built["idempotency_key"] != "first" {
		t.Errorf("built: %v", built)
	}
	if again := s.apply(t, "first", plan); again["operation_id"] != built["operation_id"] {
		t.Errorf("the same key and plan made %v and %v", built["operation_id"], again["operation_id"])
	}
	s.refused(t, "build_apply", `{"plan_id":"`+text(plan["plan_id"])+`","plan_hash":"`+text(plan["plan_hash"])+`","idempotency_key":"other"}`,
		"plan_used", text(built["operation_id"]))

	recent, _ := s.call(t, "project_context", `{}`)["recent"].([]any)
	if len(recent) != 1 {
		t.Fatalf("recent: %v", recent)
	}
	if newest, _ := recent[0].(map[string]any); newest["plan_id"] != plan["plan_id"] || newest["idempotency_key"] != "first" || newest["status"] != "applied" {
		t.Errorf("recent: %v", newest)
	}

	operation := `"operation_id":"` + text(built["operation_id"]) + `"`
	part := s.call(t, "part_define", `{"name":"the floor",`+operation+`}`)
	if got := s.call(t, "part_get", `{"part_id":"`+text(part["part_id"])+`"}`); !cmp.Equal(part, got) || got["count"] != 9.0 || got["name"] != "the floor" {
		t.Errorf("part %v, then %v", part, got)
	}
	s.refused(t, "build_prepare", `{"part_id":"`+text(part["part_id"])+`","recipe":{"version":1,"operations":[
		{"type":"line","from":{"x":0,"y":-60,"z":0},"to":{"x":3,"y":-60,"z":0},"block":"stone"}]}}`, "outside_part", "3 -60 0")

	undone := s.apply(t, "undo", s.call(t, "operation_undo_prepare", `{`+operation+`}`))
	if undone["status"] != "applied" {
		t.Errorf("undone: %v", undone)
	}
	after := s.call(t, "region_inspect", `{`+box+`,"detail":"blocks"}`)
	delete(before, "revision")
	delete(after, "revision")
	if diff := cmp.Diff(before, after); diff != "" {
		t.Error(diff)
	}
	s.refused(t, "operation_undo_prepare", `{`+operation+`}`, "nothing_to_undo", "a later operation wrote it")
}

// TestWhoMay: the owner, in their project, with identifiers in one spelling.
//
// clause: W-04, W-05
func TestWhoMay(t *testing.T) {
	t.Parallel()
	s := open(t)
	for name, c := range map[string]struct {
		player, project string
		code            fault.Code
	}{
		"the owner":          {owner.String(), "default", ""},
		"somebody else":      {stranger.String(), "default", "permission_denied"},
		"the console":        {"00000000-0000-0000-0000-000000000000", "default", "permission_denied"},
		"in another project": {owner.String(), "other", "not_found"},
		"nobody":             {"", "default", "invalid_request"},
		"in capitals":        {strings.ToUpper("aaaaaaaa-1111-4111-8111-111111111111"), "default", "invalid_request"},
		"by a URN":           {"urn:uuid:" + owner.String(), "default", "invalid_request"},
		"in no project":      {owner.String(), "", "not_found"},
		"by a path":          {owner.String(), "../default", "not_found"},
	} {
		for _, method := range []string{"project_context", "region_changes"} {
			_, refused := s.as(t, c.player, c.project, method, `{}`)
			code := fault.Code("")
			if refused != nil {
				code = refused.Code
			}
			if method == "region_changes" && c.code == "" {
				c.code = "resync_required"
			}
			if code != c.code {
				t.Errorf("%s, %s: %+v, want %q", name, method, refused, c.code)
			}
		}
	}
}

// TestNotEnabled: what a project has not switched on is refused by name.
//
// clause: W-06
func TestNotEnabled(t *testing.T) {
	t.Parallel()
	s := open(t)
	const id = "33333333-3333-4333-8333-333333333333"
	for method, c := range map[string]struct{ arguments, extension string }{
		"height_map":          {`{"min":{"x":0,"z":0},"max":{"x":1,"z":1}}`, "heights"},
		"build_render":        {`{"plan_id":"` + id + `"}`, "render"},
		"plan_discard":        {`{"plan_id":"` + id + `"}`, "discard"},
		"operation_undo_list": {`{}`, "undo_list"},
		"build_prepare": {`{"chain":true,"recipe":{"version":1,"operations":[
			{"type":"line","from":{"x":0,"y":-60,"z":0},"to":{"x":3,"y":-60,"z":0},"block":"stone"}]}}`, "chain"},
	} {
		s.refused(t, method, c.arguments, "not_enabled", `"`+c.extension+`"`)
	}
}

// TestNotThere: identifiers of other things, or of nothing.
func TestNotThere(t *testing.T) {
	t.Parallel()
	s := open(t)
	const id = "33333333-3333-4333-8333-333333333333"
	for method, arguments := range map[string]string{
		"build_apply":            `{"plan_id":"` + id + `","plan_hash":"` + strings.Repeat("0", 64) + `","idempotency_key":"k"}`,
		"operation_status":       `{"operation_id":"` + id + `"}`,
		"operation_cancel":       `{"operation_id":"` + id + `"}`,
		"operation_undo_prepare": `{"operation_id":"` + id + `"}`,
		"part_define":            `{"name":"a","operation_id":"` + id + `"}`,
		"part_get":               `{"part_id":"` + id + `"}`,
		"recovery_review":        `{"operation_id":"` + id + `"}`,
		"recovery_abandon":       `{"operation_id":"` + id + `","expected_digest":"` + strings.Repeat("0", 64) + `"}`,
	} {
		s.refused(t, method, arguments, fault.NotFound, id)
	}
}

// TestSchematics: a box comes back turned, and the file's data are one asset's.
//
// clause: W-30, W-31, W-32
func TestSchematics(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.build(t, "log", `{"type":"line","from":{"x":0,"y":-60,"z":0},"to":{"x":2,"y":-60,"z":0},"block":"oak_log[axis=x]"}`)
	saved := s.call(t, "schematic_export", `{"name":"The Logs","min":{"x":0,"y":-60,"z":0},"max":{"x":2,"y":-60,"z":0}}`)
	members := []string{"assetId", "blockCount", "bytes", "dataVersion", "height", "length", "name", "offset", "sha256", "width"}
	if diff := cmp.Diff(members, slices.Sorted(maps.Keys(saved))); diff != "" {
		t.Error(diff)
	}
	if saved["assetId"] != "the-logs" || saved["width"] != 3.0 || saved["blockCount"] != 3.0 {
		t.Errorf("saved %v", saved)
	}
	s.refused(t, "schematic_export", `{"name":"The Logs","min":{"x":0,"y":-60,"z":0},"max":{"x":2,"y":-60,"z":0}}`, "asset_exists", "the-logs")
	for query, want := range map[string]int{``: 1, `LOGS`: 1, `house`: 0} {
		list, _ := s.call(t, "asset_list", `{"query":"`+query+`"}`)["assets"].([]any)
		if len(list) != want {
			t.Errorf("%q finds %v", query, list)
		}
	}
	placed := s.apply(t, "place", s.call(t, "schematic_import_prepare",
		`{"asset_id":"the-logs","target":{"x":10,"y":-60,"z":0},"rotation":90}`))
	if placed["status"] != "applied" || placed["written"] != 3.0 {
		t.Errorf("placed: %v", placed)
	}
	region := s.call(t, "region_inspect", `{"min":{"x":10,"y":-60,"z":0},"max":{"x":10,"y":-60,"z":2},"detail":"summary"}`)
	if diff := cmp.Diff([]any{map[string]any{"state": "minecraft:oak_log[axis=z]", "count": 3.0}}, region["palette"]); diff != "" {
		t.Error(diff)
	}
	s.refused(t, "schematic_import_prepare", `{"asset_id":"none","target":{"x":0,"y":-60,"z":0}}`, "asset_not_found", "none")
	s.refused(t, "schematic_export", `{"name":"out","min":{"x":33,"y":-60,"z":0},"max":{"x":34,"y":-60,"z":0}}`, "out_of_bounds", "33")
	s.refused(t, "schematic_export", `{"name":"far","min":{"x":500,"y":-60,"z":0},"max":{"x":501,"y":-60,"z":0}}`, "out_of_bounds", "500")
}

// TestSettle: what was begun is done when the service has settled.
func TestSettle(t *testing.T) {
	t.Parallel()
	s := open(t)
	plan := s.call(t, "build_prepare", `{"recipe":{"version":1,"operations":[
		{"type":"box","min":{"x":0,"y":-60,"z":0},"max":{"x":15,"y":-45,"z":15},"block":"stone"}]}}`)
	o := s.call(t, "build_apply", `{"plan_id":"`+text(plan["plan_id"])+`","plan_hash":"`+text(plan["plan_hash"])+`","idempotency_key":"k"}`)
	if err := s.Settle(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := s.call(t, "operation_status", `{"operation_id":"`+text(o["operation_id"])+`"}`); got["status"] != "applied" {
		t.Errorf("settled: %v", got)
	}
}
