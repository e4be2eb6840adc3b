package resolve

import (
	"fmt"
	"go/token"
	"regexp"
	"slices"

	"github.com/pharos-mcp/pharos/generators/internal/clients"
	"github.com/pharos-mcp/pharos/generators/internal/manifest"
	"github.com/pharos-mcp/pharos/generators/internal/spec"
)

// toolName is what every tool is called (E-05).
var toolName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)

// Package reports whether a catalog of this name can be a Go package that other
// packages import.
func Package(name string) bool {
	return !token.IsKeyword(name) && !slices.Contains([]string{"main", "internal", "vendor", "testdata"}, name)
}

// packages checks that every catalog and every document gets a Go package of
// its own. Document names are unique over all catalogs.
func (r *resolver) packages() {
	taken := map[string]spec.Pos{}
	claim := func(name, what string, pos spec.Pos) {
		if other, ok := taken[name]; ok {
			r.problem(pos, "E-05", fmt.Sprintf("%s makes the package generated/%s a second time", what, name),
				fmt.Sprintf("choose another name; the first stands at %s", other))
			return
		}
		taken[name] = pos
	}
	for _, c := range r.manifest.Catalogs {
		if !Package(c.Name) {
			r.problem(c.Pos, "E-05", fmt.Sprintf(`catalog "%s" cannot be a Go package`, c.Name), "choose another name")
		}
		claim(c.Name, `catalog "`+c.Name+`"`, c.Pos)
		for _, d := range c.Documents {
			claim(d.Name+"api", `document "`+d.Name+`"`, d.Pos)
		}
	}
}

// names checks that tool names are legal and unique in their catalog, former
// names included, and so are the Go names they give (E-05).
func (r *resolver) names(c *manifest.Catalog, all []bound) {
	current := map[string][]bound{}
	goNames := map[string][]bound{}
	for _, b := range all {
		name := b.decision.Tool
		if name == "" {
			continue
		}
		if !toolName.MatchString(name) {
			hint := "use a-z, 0-9 and _, a letter first"
			if len(name) > 64 {
				hint = fmt.Sprintf("it has %d characters, 64 are allowed: choose a shorter name", len(name))
			}
			r.problem(b.decision.Place("tool"), "E-05", fmt.Sprintf(`"%s" of %s is no tool name`, name, describe(b.op)), hint)
			continue
		}
		current[name] = append(current[name], b)
		goNames[clients.GoName(name)] = append(goNames[clients.GoName(name)], b)
	}
	for _, b := range all {
		name := b.decision.Tool
		others := current[name]
		if len(others) > 1 {
			r.problem(b.decision.Place("tool"), "E-05",
				fmt.Sprintf(`tool name "%s" of %s is not unique in catalog "%s"`, name, describe(b.op), c.Name),
				"also the name of "+list(others, b)+": rename one")
		} else if same := goNames[clients.GoName(name)]; len(others) == 1 && len(same) > 1 {
			r.problem(b.decision.Place("tool"), "E-05",
				fmt.Sprintf(`tool name "%s" of %s gives the Go name %s a second time`, name, describe(b.op), clients.GoName(name)),
				"also the Go name of "+list(same, b)+": rename one")
		}
	}
	r.formerNames(all, current)
}
