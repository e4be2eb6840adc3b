package anvil

import (
	"bytes"
	"compress/gzip"
	"time"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/chunk"
	"github.com/pharos-mcp/pharos/services/world/host"
	"github.com/pharos-mcp/pharos/services/world/nbt"
)

// Flat is a new world: a square of flat chunks around the middle, of layers as
// host.Flat has them. The game, should it open the world, goes on with the same
// layers beyond.
type Flat struct {
	Name   string // as the game lists it
	Chunks int    // along each side: 1 to 32, 8 where it is 0
}

// flatLayers are the layers from the bottom of the world to its surface.
func flatLayers() []chunk.Layer {
	var layers []chunk.Layer
	for y := int32(chunk.MinY); y <= host.Surface; y++ {
		state := host.Flat(y)
		if n := len(layers); n > 0 && layers[n-1].State == state {
			layers[n-1].Height++
		} else {
			layers = append(layers, chunk.Layer{State: state, Height: 1})
		}
	}
	return layers
}

type member struct {
	name string
	tag  nbt.Tag
}

func compound(members ...member) *nbt.Compound {
	c := &nbt.Compound{}
	for _, m := range members {
		c.Set(m.name, m.tag)
	}
	return c
}

// newLevel is the level.dat of a new world.
func newLevel(pack *blocks.Pack, name string, now time.Time) ([]byte, error) {
	version := nbt.Int(pack.DataVersion())
	root := compound(member{"Data", compound(
		member{"DataVersion", version},
		member{"Version", compound(
			member{"Id", version}, member{"Name", nbt.String(pack.Version())},
			member{"Series", nbt.String("main")}, member{"Snapshot", nbt.Byte(0)},
		)},
		member{"version", nbt.Int(19133)}, // of the container: Anvil
		member{"LevelName", nbt.String(name)},
		member{"LastPlayed", nbt.Long(now.UnixMilli())},
		member{"initialized", nbt.Byte(1)},
		member{"GameType", nbt.Int(1)}, // creative
		member{"allowCommands", nbt.Byte(1)},
		member{"hardcore", nbt.Byte(0)},
		member{"Difficulty", nbt.Byte(0)},
		member{"DifficultyLocked", nbt.Byte(0)},
		member{"SpawnX", nbt.Int(0)}, member{"SpawnY", nbt.Int(host.Surface + 1)}, member{"SpawnZ", nbt.Int(0)},
		member{"SpawnAngle", nbt.Float(0)},
		member{"Time", nbt.Long(0)}, member{"DayTime", nbt.Long(6000)},
		member{"raining", nbt.Byte(0)}, member{"rainTime", nbt.Int(0)},
		member{"thundering", nbt.Byte(0)}, member{"thunderTime", nbt.Int(0)},
		member{"clearWeatherTime", nbt.Int(0)},
		member{"GameRules", compound(
			member{"doMobSpawning", nbt.String("false")}, member{"doDaylightCycle", nbt.String("false")},
			member{"doWeatherCycle", nbt.String("false")},
		)},
		member{"DataPacks", compound(
			member{"Enabled", nbt.List{Of: nbt.KindString, Items: []nbt.Tag{nbt.String("vanilla")}}},
			member{"Disabled", nbt.List{}},
		)},
		member{"WorldGenSettings", generation()},
	)})
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(nbt.Encode("", root)); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// generation says how the game makes what is not there yet.
func generation() *nbt.Compound {
	layers := nbt.List{Of: nbt.KindCompound}
	for _, l := range flatLayers() {
		name, _ := blocks.Split(l.State)
		layers.Items = append(layers.Items, compound(member{"block", nbt.String(name)}, member{"height", nbt.Int(l.Height)}))
	}
	noise := func(settings string, source *nbt.Compound) *nbt.Compound {
		return compound(
			member{"type", nbt.String("minecraft:noise")}, member{"settings", nbt.String(settings)}, member{"biome_source", source},
		)
	}
	return compound(
		member{"seed", nbt.Long(0)}, member{"generate_features", nbt.Byte(0)}, member{"bonus_chest", nbt.Byte(0)},
		member{"dimensions", compound(
			member{"minecraft:overworld", compound(
				member{"type", nbt.String("minecraft:overworld")},
				member{"generator", compound(
					member{"type", nbt.String("minecraft:flat")},
					member{"settings", compound(
						member{"biome", nbt.String("minecraft:plains")},
						member{"features", nbt.Byte(0)}, member{"lakes", nbt.Byte(0)},
						member{"layers", layers},
						member{"structure_overrides", nbt.List{}},
					)},
				)},
			)},
			member{"minecraft:the_nether", compound(
				member{"type", nbt.String("minecraft:the_nether")},
				member{"generator", noise("minecraft:nether", compound(
					member{"type", nbt.String("minecraft:multi_noise")}, member{"preset", nbt.String("minecraft:nether")},
				))},
			)},
			member{"minecraft:the_end", compound(
				member{"type", nbt.String("minecraft:the_end")},
				member{"generator", noise("minecraft:end", compound(member{"type", nbt.String("minecraft:the_end")}))},
			)},
		)},
	)
}
