// Package host is what the service asks of whatever owns a world: consistent
// reads, edits that are exclusive, and files that are on the disk when Flush
// says so. Everything that changes a block goes through a Host, so that the
// order of all changes is total and each is told to the observer (W-18).
package host

import (
	"context"
	"time"

	"github.com/google/uuid"

	"github.com/pharos-mcp/pharos/services/world/blocks"
	"github.com/pharos-mcp/pharos/services/world/geom"
)

// Host owns one world. It is safe for concurrent use.
type Host interface {
	// Info tells what the world is. It does not change while the host is open,
	// but for ReadOnly.
	Info() Info
	// Blocks is the version's table of block states.
	Blocks() *blocks.Pack
	// View calls f with a consistent view of the box: no edit happens meanwhile.
	// A chunk of the box that does not exist is *NotGenerated, one that cannot be
	// used is *Unreadable; nothing is ever generated for a read. Above and below
	// the world is air. f opens no view or edit of its own.
	View(ctx context.Context, box geom.Box, f func(Reader) error) error
	// Edit calls f alone: no read and no other edit happens meanwhile. An error of
	// f takes back all that it set, and so does a panic. Observers hear of the
	// changes after f returned nil and before any other edit begins. The result is
	// the world's revision, which every edit that changes something raises by one.
	Edit(ctx context.Context, cause Cause, box geom.Box, f func(Writer) error) (revision uint64, err error)
	// Flush returns nil when all changes so far of these chunks are on the disk:
	// written, synced, and found under their names after a loss of power. A host
	// without files has nothing to do.
	Flush(ctx context.Context, chunks []ChunkPos) error
	// Foreign lists the entities, block entities and players within the box.
	Foreign(ctx context.Context, box geom.Box) ([]Foreign, error)
	// Heights are the highest blocks that are not air in each column of the box,
	// in the order z, x; whatever heights the box is of, the whole column counts.
	// Columns of air alone have Info.MinY-1.
	Heights(ctx context.Context, box geom.Box) ([]int32, error)
	// Observe has the observer hear of each change. It returns what ends that,
	// which waits for what is being told.
	Observe(Observer) (stop func())
	// Say shows a player a text. A player who is not there gets nothing.
	Say(ctx context.Context, to uuid.UUID, text string) error
	// Player returns a player who is in the world now.
	Player(id uuid.UUID) (Player, bool)
	// Close flushes what is left and lets the world go.
	Close() error
}

// Info is what does not change about a world.
type Info struct {
	World       uuid.UUID // the world's own identity, kept in its folder
	Version     string    // of the pack: "1.20.2"
	DataVersion int32
	MinY, MaxY  int32  // the lowest and the highest position
	Flushes     bool   // Flush means that changes are on the disk
	ReadOnly    string // why nothing may be written; "" where it may
}

// Reader reads blocks of the box that a view or an edit was opened with.
// Positions outside it are a mistake of the caller and panic.
type Reader interface {
	// At is the canonical state: "minecraft:oak_log[axis=y]".
	At(geom.Pos) string
	// Occupied names the block entity at the position: "minecraft:chest", or "".
	Occupied(geom.Pos) string
	// Revision is the world's at this moment.
	Revision() uint64
}

// Writer is a Reader that also sets blocks.
type Writer interface {
	Reader
	// Set puts a canonical state. It fails for a state that the pack does not
	// have, where a block entity stands, and above and below the world.
	Set(p geom.Pos, state string) error
}

// ChunkPos is the place of a chunk, in units of 16 blocks.
type ChunkPos struct{ X, Z int32 }

// ChunksOf lists the chunks of a box in the order z, x.
func ChunksOf(b geom.Box) []ChunkPos {
	var chunks []ChunkPos
	for z := b.Min.Z >> 4; z <= b.Max.Z>>4; z++ {
		for x := b.Min.X >> 4; x <= b.Max.X>>4; x++ {
			chunks = append(chunks, ChunkPos{x, z})
		}
	}
	return chunks
}

// Kind tells who causes a change.
type Kind string

// The kinds of causes.
const (
	ByOperation Kind = "operation" // a plan of ours
	ByPlayer    Kind = "player"    // somebody in the world who places or breaks
	ByOther     Kind = "other"     // anything else outside us
)

// Cause is who changes a block.
type Cause struct {
	Kind      Kind
	Operation uuid.UUID // of ByOperation
	Player    uuid.UUID // of ByPlayer
}

// Change is one block that an edit changed: what it was before the edit and is
// after it, in one change, however often it was set meanwhile.
type Change struct {
	geom.Pos
	Before, After string
	Cause         Cause
	Revision      uint64
}

// Foreign is something in a box that is no plain block.
type Foreign struct {
	geom.Pos
	Kind string // "entity", "block entity" or "player"
	ID   string // "minecraft:cow"; of a player the UUID
}

// Player is somebody in the world.
type Player struct {
	ID   uuid.UUID
	Name string
	Feet [3]float64 // x, y, z
	Yaw  float32    // degrees, 0 is south, 90 west
	// Pitch is 90 straight down.
	Pitch float32
	// Target is the block looked at, where one is within reach.
	Target *geom.Pos
	Since  time.Time
}

// Observer hears what happens, one call at a time, in the order in which it
// happened. It is called inside what it hears of: it must return at once and call
// no method of the host but Player.
type Observer interface {
	OnBlocks([]Change)
	OnChat(player Player, text string)
	OnJoin(Player)
	OnQuit(Player)
}
