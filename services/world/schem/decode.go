package schem

import (
	"slices"
	"strings"

	"github.com/pharos-mcp/pharos/edge/fault"
	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/nbt"
)

// Options are what a project allows in a schematic.
type Options struct {
	Policy blocks.Policy
	// StructureVoid takes minecraft:structure_void as "leave as it is".
	StructureVoid bool
}

// version is the one version of the format that is read and written.
const version = 2

// Decode reads a file. Every error is a *fault.Fault with one of this package's
// codes.
func Decode(file []byte, pack *blocks.Pack, o Options) (*Schematic, error) {
	data, err := unpack(file)
	if err != nil {
		return nil, err
	}
	name, root, err := nbt.Decode(data, nbt.Limits{Bytes: MaxUnpacked, Depth: MaxDepth, Tags: MaxTags, Alloc: MaxAlloc / 2})
	if err != nil {
		return nil, fault.New(BadNBT, err.Error())
	}
	switch {
	case name == "":
		return nil, fault.New(BadRoot, "the root compound is not named Schematic (version 3 nests it)")
	case name != "Schematic":
		return nil, fault.Newf(BadRoot, "the root compound is named %s, not Schematic", shown(name))
	}
	s := &Schematic{voids: o.StructureVoid}
	r := &reader{root: root, pack: pack, options: o, into: s}
	for _, step := range []func() error{
		r.version, r.fields, r.dataVersion, r.entities, r.metadata, r.dimensions, r.offset, r.palette, r.blocks,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// reader takes a schematic out of its compound, one kind of field after the
// other.
type reader struct {
	root    *nbt.Compound
	pack    *blocks.Pack
	options Options
	into    *Schematic
	listed  []string // the palette, canonical
}

// topLevel are the fields of version 2 that a schematic of blocks alone has.
var topLevel = []string{
	"BlockData", "BlockEntities", "DataVersion", "Entities", "Height", "Length", "Metadata", "Offset", "Palette", "PaletteMax",
	"Version", "Width",
}

// version comes first: what is wrong with a file of another version is that.
func (r *reader) version() error {
	v, err := needed[nbt.Int](r.root, "Version", BadVersion)
	if err != nil {
		return err
	}
	if v != version {
		return fault.Newf(BadVersion, "Version %d, not %d: save it as a Sponge schematic of version %d", v, version, version)
	}
	return nil
}

// fields refuses what is not of version 2 and what is no block.
func (r *reader) fields() error {
	var biomes, unknown []string
	for name := range r.root.All() {
		switch {
		case strings.HasPrefix(name, "Biome"):
			biomes = append(biomes, name)
		case !slices.Contains(topLevel, name):
			unknown = append(unknown, name)
		}
	}
	if len(biomes) > 0 {
		slices.Sort(biomes)
		return fault.Newf(HasBiomes, "it has biomes (top-level field %q): save it without them", shown(biomes[0]))
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		return fault.Newf(UnknownField, "it has the top-level field %q, which version %d does not", shown(unknown[0]), version)
	}
	return nil
}

// dataVersion refuses what a newer game wrote. Older files are read as they are:
// what has another name by now is an unknown block.
func (r *reader) dataVersion() error {
	v, there, err := member[nbt.Int](r.root, "DataVersion", BadDataVersion)
	switch {
	case err != nil:
		return err
	case !there:
		return fault.New(BadDataVersion, "DataVersion missing")
	case v < 1 || int32(v) > r.pack.DataVersion():
		return fault.Newf(BadDataVersion, "DataVersion %d, server %d: it must be from 1 to the server's", v, r.pack.DataVersion())
	}
	r.into.DataVersion = int32(v)
	return nil
}

// entities refuses entities and block entities. Empty lists of them are fine.
func (r *reader) entities() error {
	for _, field := range []struct {
		name string
		code fault.Code
	}{{"BlockEntities", HasBlockEntities}, {"Entities", HasEntities}} {
		list, _, err := member[nbt.List](r.root, field.name, BadField)
		if err != nil {
			return err
		}
		if len(list.Items) > 0 {
			return fault.Newf(field.code, "%d %s%s: only blocks are read", len(list.Items), field.name, firstID(list))
		}
	}
	return nil
}

// firstID is ", e.g. minecraft:chest" where the first item says what it is.
func firstID(list nbt.List) string {
	first, ok := list.Items[0].(*nbt.Compound)
	if !ok {
		return ""
	}
	id, ok := nbt.Get[nbt.String](first, "Id")
	if !ok {
		return ""
	}
	return ", e.g. " + shown(string(id))
}

// dimensions are three unsigned shorts of which the product is bounded.
func (r *reader) dimensions() error {
	for _, side := range []struct {
		name string
		into *int
	}{{"Width", &r.into.Width}, {"Height", &r.into.Height}, {"Length", &r.into.Length}} {
		short, err := needed[nbt.Short](r.root, side.name, BadField)
		if err != nil {
			return err
		}
		if *side.into = int(uint16(short)); *side.into == 0 {
			return fault.Newf(BadDimensions, "%s is 0", side.name)
		}
	}
	if n := volume(r.into.Width, r.into.Height, r.into.Length); n > MaxPositions {
		return fault.Newf(BadDimensions, "%d positions (%d × %d × %d), at most %d may be in it",
			n, r.into.Width, r.into.Height, r.into.Length, MaxPositions)
	}
	return nil
}
