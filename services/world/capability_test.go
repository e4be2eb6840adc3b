package world

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	catalog "github.com/pharos-mcp/pharos/generated/world"
	"github.com/pharos-mcp/pharos/services/world/project"
)

// TestMethods: every method of the catalog says what it needs, and the
// administrative ones are no tools.
//
// clause: W-06
func TestMethods(t *testing.T) {
	t.Parallel()
	var all, rpc []string
	for _, op := range catalog.Catalog(nil).Operations {
		all = append(all, op.Tool)
		if op.RPCOnly {
			rpc = append(rpc, op.Tool)
		}
	}
	if diff := cmp.Diff(all, slices.Sorted(maps.Keys(methods))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(rpc, administrative); diff != "" {
		t.Error(diff)
	}
	for name, m := range methods {
		if len(m.needs) == 0 {
			t.Errorf("%s needs no permission", name)
		}
	}
}

// TestCapabilities are the methods that would not be refused, and behind them
// the extensions that are on.
//
// clause: W-06
func TestCapabilities(t *testing.T) {
	t.Parallel()
	all := []project.Permission{project.Inspect, project.Build, project.Undo, project.Schematics, project.Recovery}
	for name, c := range map[string]struct {
		project project.Project
		want    []string
	}{
		"nobody": {project.Project{}, []string{}},
		"a reader": {project.Project{Permissions: all[:1]}, []string{
			"camera_capture", "operation_status", "part_get", "project_context", "region_changes", "region_inspect",
		}},
		"an owner": {project.Project{Permissions: all}, []string{
			"asset_list", "build_apply", "build_prepare", "camera_capture", "operation_cancel", "operation_status",
			"operation_undo_prepare", "part_define", "part_get", "project_context", "region_changes", "region_inspect", "schematic_export",
			"schematic_import_prepare",
		}},
		"a reader with extensions": {
			project.Project{Permissions: all[:1], Extensions: []project.Extension{project.Heights, project.Sphere, project.UndoList}},
			[]string{
				"camera_capture", "height_map", "operation_status", "part_get", "project_context", "region_changes", "region_inspect",
				"heights", "sphere", "undo_list",
			},
		},
	} {
		if diff := cmp.Diff(c.want, caller{project: c.project}.capabilities()); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
