package web

import (
	"fmt"
	"slices"

	"github.com/pharos-mcp/pharos/services/play/assignment"
	"github.com/pharos-mcp/pharos/services/play/scenario"
	"github.com/pharos-mcp/pharos/services/play/web/words"
)

// languages are the languages to choose.
func (v *visit) languages(chosen string) []option {
	var options []option
	for _, tag := range words.Languages {
		options = append(options, option{Value: tag, Label: v.words.LanguageOf(tag), Chosen: tag == chosen})
	}
	return options
}

// modes is the choice of what a session is for.
func (v *visit) modes(p *problems) choice {
	t := &v.words.Create
	mode := v.form.Get("mode")
	if v.form == nil {
		mode = assignment.Absence
	}
	one := func(value, label string) option {
		return option{ID: "mode-" + value, Value: value, Label: label, Chosen: value == mode}
	}
	return choice{
		ID: "mode", Name: "mode", Legend: t.Mode, Kind: "radio", Hints: []string{t.ModeHint}, Seen: t.SeenSettings,
		Error: p.of("mode"),
		Must:  v.words.Site.Required,
		Groups: []group{{Options: []option{
			one(assignment.Absence, t.ModeAbsence), one(assignment.Downtime, t.ModeDowntime),
			one(assignment.Solo, t.ModeSolo),
		}}},
	}
}

// nodesToPublish is the choice of what the facilitator gets, by kind.
func (v *visit) nodesToPublish(from source, p *problems) choice {
	t, n := &v.words.Create, &v.words.Nodes
	c := choice{
		ID: "node", Name: "node", Legend: t.Nodes, Kind: "checkbox", Seen: t.SeenMaterials, Error: p.of("node"),
		Must:  v.words.Site.Required,
		Hints: []string{t.NodesHint, fmt.Sprintf(t.NodesBound, assignment.MaxPublished)},
	}
	legends := map[string]string{
		scenario.Scene: n.Scenes, scenario.NPC: n.NPCs, scenario.Place: n.Places, scenario.Clue: n.Clues,
	}
	for _, kind := range scenario.Kinds() {
		g := group{Legend: legends[kind]}
		for _, node := range from.nodes {
			if node.Kind != kind {
				continue
			}
			chosen := slices.Contains(v.form["node"], node.ID)
			o := option{ID: "node-" + node.ID, Value: node.ID, Label: node.Title, Chosen: chosen}
			if node.GMNotes != "" {
				o.Note = t.NodeNotes
			}
			g.Options = append(g.Options, o)
		}
		if len(g.Options) > 0 {
			c.Groups = append(c.Groups, g)
		}
	}
	return c
}

// toApprove is the choice of what needs no decision.
func (v *visit) toApprove(p *problems) choice {
	t := &v.words.Create
	g := group{}
	for _, category := range categories {
		g.Options = append(g.Options, option{
			ID: "approve-" + category, Value: category, Label: v.words.Plays.CategoryOf(category),
			Chosen: slices.Contains(v.form["approve"], category),
		})
	}
	return choice{
		ID: "approve", Name: "approve", Legend: t.Approve, Kind: "checkbox", Hints: []string{t.ApproveHint},
		Seen:  t.SeenSettings,
		Error: p.of("approve"), Groups: []group{g},
	}
}
