// Package protocol has what Java Edition's protocol numbers: packets, items, and
// what a client is told of dimensions and biomes. The version is data, made of
// the npm package minecraft-data (see data/LICENSE).
package protocol

import (
	"bytes"
	"embed"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/pharos-mcp/pharos/services/world/nbt"
)

//go:embed data/*/protocol.txt data/*/registry.nbt
var data embed.FS

// Table is what one version numbers. It does not change.
type Table struct {
	Version  string // "1.20.2"
	Protocol int32  // 764
	Player   int32  // the kind of entity that players are
	Plains   int32  // the biome of that name
	// Registry is what a client is told before it plays, as a compound without a
	// name.
	Registry []byte

	packets map[string]int32  // "play c map_chunk"
	names   map[string]string // "play s 5": the name
	items   map[int32]string
}

// Load reads the table of a version.
func Load(version string) (*Table, error) {
	lines, err := data.ReadFile(path.Join("data", version, "protocol.txt"))
	if err != nil {
		return nil, fmt.Errorf("the protocol of version %q is not known", version)
	}
	t := &Table{packets: map[string]int32{}, names: map[string]string{}, items: map[int32]string{}}
	for line := range strings.Lines(string(lines)) {
		if err := t.read(strings.Fields(line)); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", version, line, err)
		}
	}
	registry, err := data.ReadFile(path.Join("data", version, "registry.nbt"))
	if err != nil {
		return nil, err
	}
	return t, t.register(registry)
}

// read takes one line: a kind, and what is of that kind.
func (t *Table) read(words []string) error {
	form := map[string]int{"protocol": 3, "packet": 5, "entity": 3, "item": 3}[words[0]]
	if len(words) != form {
		return fmt.Errorf("it has %d words, not %d", len(words), form)
	}
	at := 1
	if words[0] == "packet" {
		at = 3
	}
	number, err := strconv.ParseInt(words[at], 10, 32)
	if err != nil {
		return err
	}
	switch words[0] {
	case "protocol":
		t.Protocol, t.Version = int32(number), words[2]
	case "packet":
		t.packets[words[1]+" "+words[2]+" "+words[4]] = int32(number)
		t.names[words[1]+" "+words[2]+" "+words[3]] = words[4]
	case "entity":
		t.Player = int32(number)
	case "item":
		t.items[int32(number)] = words[2]
	}
	return nil
}

// register takes what a client is told, and looks for the biome in it.
func (t *Table) register(file []byte) error {
	_, root, err := nbt.Decode(file, nbt.Limits{Bytes: 1 << 20, Depth: 64, Tags: 1 << 16, Alloc: 16 << 20})
	if err != nil {
		return fmt.Errorf("registry of %s: %w", t.Version, err)
	}
	anonymous, ok := bytes.CutPrefix(file, []byte{byte(nbt.KindCompound), 0, 0})
	if !ok {
		return fmt.Errorf("registry of %s: the root has a name", t.Version)
	}
	t.Registry = append([]byte{byte(nbt.KindCompound)}, anonymous...)
	biomes, _ := nbt.Get[*nbt.Compound](root, "minecraft:worldgen/biome")
	if biomes != nil {
		list, _ := nbt.Get[nbt.List](biomes, "value")
		for _, entry := range list.Items {
			biome, _ := entry.(*nbt.Compound)
			if name, _ := nbt.Get[nbt.String](biome, "name"); name == "minecraft:plains" {
				id, ok := nbt.Get[nbt.Int](biome, "id")
				if t.Plains = int32(id); ok {
					return nil
				}
			}
		}
	}
	return fmt.Errorf("registry of %s: there is no minecraft:plains", t.Version)
}

// ToClient is the number of a packet for a client, in a state: "play" and the
// like. One that the version does not have is a mistake of the program.
func (t *Table) ToClient(state, name string) int32 {
	number, ok := t.packets[state+" c "+name]
	if !ok {
		panic("protocol " + t.Version + " has no packet " + name + " for clients in " + state)
	}
	return number
}

// FromClient is the name of a packet that a client sends, "" for a number that
// the version does not have.
func (t *Table) FromClient(state string, number int32) string {
	return t.names[state+" s "+strconv.Itoa(int(number))]
}

// Item is the name of an item, without "minecraft:".
func (t *Table) Item(number int32) (name string, ok bool) {
	name, ok = t.items[number]
	return name, ok
}
