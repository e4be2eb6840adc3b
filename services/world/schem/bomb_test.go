package schem_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/nbt"
	"github.com/pharos-mcp/pharos/services/world/schem"
)

// bombs are files that use up what the bounds allow, each in another way. All
// of them have something wrong at their end.
func bombs(t testing.TB) map[string][]byte {
	t.Helper()
	many := &nbt.Compound{}
	for i := range schem.MaxTags - 20 {
		many.Set(fmt.Sprintf("minecraft:%d", i), nbt.Int(i))
	}
	palette := root()
	palette.Set("Palette", many)

	// Each is looked at as far as a state of the version goes, and refused with
	// all properties in the message.
	near := &nbt.Compound{}
	for i := range schem.MaxPositions {
		near.Set(fmt.Sprintf("minecraft:cobblestone_wall[east=none,north=none,south=none,up=true,waterlogged=false,no=%s]",
			strings.Repeat("x", 400)+fmt.Sprint(i)), nbt.Int(i))
	}
	states := root()
	states.Set("Palette", near)

	long := &nbt.Compound{}
	for i := range 63 {
		long.Set(fmt.Sprint(i, strings.Repeat("[", 65_000)), nbt.Int(i))
	}
	names := root()
	names.Set("Palette", long)

	lists := nbt.List{Of: nbt.KindList}
	for range schem.MaxTags - 20 {
		lists.Items = append(lists.Items, nbt.List{})
	}
	entities := root()
	entities.Set("Entities", lists)

	ids := root()
	ids.Set("BlockData", nbt.ByteArray(bytes.Repeat([]byte{1}, 4<<20-300)))

	array := root()
	array.Set("Metadata", compound("A", nbt.LongArray(make([]int64, 1<<19-40))))
	array.Set("Extra", nbt.Int(1))

	unfinished := nbt.Encode("Schematic", many)
	return map[string][]byte{
		"a palette of many":        file(t, palette),
		"a palette of near misses": file(t, states),
		"a palette of long names":  file(t, names),
		"many empty lists":         file(t, entities),
		"positions without end":    file(t, ids),
		"a large array":            file(t, array),
		"an unended compound":      zip(t, unfinished[:len(unfinished)-1]),
	}
}
