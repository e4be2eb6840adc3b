package world_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// switchOn gives the owner's project extensions.
func (s *site) switchOn(t *testing.T, extensions ...string) {
	t.Helper()
	s.rewrite(t, `"max_plan_blocks"`, `"extensions":["`+strings.Join(extensions, `","`)+`"],"max_plan_blocks"`)
}

// rewrite changes the projects file.
func (s *site) rewrite(t *testing.T, old, now string) {
	t.Helper()
	data, err := os.ReadFile(s.projects)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), old) {
		t.Fatalf("%s does not have %s", data, old)
	}
	file := s.projects + ".new"
	if err := os.WriteFile(file, []byte(strings.Replace(string(data), old, now, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file, s.projects); err != nil {
		t.Fatal(err)
	}
}

// TestExtensions: what is switched on is a capability and works.
//
// clause: W-06
func TestExtensions(t *testing.T) {
	t.Parallel()
	s := open(t)
	all := []string{"replace", "sphere", "render", "discard", "chain", "undo_list", "heights"}
	s.switchOn(t, all...)
	c := s.call(t, "project_context", `{}`)
	named := map[string]bool{}
	capabilities, _ := c["capabilities"].([]any)
	for _, name := range capabilities {
		named[text(name)] = true
	}
	for _, want := range append(all, "height_map", "build_render", "plan_discard", "operation_undo_list") {
		if !named[want] {
			t.Errorf("%s is no capability: %v", want, capabilities)
		}
	}

	heights := s.call(t, "height_map", `{"min":{"x":0,"z":0},"max":{"x":3,"z":1}}`)
	if diff := cmp.Diff([]any{"64*4", "64*4"}, heights["rows"]); diff != "" {
		t.Error(diff)
	}
	ball := s.build(t, "ball", `{"type":"sphere","center":{"x":0,"y":-50,"z":0},"radius":2,"block":"glass"}`)
	if ball["status"] != "applied" {
		t.Errorf("a ball: %v", ball)
	}
	turned := s.build(t, "turn", `{"type":"replace","min":{"x":-3,"y":-53,"z":-3},"max":{"x":3,"y":-47,"z":3},"from":"glass","block":"stone"}`)
	if turned["status"] != "applied" || turned["written"] != ball["written"] {
		t.Errorf("replaced: %v", turned)
	}

	list, _ := s.call(t, "operation_undo_list", `{"limit":5}`)["operations"].([]any)
	if len(list) != 1 {
		t.Fatalf("undo list: %v", list) // the ball has nothing of its own any more
	}
	if first, _ := list[0].(map[string]any); first["operation_id"] != turned["operation_id"] || first["own_blocks"] != turned["written"] {
		t.Errorf("undo list: %v", first)
	}

	plan := s.call(t, "build_prepare", `{"recipe":{"version":1,"operations":[
		{"type":"line","from":{"x":8,"y":-60,"z":8},"to":{"x":10,"y":-60,"z":8},"block":"stone"}]}}`)
	id := `{"plan_id":"` + text(plan["plan_id"]) + `"}`
	shown := s.call(t, "build_render", id)
	if diff := cmp.Diff([]any{map[string]any{"y": -60.0, "rows": []any{"8: 8=0*3"}}}, shown["layers"]); diff != "" {
		t.Error(diff)
	}
	for range 2 {
		if got := s.call(t, "plan_discard", id); got["discarded"] != true || got["plan_id"] != plan["plan_id"] {
			t.Errorf("discarded: %v", got)
		}
	}
	s.refused(t, "build_apply", `{"plan_id":"`+text(plan["plan_id"])+`","plan_hash":"`+text(plan["plan_hash"])+`","idempotency_key":"d"}`,
		"plan_discarded", "")
}

// TestChain: what is larger than one plan becomes several, one after the other.
func TestChain(t *testing.T) {
	t.Parallel()
	s := open(t)
	const wall = `"recipe":{"version":1,"operations":[
		{"type":"box","min":{"x":0,"y":-60,"z":0},"max":{"x":31,"y":-45,"z":15},"block":"stone"}]}`
	s.refused(t, "build_prepare", `{`+wall+`}`, "budget_exceeded", "4096")
	s.switchOn(t, "chain")
	first := s.call(t, "build_prepare", `{"chain":true,`+wall+`}`)
	chain, _ := first["chain"].([]any)
	if len(chain) != 1 || first["changed_blocks"] != 4096.0 {
		t.Fatalf("a chain of %v", first)
	}
	second, _ := chain[0].(map[string]any)
	s.refused(t, "build_apply", `{"plan_id":"`+text(second["plan_id"])+`","plan_hash":"`+text(second["plan_hash"])+`","idempotency_key":"2"}`,
		"plan_out_of_order", "")
	for key, plan := range []map[string]any{first, second} {
		if got := s.apply(t, string(rune('a'+key)), plan); got["status"] != "applied" || got["written"] != 4096.0 {
			t.Errorf("plan %d: %v", key, got)
		}
	}
}

// TestOtherProject: what belongs to one project is not there for another, though
// one player owns both.
//
// clause: W-04
func TestOtherProject(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.switchOn(t, "render", "discard")
	s.rewrite(t, `"projects": [`, `"projects": [{"id":"other","owner":"`+owner.String()+`","extensions":["render","discard"],
		"permissions":["inspect","build","undo","schematics","recovery"],"area":{"min":{"x":0,"y":-60,"z":0},"max":{"x":9,"y":-50,"z":9}}},`)
	const step = `{"type":"line","from":{"x":0,"y":-60,"z":0},"to":{"x":3,"y":-60,"z":0},"block":"stone"}`
	plan := s.call(t, "build_prepare", `{"recipe":{"version":1,"operations":[`+step+`]}}`)
	o := s.apply(t, "k", plan)
	operation := `"operation_id":"` + text(o["operation_id"]) + `"`
	part := s.call(t, "part_define", `{"name":"a",`+operation+`}`)
	planned := `"plan_id":"` + text(plan["plan_id"]) + `"`
	for method, arguments := range map[string]string{
		"build_render":           `{` + planned + `}`,
		"plan_discard":           `{` + planned + `}`,
		"build_apply":            `{` + planned + `,"plan_hash":"` + text(plan["plan_hash"]) + `","idempotency_key":"k"}`,
		"operation_status":       `{` + operation + `}`,
		"operation_cancel":       `{` + operation + `}`,
		"operation_undo_prepare": `{` + operation + `}`,
		"part_define":            `{"name":"a",` + operation + `}`,
		"part_get":               `{"part_id":"` + text(part["part_id"]) + `"}`,
		"build_prepare":          `{"part_id":"` + text(part["part_id"]) + `","recipe":{"version":1,"operations":[` + step + `]}}`,
		"recovery_review":        `{` + operation + `}`,
	} {
		result, refused := s.as(t, owner.String(), "other", method, arguments)
		if refused == nil || refused.Code != "not_found" {
			t.Errorf("%s: %v, %+v; want not_found", method, result, refused)
		}
	}
	c, refused := s.as(t, owner.String(), "other", "project_context", `{}`)
	if refused != nil || len(c["recent"].([]any)) != 0 {
		t.Errorf("the other project: %v, %+v", c, refused)
	}
}

// TestPermissions are those of the moment.
//
// clause: W-04
func TestPermissions(t *testing.T) {
	t.Parallel()
	s := open(t)
	plan := s.call(t, "build_prepare", `{"recipe":{"version":1,"operations":[
		{"type":"line","from":{"x":0,"y":-60,"z":0},"to":{"x":3,"y":-60,"z":0},"block":"stone"}]}}`)
	apply := `{"plan_id":"` + text(plan["plan_id"]) + `","plan_hash":"` + text(plan["plan_hash"]) + `","idempotency_key":"k"}`
	s.rewrite(t, `"build",`, ``)
	s.refused(t, "build_apply", apply, "permission_denied", `"build"`)
	for _, name := range s.call(t, "project_context", `{}`)["capabilities"].([]any) {
		if strings.HasPrefix(text(name), "build_") {
			t.Errorf("%v is a capability without the permission", name)
		}
	}
	s.rewrite(t, `"undo"`, `"redo"`)
	s.refused(t, "build_apply", apply, "unavailable", "projects.json")
	s.rewrite(t, `"redo"`, `"build", "undo"`)
	if got := s.call(t, "build_apply", apply); got["plan_id"] != plan["plan_id"] {
		t.Errorf("applied: %v", got)
	}
}
