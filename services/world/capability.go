package world

import (
	"maps"
	"slices"

	"github.com/pharos-mcp/pharos/services/world/project"
)

// method is what a method asks for: permissions of the owner, and an extension
// that is on, or "".
type method struct {
	needs     []project.Permission // not empty
	extension project.Extension
}

func needs(permissions ...project.Permission) method { return method{needs: permissions} }

func (m method) with(e project.Extension) method { m.extension = e; return m }

// methods are all methods of the service, by name.
var methods = map[string]method{
	"project_context":          needs(project.Inspect),
	"region_inspect":           needs(project.Inspect),
	"region_changes":           needs(project.Inspect),
	"height_map":               needs(project.Inspect).with(project.Heights),
	"camera_capture":           needs(project.Inspect),
	"chat_poll":                needs(project.Inspect),
	"chat_reply":               needs(project.Inspect),
	"build_prepare":            needs(project.Build),
	"build_render":             needs(project.Inspect).with(project.Render),
	"build_apply":              needs(project.Build),
	"plan_discard":             needs(project.Build).with(project.Discard),
	"operation_status":         needs(project.Inspect),
	"operation_cancel":         needs(project.Build),
	"operation_undo_prepare":   needs(project.Undo),
	"operation_undo_list":      needs(project.Undo).with(project.UndoList),
	"part_define":              needs(project.Build),
	"part_get":                 needs(project.Inspect),
	"asset_list":               needs(project.Schematics),
	"schematic_export":         needs(project.Schematics),
	"schematic_import_prepare": needs(project.Schematics, project.Build),
	"recovery_review":          needs(project.Recovery),
	"recovery_abandon":         needs(project.Recovery),
}

// administrative methods are for the administrator's key and no capability of an
// agent (W-06).
var administrative = []string{"chat_poll", "chat_reply", "recovery_abandon", "recovery_review"}

// capabilities are the methods that an agent may call in the project now, and
// behind them the extensions that are on (W-06).
func (c caller) capabilities() []string {
	names := []string{}
	for _, name := range slices.Sorted(maps.Keys(methods)) {
		m := methods[name]
		refused := slices.ContainsFunc(m.needs, func(p project.Permission) bool { return !slices.Contains(c.project.Permissions, p) })
		if refused || m.extension != "" && !c.project.Has(m.extension) || slices.Contains(administrative, name) {
			continue
		}
		names = append(names, name)
	}
	for _, e := range c.project.Extensions {
		if !slices.Contains(names, string(e)) {
			names = append(names, string(e))
		}
	}
	return names
}
