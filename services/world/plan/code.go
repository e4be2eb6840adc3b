package plan

import "github.com/pharos-mcp/pharos/edge/fault"

// The codes of faults beyond those that every service has.
const (
	OutOfBounds      fault.Code = "out_of_bounds"         // outside the project's area or the world's height
	UnsupportedBlock fault.Code = "unsupported_block"     // a block that no plan of the project may place or overwrite
	NeighbourBreaks  fault.Code = "neighbour_would_break" // something beside the plan would break or fall
	BudgetExceeded   fault.Code = "budget_exceeded"       // more than a bound allows
	ChunkNotLoaded   fault.Code = "chunk_not_loaded"      // chunks that do not exist or cannot be used
	OutsidePart      fault.Code = "outside_part"          // a position that the part's mask does not have
	NothingToUndo    fault.Code = "nothing_to_undo"       // no block is as the operation left it
	NotEnabled       fault.Code = "not_enabled"           // an extension that the project has not switched on
	ReadOnly         fault.Code = "read_only"             // the world is open for reading only
	Busy             fault.Code = "busy"                  // the world changed faster than it could be read
)
