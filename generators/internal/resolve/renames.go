package resolve

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/manifest"
	"github.com/pharos-mcp/pharos/generators/internal/normalise"
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
// changed name needs its old name recorded, what was recorded stays, and no old
// name is given to another operation (E-05).
func (r *resolver) renames(c *manifest.Catalog, all []bound) {
	byShape, byName, byWas := map[string][]bound{}, map[string][]bound{}, map[string][]bound{}
	for _, b := range all {
		byShape[shape(b.op.Key)] = append(byShape[shape(b.op.Key)], b)
		byName[b.decision.Tool] = append(byName[b.decision.Tool], b)
		for _, name := range b.decision.Was {
			byWas[name] = append(byWas[name], b)
		}
	}
	for _, old := range r.committed[c.Name] {
		same := func(b bound) bool { return old.is(b, c) }
		for _, b := range byShape[shape(old.Key)] {
			if same(b) {
				r.recorded(b, old)
			}
		}
		for _, name := range append([]string{old.Name}, old.Was...) {
			told := name != old.Name && slices.ContainsFunc(byWas[name], same) // by formerNames
			for _, b := range byName[name] {
				if !same(b) && !told {
					r.problem(b.decision.Place("tool"), "E-05",
						fmt.Sprintf(`tool name "%s" of %s was the name of %s of document "%s"`,
							name, describe(b.op), old.Key, old.Document),
						"an old name is never given to another operation: choose another")
				}
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

// recorded checks that the decision still knows every name of its tool.
func (r *resolver) recorded(b bound, old CommittedTool) {
	name := b.decision.Tool
	var missing []string
	for _, former := range append(slices.Clone(old.Was), old.Name) {
		if former != name && !slices.Contains(b.decision.Was, former) {
			missing = append(missing, former)
		}
	}
	if name == "" || len(missing) == 0 {
		return
	}
	message := fmt.Sprintf(`%s was the tool "%s" and is now "%s"`, describe(b.op), missing[len(missing)-1], name)
	r.problem(b.decision.Place("tool"), "E-05", message,
		fmt.Sprintf(`add "was": [%s], or keep the name`, quoted(append(slices.Clone(b.decision.Was), missing...))))
}

// is reports whether a decision is about the operation that the tool had. It is
// also if only its document has another name, or its path other parameters.
func (old CommittedTool) is(b bound, c *manifest.Catalog) bool {
	if b.document.Name != old.Document && c.Document(old.Document) != nil {
		return false
	}
	if b.op.Key == old.Key {
		return true
	}
	return shape(b.op.Key) == shape(old.Key) &&
		!slices.ContainsFunc(b.doc.Operations, func(op *normalise.Operation) bool { return op.Key == old.Key })
}

var placeholder = regexp.MustCompile(`\{[^{}]*\}`)

// shape is the key of an operation without the names of its path parameters.
func shape(key string) string { return placeholder.ReplaceAllString(key, "{}") }

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
