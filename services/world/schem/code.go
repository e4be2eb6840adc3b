package schem

import "github.com/pharos-mcp/pharos/edge/fault"

// The codes of refusals, one a kind.
const (
	TooLarge         fault.Code = "schematic_too_large"      // more than MaxPacked
	UnpackedSize     fault.Code = "schematic_unpacked_size"  // more than MaxUnpacked
	BadGzip          fault.Code = "schematic_gzip"           // empty, or not one whole gzip member and nothing else
	BadNBT           fault.Code = "schematic_nbt"            // not one NBT compound within the bounds
	BadRoot          fault.Code = "schematic_root"           // the compound is not that of a schematic
	BadVersion       fault.Code = "schematic_version"        // another version of the format
	BadDataVersion   fault.Code = "schematic_data_version"   // of a newer game, or of none
	UnknownField     fault.Code = "schematic_unknown_field"  // a top-level field that version 2 does not have
	BadField         fault.Code = "schematic_field"          // missing, or of another type
	HasBiomes        fault.Code = "schematic_biomes"         // biomes
	HasEntities      fault.Code = "schematic_entities"       // entities
	HasBlockEntities fault.Code = "schematic_block_entities" // block entities: chests, signs
	NeedsMods        fault.Code = "schematic_mods"           // mods
	BadDimensions    fault.Code = "schematic_dimensions"     // a side of 0, or more than MaxPositions
	BadOffset        fault.Code = "schematic_offset"         // an offset that is none
	BadPalette       fault.Code = "schematic_palette"        // indexes that are not 0 … n-1
	BadBlock         fault.Code = "schematic_block"          // a state that is unknown or not allowed
	BadBlocks        fault.Code = "schematic_blocks"         // positions that do not fit the palette or the box
)
