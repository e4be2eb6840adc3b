package schem

import (
	"strings"
	"unicode"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/nbt"
)

// member reads a field of one type. It need not be there.
func member[T nbt.Tag](c *nbt.Compound, name string, code fault.Code) (value T, there bool, err error) {
	tag, there := c.Get(name)
	if !there {
		return value, false, nil
	}
	value, ok := tag.(T)
	if !ok {
		return value, true, fault.Newf(code, "%s has type %v, not %v", name, tag.Kind(), value.Kind())
	}
	return value, true, nil
}

// needed reads a field that must be there.
func needed[T nbt.Tag](c *nbt.Compound, name string, code fault.Code) (T, error) {
	value, there, err := member[T](c, name, code)
	if err == nil && !there {
		err = fault.Newf(code, "%s is missing", name)
	}
	return value, err
}

// shown is a text of a file as a message may have it: printable, and short.
func shown(text string) string {
	const most = 120
	var b strings.Builder
	for n, r := range []rune(text[:min(len(text), 4*most)]) {
		if n == most {
			return b.String() + "…"
		}
		if !unicode.IsPrint(r) {
			r = unicode.ReplacementChar
		}
		b.WriteRune(r)
	}
	return b.String()
}

// printable reports whether all characters can be seen, spaces among them.
func printable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}
