package emit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pharos-mcp/pharos/generators/internal/ir"
)

// pathType is the path group that all operations with the same path parameters
// share.
type pathType struct {
	Name      string
	Doc       string
	Fields    []string
	signature string
}

// pathTypes names the path groups of a catalog after their parameters. Groups
// whose names would be the same are numbered in the order of what they hold.
func pathTypes(c *ir.Catalog) []pathType {
	if c.Input == "top" {
		return nil
	}
	groups := map[string][]*ir.Parameter{}
	for _, op := range c.Operations {
		if path := pathParameters(op); len(path) > 0 {
			groups[signature(path)] = path
		}
	}
	signatures := make([]string, 0, len(groups))
	for s := range groups {
		signatures = append(signatures, s)
	}
	slices.Sort(signatures)
	taken := map[string]int{}
	types := make([]pathType, 0, len(signatures))
	for _, s := range signatures {
		path := groups[s]
		name := pathName(path)
		taken[name]++
		if n := taken[name]; n > 1 {
			name += strconv.Itoa(n)
		}
		list := make([]field, len(path))
		for i, p := range path {
			list[i] = parameterField(p)
		}
		types = append(types, pathType{Name: name, Doc: describePath(name, path), Fields: fields(1, list), signature: s})
	}
	slices.SortFunc(types, func(a, b pathType) int { return strings.Compare(a.Name, b.Name) })
	return types
}

// pathName joins the names of the parameters; of many it keeps the last ones,
// which tell more.
func pathName(path []*ir.Parameter) string {
	const longest = 44
	name := ""
	for i := len(path) - 1; i >= 0; i-- {
		part := path[i].GoName
		if path[i].GoType != "string" {
			part += typeName(path[i].GoType)
		}
		if name != "" && len(part)+len(name) > longest {
			break
		}
		name = part + name
	}
	return name + "Path"
}

// signature tells path groups apart: two operations share a type if they agree
// on every key, field and type, in order.
func signature(path []*ir.Parameter) string {
	var b strings.Builder
	for _, p := range path {
		fmt.Fprintf(&b, "%s %s %q\n", p.GoName, p.GoType, p.Key)
	}
	return b.String()
}

// typeName spells a type as part of a name.
func typeName(goType string) string {
	name := strings.NewReplacer("[]", "List", "json.", "").Replace(goType)
	return strings.ToUpper(name[:1]) + name[1:]
}

// describePath is the comment on a path type.
func describePath(name string, path []*ir.Parameter) string {
	keys := make([]string, len(path))
	for i, p := range path {
		keys[i] = p.Key
	}
	words := append([]string{name, "is", "a", "path", "of"}, keys...)
	for i := 5; i < len(words)-2; i++ {
		words[i] += ","
	}
	if len(keys) > 1 {
		words = slices.Insert(words, len(words)-1, "and")
	}
	return doc(strings.Join(words, " ") + ".")
}
