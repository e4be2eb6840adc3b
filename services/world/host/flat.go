package host

// Surface is the height of the grass of a flat world.
const Surface int32 = 64

// Flat is the state at a height of the flat world that a host makes where there
// is none: bedrock, three layers of dirt, grass at Surface, and air.
func Flat(y int32) string {
	switch {
	case y == Surface:
		return "minecraft:grass_block[snowy=false]"
	case y == Surface-4:
		return "minecraft:bedrock"
	case y < Surface && y > Surface-4:
		return "minecraft:dirt"
	default:
		return "minecraft:air"
	}
}

// IsAir reports whether nothing stands at a position of this state.
func IsAir(state string) bool {
	return state == "minecraft:air" || state == "minecraft:cave_air" || state == "minecraft:void_air"
}
