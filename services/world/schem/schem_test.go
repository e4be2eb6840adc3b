package schem_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"sync"
	"testing"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
	"github.com/pharos-mcp/pharos/services/world/nbt"
	"github.com/pharos-mcp/pharos/services/world/schem"
)

// building is the policy of a project that says nothing of its own.
var building = blocks.DefaultPolicy()

var load = sync.OnceValues(func() (*blocks.Pack, error) { return blocks.Load(blocks.Default) })

func pack(t testing.TB) *blocks.Pack {
	t.Helper()
	p, err := load()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// shape is a schematic as tests compare it: every position's state in order.
type shape struct {
	Width, Height, Length int
	DataVersion           int32
	Offset                geom.Pos
	Name                  string
	States                []string
}

func shapeOf(s *schem.Schematic) *shape {
	states := []string{}
	for y := range s.Height {
		for z := range s.Length {
			for x := range s.Width {
				states = append(states, s.At(x, y, z))
			}
		}
	}
	return &shape{s.Width, s.Height, s.Length, s.DataVersion, s.Offset, s.Name, states}
}

// product fills a format with one of each list, the last changing fastest.
func product(format string, lists ...[]string) []string {
	rows := [][]any{nil}
	for _, list := range lists {
		var longer [][]any
		for _, row := range rows {
			for _, value := range list {
				longer = append(longer, append(append([]any(nil), row...), value))
			}
		}
		rows = longer
	}
	var texts []string
	for _, row := range rows {
		texts = append(texts, fmt.Sprintf(format, row...))
	}
	return texts
}

// root is a small schematic's compound: 2 × 1 × 2, air and stone.
func root() *nbt.Compound {
	r := &nbt.Compound{}
	r.Set("Version", nbt.Int(2))
	r.Set("DataVersion", nbt.Int(3578))
	r.Set("Width", nbt.Short(2))
	r.Set("Height", nbt.Short(1))
	r.Set("Length", nbt.Short(2))
	r.Set("Palette", compound("minecraft:air", nbt.Int(0), "minecraft:stone", nbt.Int(1)))
	r.Set("BlockData", nbt.ByteArray{0, 1, 1, 0})
	return r
}

// compound makes one of names and tags in turns.
func compound(members ...any) *nbt.Compound {
	c := &nbt.Compound{}
	for i := 0; i < len(members); i += 2 {
		c.Set(members[i].(string), members[i+1].(nbt.Tag))
	}
	return c
}

// file packs a compound as a schematic's.
func file(t testing.TB, root *nbt.Compound) []byte {
	t.Helper()
	return zip(t, nbt.Encode("Schematic", root))
}

func zip(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
