package geom

// Limits bound a recipe. What they say holds, too, for a recipe that was never
// JSON.
type Limits struct {
	Result   int   // positions that are placed
	Work     int64 // positions that are gone over, those of overlapping operations each time
	Depth    int   // repeats within each other
	Expanded int   // operations once repeats are written out
	List     int   // operations in one list
	Repeat   int   // rounds of one repeat
	Radius   int
	Height   int
}

// Default is what a plan is held to.
func Default() Limits {
	return Limits{
		Result: 4096, Work: 1 << 20, Depth: 8, Expanded: 4096, List: 256, Repeat: 1024, Radius: 128, Height: 256,
	}
}

// The coordinates of a world: x and z within ±MaxXZ, y within ±MaxY.
const (
	MaxXZ = 30_000_000
	MaxY  = 4096
)

// maxRules bounds how many operations a position keeps: the last that is for
// always, and those with Only after it.
const maxRules = 16
