package resolve

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/manifest"
)

// formerNames checks that a name a tool had before belongs to no other
// operation, as a name or as a former name (E-05).
func (r *resolver) formerNames(all []bound, current map[string][]bound) {
	former := map[string]bound{}
	for _, b := range all {
		for _, name := range b.decision.Was {
			place := b.decision.Place("was")
			switch {
			case !toolName.MatchString(name):
				r.problem(place, "E-05",
					fmt.Sprintf(`"%s", a former name of %s, is no tool name`, name, describe(b.op)), "remove it")
			case name == b.decision.Tool:
				r.problem(place, "E-05", fmt.Sprintf(`"%s" is the name of %s and its former name`, name, describe(b.op)),
					`remove it from "was"`)
			case len(current[name]) > 0:
				other := current[name][0]
				r.problem(other.decision.Place("tool"), "E-05",
					fmt.Sprintf(`tool name "%s" of %s was the name of %s`, name, describe(other.op), describe(b.op)),
					"an old name is never given to another operation: choose another")
			}
			if other, ok := former[name]; ok {
				r.problem(place, "E-05",
					fmt.Sprintf(`"%s" is a former name of both %s and %s`, name, describe(other.op), describe(b.op)),
					"a name belonged to one of them: remove it from the other")
			}
			former[name] = b
		}
	}
}

// renames compares the decisions with the tools of the committed output: a
// changed name needs its old name recorded, and an old name is given to no
// other operation (E-05).
func (r *resolver) renames(c *manifest.Catalog, all []bound) {
	byKey, byName, byWas := map[string][]bound{}, map[string][]bound{}, map[string][]bound{}
	for _, b := range all {
		byKey[b.op.Key] = append(byKey[b.op.Key], b)
		byName[b.decision.Tool] = append(byName[b.decision.Tool], b)
		for _, name := range b.decision.Was {
			byWas[name] = append(byWas[name], b)
		}
	}
	for _, old := range r.committed[c.Name] {
		renamed := c.Document(old.Document) == nil // the document, not its operations
		same := func(b bound) bool {
			return b.op.Key == old.Key && (renamed || b.document.Name == old.Document)
		}
		for _, b := range byKey[old.Key] {
			name := b.decision.Tool
			if same(b) && name != "" && name != old.Name && !slices.Contains(b.decision.Was, old.Name) {
				r.problem(b.decision.Place("tool"), "E-05",
					fmt.Sprintf(`%s was the tool "%s" and is now "%s"`, describe(b.op), old.Name, name),
					fmt.Sprintf(`add "was": [%s], or keep the name`, quoted(append(slices.Clone(b.decision.Was), old.Name))))
			}
		}
		for _, b := range byName[old.Name] {
			if !same(b) {
				r.problem(b.decision.Place("tool"), "E-05",
					fmt.Sprintf(`tool name "%s" of %s was the name of %s of document "%s"`,
						old.Name, describe(b.op), old.Key, old.Document),
					"an old name is never given to another operation: choose another")
			}
		}
		for _, b := range byWas[old.Name] {
			if !same(b) && b.decision.Tool != old.Name {
				r.problem(b.decision.Place("was"), "E-05",
					fmt.Sprintf(`"%s" was never the name of %s, but of %s of document "%s"`,
						old.Name, describe(b.op), old.Key, old.Document),
					`remove it from "was"`)
			}
		}
	}
}

// list names the operations but one, with their places.
func list(all []bound, but bound) string {
	var out []string
	for _, b := range all {
		if b.op != but.op {
			out = append(out, describe(b.op)+" at "+b.op.Pos.String())
		}
	}
	return strings.Join(out, ", ")
}

func quoted(names []string) string {
	for i, name := range names {
		names[i] = `"` + name + `"`
	}
	return strings.Join(names, ", ")
}
